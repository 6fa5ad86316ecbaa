import { Unreadable } from '#analysis/documents/unreadable.ts'
import { createTextReader, endWhile, type TextPart } from './texts.ts'

/** A token of a build script. Newlines are kept, other space and comments are not. */
export type Token = {
  readonly line: number
  /** True if it directly follows the token before. */
  readonly isGlued: boolean
} & TokenContent

type TokenContent =
  | { readonly kind: 'name' | 'number' | 'sign' | 'break'; readonly text: string }
  | { readonly kind: 'text'; readonly parts: readonly TextPart[] }

export interface ScriptSource {
  readonly file: 'target' | number
  readonly text: string
}

const MAX_TOKENS = 1_000_000
/** Longest first. */
const SIGNS = ['<<', '+=', '++', '?:', '?.', '->', '==', '!=', '!!', '&&', '||', '::']
const NAME_START = /[\p{L}_$]/u
const NAME_PARTS = /[\p{L}\p{N}_$]*/uy

/**
 * Splits a Groovy or Kotlin script into tokens, as far as build scripts use these languages. Does not
 * distinguish Groovy's slashy strings from divisions, or keywords from names.
 */
export function tokenize(source: ScriptSource): Token[] {
  const { file, text } = source
  const tokens: Token[] = []
  let line = 1
  let nextBreak = text.indexOf('\n')
  let tokenEnd = -1
  const readText = createTextReader(text)
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  if (text.startsWith('#!', at)) at = endOfLine(text, at)

  const skipTo = (end: number): void => {
    for (; nextBreak >= 0 && nextBreak < end; nextBreak = text.indexOf('\n', nextBreak + 1)) line++
    at = end
  }
  const push = (token: TokenContent, end: number): void => {
    if (tokens.length === MAX_TOKENS) throw new Unreadable(`The file has more than ${MAX_TOKENS} words`, { file, line })
    tokens.push({ ...token, line, isGlued: tokenEnd === at })
    skipTo(end)
    tokenEnd = end
  }

  while (at < text.length) {
    const character = text[at]!
    if (character === '\n') push({ kind: 'break', text: '\n' }, at + 1)
    else if (character === '\\' && /^\r?\n/.test(text.slice(at + 1, at + 3))) skipTo(text.indexOf('\n', at) + 1)
    else if (/\s/.test(character)) at++
    else if (text.startsWith('//', at)) at = endOfLine(text, at)
    else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      if (end < 0) push({ kind: 'sign', text: '/*' }, text.length)
      else skipTo(end + 2)
    } else if (character === '"' || character === "'") {
      const text = readText(at)
      if (text === undefined) push({ kind: 'sign', text: character }, at + 1)
      else push({ kind: 'text', parts: text.parts }, text.end)
    } else if (character === '`') {
      const end = text.indexOf('`', at + 1)
      push({ kind: 'name', text: text.slice(at + 1, end < 0 ? text.length : end) }, end < 0 ? text.length : end + 1)
    } else if (NAME_START.test(character)) {
      const end = endOfName(text, at + 1)
      push({ kind: 'name', text: text.slice(at, end) }, end)
    } else if (/\d/.test(character)) {
      const end = endWhile(text, at + 1, /[\w.]/)
      push({ kind: 'number', text: text.slice(at, end) }, end)
    } else {
      const sign = SIGNS.find((sign) => text.startsWith(sign, at)) ?? character
      push({ kind: 'sign', text: sign }, at + sign.length)
    }
  }
  return tokens
}

/** Returns a name, or a text without placeholders. */
export function wordOf(token: Token | undefined): string | undefined {
  if (token?.kind === 'name') return token.text
  if (token?.kind !== 'text' || token.parts.length !== 1) return undefined
  const [only] = token.parts
  return only !== undefined && 'text' in only ? only.text : undefined
}

/** Returns the sign or line break at an index; empty for other tokens. */
export function signAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at]
  return token?.kind === 'sign' || token?.kind === 'break' ? token.text : ''
}

interface PlacedToken {
  readonly token: Token
  readonly at: number
  /** The words before the braces around it, outermost first. */
  readonly blocks: readonly string[]
}

/** Yields the tokens with the blocks around them; `blocks` is valid until the next token. */
export function* withBlocks(tokens: readonly Token[]): Generator<PlacedToken> {
  const blocks: string[] = []
  for (const [at, token] of tokens.entries()) {
    const sign = token.kind === 'sign' ? token.text : ''
    if (sign === '{') blocks.push(wordOf(tokens[at - 1]) ?? '')
    if (sign === '}') blocks.pop()
    yield { token, at, blocks }
  }
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

/** Reads a name at once: a test of each character takes several times as long. */
function endOfName(text: string, start: number): number {
  NAME_PARTS.lastIndex = start
  NAME_PARTS.test(text)
  return NAME_PARTS.lastIndex
}
