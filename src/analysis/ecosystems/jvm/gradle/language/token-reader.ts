import type { Expression } from './expressions.ts'
import type { TextPart } from './texts.ts'
import type { Token } from './tokens.ts'

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Reads the tokens of a script from left to right. */
export class TokenReader {
  protected readonly tokens: readonly Token[]
  protected at = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  protected peek(ahead = 0): Token | undefined {
    return this.tokens[this.at + ahead]
  }

  protected isSign(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token?.kind === 'sign' && token.text === text
  }

  protected isName(ahead = 0): boolean {
    return this.peek(ahead)?.kind === 'name'
  }

  /** Returns an empty text unless a name stands there. */
  protected nameAt(ahead = 0): string {
    const token = this.peek(ahead)
    return token?.kind === 'name' ? token.text : ''
  }

  protected line(): number {
    return this.peek()?.line ?? this.tokens.at(-1)?.line ?? 1
  }

  protected isEnd(): boolean {
    return this.peek() === undefined || this.peek()?.kind === 'break' || this.isSign('}') || this.isSign(';')
  }

  protected skipBreaks(): void {
    while (this.peek()?.kind === 'break' || this.isSign(';') || this.isSign(',')) this.at++
  }

  protected skipLineBreaks(): void {
    while (this.peek()?.kind === 'break') this.at++
  }

  protected advance(): void {
    this.at++
    this.skipLineBreaks()
  }

  /** Returns the closing sign of the bracket here; undefined when none opens here. */
  protected closingSign(): string | undefined {
    const token = this.peek()
    return token?.kind === 'sign' ? CLOSING[token.text] : undefined
  }

  /** Skips to the end of the line or the enclosing bracket; parses blocks on the way. */
  protected rest(closing?: string): Expression {
    const from = this.line()
    const words: string[] = []
    const open: string[] = []
    for (; this.at < this.tokens.length; this.at++) {
      const token = this.peek()!
      if (open.length === 0) {
        if (token.kind === 'break' || this.isSign(';')) break
        if (token.kind === 'sign' && (token.text === closing || [')', ']', '}'].includes(token.text))) break
        if (this.isSign('{') && words.length > 0) break
      }
      const closingSign = this.closingSign()
      if (closingSign !== undefined) open.push(closingSign)
      else if (token.kind === 'sign' && token.text === open.at(-1)) open.pop()
      if (words.length < 40) words.push(token.kind === 'text' ? `"${plainText(token.parts)}"` : token.text)
    }
    return { kind: 'other', text: words.join(' ').replace(/\n/g, ' ').trim(), line: from }
  }
}

/** Returns an empty text for a text with placeholders at its beginning. */
export function plainText(parts: readonly TextPart[]): string {
  const [only] = parts
  return only !== undefined && 'text' in only ? only.text : ''
}
