import type { TextPart } from './tokens.ts'

/** An expression of a build script, as far as dependencies are declared by such. */
export type Expression = { readonly line: number } & (
  | { readonly kind: 'text'; readonly parts: readonly TextPart[] }
  | { readonly kind: 'number'; readonly text: string }
  /** `a.b['c']` */
  | { readonly kind: 'path'; readonly names: readonly string[] }
  | Call
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'map'; readonly entries: readonly Entry[] }
  | { readonly kind: 'closure'; readonly statements: readonly Statement[]; readonly parameters: readonly string[] }
  /** `condition ? a : b` */
  | { readonly kind: 'choice'; readonly options: readonly [Expression, Expression] }
  | { readonly kind: 'binary'; readonly sign: string; readonly left: Expression; readonly right: Expression }
  /** What is not understood, in its own words. */
  | { readonly kind: 'other'; readonly text: string }
)

export interface Call {
  readonly kind: 'call'
  /** What is called, e.g. `configurations.all`. */
  readonly names: readonly string[]
  readonly positional: readonly Expression[]
  readonly named: readonly Entry[]
  readonly closure: readonly Statement[] | undefined
  /** Names that the closure gives to what it is called with. */
  readonly parameters: readonly string[]
  /** Between pointed brackets: `apply<Plugin>()`. */
  readonly types: readonly string[]
  readonly tokens: TokenRange
  /** What is called on its result: `id('x') version '1'`, `a('x').exclude(…)`. */
  readonly chained: readonly Call[]
  readonly line: number
}

/** Indexes into the script's tokens. */
export interface TokenRange {
  readonly from: number
  /** Behind the last of the called names. */
  readonly namesEnd: number
  readonly end: number
}

export interface Entry {
  readonly name: string
  readonly value: Expression
}

export type Statement = { readonly line: number } & (
  | { readonly kind: 'assign'; readonly names: readonly string[]; readonly sign: string; readonly value: Expression }
  | { readonly kind: 'expression'; readonly value: Expression }
)

export type Assignment = Extract<Statement, { kind: 'assign' }>

/** A block behind the call, or as its last argument. */
export function closureOf({ closure, positional }: Call): readonly Statement[] {
  const last = positional.at(-1)
  return closure ?? (last?.kind === 'closure' ? last.statements : [])
}

/** The parameters of that block. */
export function parametersOf({ closure, parameters, positional }: Call): readonly string[] {
  const last = positional.at(-1)
  return closure === undefined && last?.kind === 'closure' ? last.parameters : parameters
}
