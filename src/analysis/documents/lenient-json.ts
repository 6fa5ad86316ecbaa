const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44

/**
 * Replaces what Bun accepts and JSON does not allow by spaces, so that every other character keeps its place: comments,
 * and commas before closing brackets.
 */
export function toPlainJson(text: string): string {
  return withoutTrailingCommas(withoutComments(text))
}

const STRING_OR_COMMENT = /"(?:[^"\\]|\\[\s\S])*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

/** Replaces comments by spaces, so that every other character keeps its place. */
export function withoutComments(text: string): string {
  return text.replace(STRING_OR_COMMENT, (part) => (part.startsWith('"') ? part : part.replace(/[^\n]/g, ' ')))
}

function withoutTrailingCommas(text: string): string {
  const parts: string[] = []
  let done = 0
  let comma = -1
  let before = COMMA
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= 32) continue
    if (code === QUOTE) at = endOfString(text, at)
    else if ((code === 125 || code === 93) && comma !== -1) {
      parts.push(text.slice(done, comma), ' ')
      done = comma + 1
    }
    // A comma without a value before it stays, and is a fault.
    comma = code === COMMA && before !== COMMA && before !== 91 && before !== 123 ? at : -1
    before = code
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(done)
}

/** Returns the offset of the quote that closes a string, or that of the last character. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return text.length
}
