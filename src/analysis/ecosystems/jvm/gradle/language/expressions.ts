import type { TextPart } from './texts.ts'

/** An expression of a build script, as far as declarations use it. */
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
  /** The source of an unparsed expression. */
  | { readonly kind: 'other'; readonly text: string }
)

export interface Call {
  readonly kind: 'call'
  /** The called names, e.g. `configurations.all`. */
  readonly names: readonly string[]
  readonly positional: readonly Expression[]
  readonly keywordArgs: readonly Entry[]
  readonly closure: readonly Statement[] | undefined
  /** Parameters of the closure. */
  readonly parameters: readonly string[]
  /** Type arguments: `apply<Plugin>()`. */
  readonly types: readonly string[]
  readonly tokens: TokenRange
  /** Calls on the result: `id('x') version '1'`, `a('x').exclude(…)`. */
  readonly chained: readonly Call[]
  readonly line: number
}

/** Indexes into the script's tokens. */
export interface TokenRange {
  readonly from: number
  /** Index after the last called name. */
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

/** Returns the block after the call, or in its last argument. */
export function closureOf({ closure, positional }: Call): readonly Statement[] {
  const last = positional.at(-1)
  return closure ?? (last?.kind === 'closure' ? last.statements : [])
}

/** Returns the statements that are calls. */
export function callsIn(statements: readonly Statement[]): Call[] {
  return statements.flatMap(({ kind, value }) => (kind === 'expression' && value.kind === 'call' ? [value] : []))
}

/** Returns the parameters of that block. */
export function parametersOf({ closure, parameters, positional }: Call): readonly string[] {
  const last = positional.at(-1)
  return closure === undefined && last?.kind === 'closure' ? last.parameters : parameters
}
