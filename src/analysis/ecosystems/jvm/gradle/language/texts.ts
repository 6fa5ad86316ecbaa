/** Literal characters, or the source of an embedded expression. */
export type TextPart = { readonly text: string } | { readonly source: string }

export interface FoundText {
  readonly parts: readonly TextPart[]
  readonly end: number
}

/** Longest embedded expression; longer text is none. */
const MAX_EXPRESSION_CHARACTERS = 500
const NAME_START = /[\p{L}_$]/u

/**
 * Creates a reader of the quoted texts of a script. The reader returns undefined for a text that does not end (on its
 * line, for single quotes).
 *
 * The quotes within such a text are tried as beginnings of their own. The reader remembers where it continued after
 * escapes and expressions, since from there the same text would be read to the same missing end for each quote.
 */
export function createTextReader(text: string): (start: number) => FoundText | undefined {
  const endless = new Map<string, Uint8Array>()
  return (start) => {
    const quote = text[start]!
    const grows = quote === '"'
    const closing = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote

    const isEndless = endless.get(closing)
    const resumedAt: number[] = []
    const parts: TextPart[] = []
    let literal = ''
    let at = start + closing.length
    const resume = (next: number): void => {
      resumedAt.push(next)
      at = next
    }
    const cut = (source: string, next: number): void => {
      parts.push({ text: literal }, { source })
      literal = ''
      resume(next)
    }
    while (at < text.length && isEndless?.[at] !== 1) {
      const character = text[at]!
      // The last three of several quotes in a row close the text.
      const isClosed = text.startsWith(closing, at) && (closing.length === 1 || text[at + 3] !== quote)
      if (isClosed) return { parts: [...parts, { text: literal }], end: at + closing.length }
      if (character === '\n' && closing.length === 1) break
      if (character === '\\' && closing.length === 1) {
        literal += toCharacter(text[at + 1] ?? '')
        resume(at + 2)
      } else if (grows && text.startsWith('${', at)) {
        const end = endOfBraces(text, at + 1)
        if (end < 0) break
        cut(text.slice(at + 2, end), end + 1)
      } else if (grows && character === '$' && NAME_START.test(text[at + 1] ?? '')) {
        const end = endOfPath(text, at + 1)
        cut(text.slice(at + 1, end), end)
      } else {
        literal += character
        at++
      }
    }
    if (resumedAt.length > 0) {
      const marks = isEndless ?? new Uint8Array(text.length + 2)
      endless.set(closing, marks)
      for (const position of resumedAt) marks[position] = 1
    }
    return undefined
  }
}

/** Groovy continues through dots: `$versions.spring`. */
function endOfPath(text: string, start: number): number {
  let end = endWhile(text, start, /[\p{L}\p{N}_]/u)
  while (text[end] === '.' && NAME_START.test(text[end + 1] ?? '')) end = endWhile(text, end + 1, /[\p{L}\p{N}_]/u)
  return end
}

export function endWhile(text: string, start: number, allowed: RegExp): number {
  let end = start
  while (end < text.length && allowed.test(text[end]!)) end++
  return end
}

function toCharacter(character: string): string {
  return character === 'n' ? '\n' : character === 't' ? '\t' : character
}

function endOfBraces(text: string, start: number): number {
  let depth = 0
  const last = Math.min(text.length, start + MAX_EXPRESSION_CHARACTERS)
  for (let at = start; at < last && text[at] !== '\n'; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return at
  }
  return -1
}
