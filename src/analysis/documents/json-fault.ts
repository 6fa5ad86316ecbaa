type Expectation = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or close' | 'end'

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y
const stringEnd = /["\\\p{Cc}]/gu
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * Returns the offset of the first invalid JSON character (RFC 8259), the text length if it ends too early, undefined for valid
 * JSON. Used in messages: the engine's errors often lack a position.
 */
export function findJsonFault(text: string): number | undefined {
  const open: string[] = []
  let expected: Expectation = 'value'
  let at = 0
  while (true) {
    at = skipBlanks(text, at)
    const character = text[at]
    if (character === undefined) return expected === 'end' ? undefined : at
    if (character === '"' && (expected === 'key' || expected === 'key or }')) {
      const end = endOfString(text, at)
      if (!end.closed) return end.at
      at = end.at
      expected = 'colon'
    } else if (expected === 'value' || (expected === 'value or ]' && character !== ']')) {
      if (character === '{' || character === '[') {
        open.push(character)
        expected = character === '{' ? 'key or }' : 'value or ]'
        at++
        continue
      }
      const end = endOfScalar(text, at)
      if (!end.closed) return end.at
      at = end.at
      expected = open.length === 0 ? 'end' : 'comma or close'
    } else if (character === ':' && expected === 'colon') {
      expected = 'value'
      at++
    } else if (character === ',' && expected === 'comma or close') {
      expected = open.at(-1) === '{' ? 'key' : 'value'
      at++
    } else if (closes(character, expected, open.at(-1))) {
      open.pop()
      expected = open.length === 0 ? 'end' : 'comma or close'
      at++
    } else return at
  }
}

/** Returns true if brackets nest deeper than `limit`. The text need not be JSON. */
export function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at).at - 1
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > limit) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

function closes(character: string, expected: Expectation, opened: string | undefined): boolean {
  if (character === '}') return opened === '{' && (expected === 'key or }' || expected === 'comma or close')
  return character === ']' && opened === '[' && (expected === 'value or ]' || expected === 'comma or close')
}

function skipBlanks(text: string, start: number): number {
  let at = start
  while (at < text.length && ' \t\r\n'.includes(text[at]!)) at++
  return at
}

function endOfScalar(text: string, start: number): { at: number; closed: boolean } {
  if (text[start] === '"') return endOfString(text, start)
  for (const pattern of [number, word]) {
    pattern.lastIndex = start
    if (pattern.test(text)) return { at: pattern.lastIndex, closed: true }
  }
  return { at: start, closed: false }
}

function endOfString(text: string, start: number): { at: number; closed: boolean } {
  let at = start + 1
  while (true) {
    stringEnd.lastIndex = at
    const match = stringEnd.exec(text)
    if (match === null) return { at: text.length, closed: false }
    if (match[0] === '"') return { at: match.index + 1, closed: true }
    if (match[0] !== '\\' && match[0] >= ' ') {
      at = match.index + 1
      continue
    }
    escaped.lastIndex = match.index
    if (!escaped.test(text)) return { at: match.index, closed: false }
    at = escaped.lastIndex
  }
}
