/** An expression. `line` counts from 1. */
export type Expression = { readonly line: number } & (
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | {
      readonly kind: 'interpolated'
      readonly interpolator: string
      readonly parts: readonly (string | Expression)[]
    }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'select'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'apply'; readonly to: Expression; readonly args: readonly Argument[] }
  | { readonly kind: 'infix'; readonly left: Expression; readonly operator: string; readonly right: Expression }
  | { readonly kind: 'prefix'; readonly operator: string; readonly of: Expression }
  | { readonly kind: 'tuple'; readonly items: readonly Argument[] }
  | { readonly kind: 'block'; readonly statements: readonly Statement[] }
  | { readonly kind: 'lambda'; readonly takes: readonly string[]; readonly body: Expression }
  | { readonly kind: 'match'; readonly of: Expression; readonly cases: readonly Case[] }
  | {
      readonly kind: 'if'
      readonly condition: Expression
      readonly then: Expression
      readonly otherwise: Expression | undefined
    }
  /** An expression that is not read; `reason` names it. */
  | { readonly kind: 'unread'; readonly reason: string }
)

export interface Argument {
  readonly name: string | undefined
  readonly value: Expression
}

export interface Case {
  readonly pattern: Pattern
  readonly guard: Expression | undefined
  readonly body: Expression
}

export type Pattern =
  | { readonly kind: 'any' }
  | { readonly kind: 'bind'; readonly name: string }
  /** Matches the value of a literal or a stable name. */
  | { readonly kind: 'equal'; readonly to: Expression }
  /** Matches `Some(x)` or a tuple (no name). */
  | { readonly kind: 'extract'; readonly name: string; readonly parts: readonly Pattern[] }
  | { readonly kind: 'either'; readonly of: readonly Pattern[] }
  | { readonly kind: 'unread' }

export interface Parameter {
  readonly name: string
  readonly fallback: Expression | undefined
  readonly isRepeated: boolean
}

export type Statement = { readonly line: number } & (
  | { readonly kind: 'expression'; readonly value: Expression }
  | { readonly kind: 'val'; readonly pattern: Pattern; readonly value: Expression }
  | {
      readonly kind: 'def'
      readonly name: string
      readonly takes: readonly (readonly Parameter[])[]
      readonly body: Expression
    }
  | { readonly kind: 'object'; readonly name: string; readonly statements: readonly Statement[] }
  /** A class; extends values with methods if `of` names its only parameter. */
  | {
      readonly kind: 'class'
      readonly name: string
      readonly of: string | undefined
      readonly statements: readonly Statement[]
    }
  /** `import a.b._`: makes the members of `a.b` available by bare name. */
  | {
      readonly kind: 'import'
      readonly path: readonly string[]
      readonly members: readonly { readonly from: string; readonly to: string }[] | 'all'
    }
)
