import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Expression } from './syntax.ts'
import type { SentFile, Token } from './tokens.ts'

/** The rules that other rules recur to, so that no file of rules imports a file that imports it. */
export interface Grammar {
  parseExpression(cursor: TokenCursor): Expression
  parseBlock(cursor: TokenCursor): Expression
}

const closing: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['{', '}'],
  ['[', ']'],
])
const endsType = new Set(['if', 'match', 'else', 'then'])
const typeSigns = new Set(['#', '*', '|', '&', '<:', '>:', '?', '@'])

/** A position in the tokens of a file, shared by the parsers. */
export class TokenCursor {
  readonly grammar: Grammar
  readonly file: SentFile
  at = 0
  /** Nesting depth of expressions. */
  depth = 0
  /** Names of `_` that no function has bound yet. */
  readonly placeholders: string[] = []
  /** Start of the current statement. */
  statementAt = 0
  private readonly tokens: readonly Token[]
  private readonly partners: ReadonlyMap<number, number>
  private readonly open: string[] = ['{']

  /** Throws `Unreadable` for unbalanced brackets. */
  constructor(tokens: readonly Token[], { file, grammar }: Pick<TokenCursor, 'file' | 'grammar'>) {
    this.file = file
    this.grammar = grammar
    this.tokens = tokens
    this.partners = pairUp(tokens, file)
  }

  /** True if the innermost open bracket is a brace, in which newlines count. */
  get isInBraces(): boolean {
    return this.open.at(-1) === '{'
  }

  /** False on the highest level of a file. */
  get isInBlock(): boolean {
    return this.open.length > 1 && this.isInBraces
  }

  peek(ahead = 0): Token | undefined {
    return this.tokens[this.at + ahead]
  }

  next(): Token | undefined {
    return this.tokens[this.at++]
  }

  isSign(value: string, ahead = 0): boolean {
    return this.is('sign', value, ahead)
  }

  isOperator(value: string, ahead = 0): boolean {
    return this.is('operator', value, ahead)
  }

  isWord(value: string, ahead = 0): boolean {
    return this.is('name', value, ahead)
  }

  private is(kind: Token['kind'], value: string, ahead: number): boolean {
    const token = this.peek(ahead)
    return token?.kind === kind && token.value === value
  }

  /** Consumes the sign and returns its line. Throws `NotUnderstood` for another token. */
  expectSign(value: string): number {
    const token = this.peek()
    if (token === undefined || !this.isSign(value)) throw unexpected(token, value)
    this.at++
    return token.line
  }

  /** Parses the content of brackets of that kind. */
  inside<T>(bracket: '(' | '{', read: () => T): T {
    const { length } = this.open
    this.open.push(bracket)
    try {
      return read()
    } finally {
      this.open.length = length
    }
  }

  /** Parses one level deeper. Throws `NotUnderstood` beyond the limit. */
  deeper<T>(limit: number, read: () => T): T {
    if (this.depth >= limit) throw new NotUnderstood(`Expressions exceed the depth limit of ${limit}`)
    this.depth++
    try {
      return read()
    } finally {
      this.depth--
    }
  }

  /** Returns true at the start of a statement: on a new line, where newlines count. */
  beginsStatement(): boolean {
    const token = this.peek()
    return token?.isFirst === true && this.isInBraces && token.value !== '.'
  }

  /** Skips the brackets that begin here. */
  skipBrackets(): void {
    this.at = (this.partners.get(this.at) ?? this.at) + 1
  }

  /** Skips `[…]` if present. */
  skipTypeArguments(): void {
    if (this.isSign('[')) this.skipBrackets()
  }

  skipType(): void {
    if (this.isOperator('=>')) this.at++
    for (let token = this.peek(); token !== undefined; token = this.peek()) {
      if (token.kind === 'sign' && '(['.includes(token.value)) this.skipBrackets()
      else if (['name', 'text', 'number'].includes(token.kind) && !endsType.has(token.value)) this.at++
      else return
      while (this.isSign('[')) this.skipBrackets()
      const after = this.peek()
      const isJoint =
        this.isWord('with') ||
        this.isSign('.') ||
        (after?.kind === 'operator' && (typeSigns.has(after.value) || (after.value === '=>' && !this.isInBraces)))
      if (!isJoint) return
      this.at++
    }
  }

  /** Skips the type of a definition, possibly a function type. */
  skipDefinedType(): void {
    this.inside('(', () => this.skipType())
  }

  /** Skips to the comma or bracket that ends the argument. */
  skipArgument(begin: number): void {
    this.skipUntil(begin, ({ kind, value }) => kind === 'sign' && value === ',')
  }

  /** Skips to the end of the statement, judged by newlines and brackets alone. */
  skipStatement(begin: number): void {
    this.skipUntil(
      begin,
      (token) =>
        this.isInBraces &&
        ((this.at > begin && token.isFirst && !continues(token)) || (token.kind === 'sign' && token.value === ';')),
    )
  }

  /** Skips to the token or the closing bracket that ends something. */
  skipUntil(begin: number, isEnd: (token: Token) => boolean): void {
    this.at = begin
    for (let token = this.peek(); token !== undefined && !isEnd(token); token = this.peek()) {
      if (token.kind === 'sign' && ')]}'.includes(token.value)) return
      if (token.kind === 'sign' && closing.has(token.value)) this.skipBrackets()
      else this.at++
    }
  }
}

/** A statement that is not understood: it is reported, and the rest of the file is read. */
export class NotUnderstood extends Error {}

export function unexpected(token: Token | undefined, expected?: string): NotUnderstood {
  const instead = expected === undefined ? '' : `; expected ${expected}`
  return new NotUnderstood(token === undefined ? 'Unexpected end of the file' : `Unexpected ${token.value}${instead}`)
}

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
        const instead = expected === undefined ? '' : `; expected ${expected}`
        throw new Unreadable(`Unmatched ${value}${instead}`, { file, line })
      }
      partners.set(opened!, index)
    }
  }
  const left = open.at(-1)
  if (left === undefined) return partners
  const { value, line } = tokens[left]!
  throw new Unreadable(`Unclosed ${value}`, { file, line })
}
