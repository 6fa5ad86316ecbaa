import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Expression } from './syntax.ts'
import type { SentFile, Token } from './tokens.ts'

/** The rules that other rules recur to, so that no file of rules imports a file that imports it. */
export interface Grammar {
  parseExpression(cursor: TokenCursor): Expression
  parseInfix(cursor: TokenCursor, least: number): Expression
  parseSelections(cursor: TokenCursor): Expression
  parseBlock(cursor: TokenCursor): Expression
}

/** A position in the tokens of a file, shared by the parsers. */
export interface TokenCursor {
  readonly grammar: Grammar
  readonly file: SentFile
  readonly at: number
  /** Nesting depth of expressions. */
  depth: number
  /** Number of `_` placeholders not yet bound by a function. */
  placeholders: number
  /** Start of the current statement. */
  statementAt: number
  /** True if the innermost open bracket is a brace, in which newlines count. */
  readonly isInBraces: boolean
  /** False on the highest level of a file. */
  readonly isInBlock: boolean
  peek(ahead?: number): Token | undefined
  next(): Token | undefined
  isSign(value: string, ahead?: number): boolean
  isOperator(value: string, ahead?: number): boolean
  isWord(value: string, ahead?: number): boolean
  /** Consumes the sign and returns its line. Throws `NotUnderstood` for another token. */
  expectSign(value: string): number
  /** Parses the content of brackets of that kind. */
  inside<T>(open: '(' | '{' | '[', read: () => T): T
  /** Returns true at the start of a statement: on a new line, where newlines count. */
  beginsStatement(): boolean
  skipType(): void
  /** Skips the type of a definition, possibly a function type. */
  skipDefinedType(): void
  /** Skips `[…]` if present. */
  skipTypeArguments(): void
  /** Skips to the comma or bracket that ends the argument. */
  skipArgument(begin: number): void
  /** Skips to the end of the statement, judged by newlines and brackets alone. */
  skipStatement(begin: number): void
  /** Returns the error for a premature end. */
  tooShort(): NotUnderstood
}

const closing: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['{', '}'],
  ['[', ']'],
])

/** Creates a cursor. Throws `Unreadable` for unbalanced brackets. */
export function createCursor(
  tokens: readonly Token[],
  { file, grammar }: Pick<TokenCursor, 'file' | 'grammar'>,
): TokenCursor {
  const partners = pairUp(tokens, file)
  const open: string[] = ['{']
  let at = 0
  const is = (kind: Token['kind'], value: string, ahead = 0) => {
    const token = tokens[at + ahead]
    return token?.kind === kind && token.value === value
  }
  const tooShort = () => new NotUnderstood('An expression ends too early')
  const skipTypeArguments = () => {
    const end = is('sign', '[') ? partners.get(at) : undefined
    if (end !== undefined) at = end + 1
  }

  const cursor: TokenCursor = {
    grammar,
    file,
    depth: 0,
    placeholders: 0,
    statementAt: 0,
    get at() {
      return at
    },
    get isInBraces() {
      return open.at(-1) === '{'
    },
    get isInBlock() {
      return open.length > 1 && open.at(-1) === '{'
    },
    peek: (ahead = 0) => tokens[at + ahead],
    next: () => tokens[at++],
    isSign: (value, ahead) => is('sign', value, ahead),
    isOperator: (value, ahead) => is('operator', value, ahead),
    isWord: (value, ahead) => is('name', value, ahead),
    expectSign(value) {
      const token = tokens[at]
      if (token === undefined) throw tooShort()
      if (!is('sign', value)) throw new NotUnderstood(`${token.value} stands where ${value} is expected`)
      at++
      return token.line
    },
    inside(bracket, read) {
      open.push(bracket)
      const { length } = open
      try {
        return read()
      } finally {
        open.length = length - 1
      }
    },
    beginsStatement: () => tokens[at]?.isFirst === true && cursor.isInBraces && tokens[at]?.value !== '.',
    skipTypeArguments,
    skipType() {
      if (is('operator', '=>')) at++
      for (;;) {
        const token = tokens[at]
        if (token === undefined) return
        if (token.kind === 'sign' && '(['.includes(token.value)) at = partners.get(at)! + 1
        else if (['name', 'text', 'number'].includes(token.kind) && !endsType.has(token.value)) at++
        else return
        while (is('sign', '[')) skipTypeArguments()
        const after = tokens[at]
        if (after === undefined) return
        const isJoint =
          after.value === 'with' ||
          (after.kind === 'sign' && after.value === '.') ||
          (after.kind === 'operator' && typeSigns.has(after.value)) ||
          (after.kind === 'operator' && after.value === '=>' && !cursor.isInBraces)
        if (!isJoint) return
        at++
      }
    },
    skipDefinedType() {
      cursor.inside('(', () => cursor.skipType())
    },
    skipArgument(begin) {
      for (at = begin; at < tokens.length; at++) {
        const { kind, value } = tokens[at]!
        if (kind !== 'sign') continue
        if (',)]}'.includes(value)) return
        if ('([{'.includes(value)) at = partners.get(at)!
      }
    },
    skipStatement(begin) {
      at = begin
      const first = begin
      for (; at < tokens.length; at++) {
        const token = tokens[at]!
        if (at > first && token.isFirst && cursor.isInBraces && !continues(token)) return
        if (token.kind !== 'sign') continue
        if (token.value === ';' && cursor.isInBraces) return
        if (')]}'.includes(token.value)) return
        if ('([{'.includes(token.value)) at = partners.get(at)!
      }
    },
    tooShort,
  }
  return cursor
}

/** A statement that is not understood: it is reported, and the rest of the file is read. */
export class NotUnderstood extends Error {}

const endsType = new Set(['if', 'match', 'else', 'then'])
const typeSigns = new Set(['#', '*', '|', '&', '<:', '>:', '?', '@'])

function continues({ kind, value }: Token): boolean {
  return (kind === 'sign' && value === '.') || value === 'else' || value === 'yield' || value === 'extends'
}

/** Maps each opening bracket to its closing one. */
function pairUp(tokens: readonly Token[], file: SentFile): Map<number, number> {
  const partners = new Map<number, number>()
  const open: number[] = []
  for (const [index, { kind, value, line }] of tokens.entries()) {
    if (kind !== 'sign') continue
    if (closing.has(value)) open.push(index)
    else if (')]}'.includes(value)) {
      const opened = open.pop()
      const expected = opened === undefined ? undefined : closing.get(tokens[opened]!.value)
      if (expected !== value) {
        const what =
          expected === undefined ? `A ${value} closes nothing` : `A ${value} stands where ${expected} is missing`
        throw new Unreadable(what, { file, line })
      }
      partners.set(opened!, index)
    }
  }
  const left = open.at(-1)
  if (left === undefined) return partners
  const { value, line } = tokens[left]!
  throw new Unreadable(`The ${value} here is never closed`, { file, line })
}
