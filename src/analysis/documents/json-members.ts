/** A member of a JSON object with its place in the text. */
export interface JsonMember {
  readonly key: string
  /** Offset of the key's quote. */
  readonly at: number
  /** Offsets of the value, quotes included. */
  readonly start: number
  readonly end: number
}

const BRACKETS = /["{}[\]]/g
const SPACE = /\s*/y
const PLAIN = /[^\s,{}[\]"]*/y

/**
 * Returns the members of the object at a path of keys, in order. The text must be JSON, possibly with trailing commas;
 * for other text, members may be missing. On the path the first of equal keys counts.
 */
export function membersOf(text: string, path: readonly string[]): JsonMember[] {
  let start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0)
  for (const key of path) {
    const inner = readMembers(text, start, key).find((member) => member.key === key)
    if (inner === undefined) return []
    start = inner.start
  }
  return readMembers(text, start)
}

/** Returns the members of an object that is a member itself; none for other values. */
export function membersIn(text: string, { start }: JsonMember): JsonMember[] {
  return readMembers(text, start)
}

/** Returns the string value of a member, if it has no escapes, and its offsets. */
export function textOfMember(text: string, { start, end }: JsonMember) {
  if (text[start] !== '"') return undefined
  const inner = { text: text.slice(start + 1, end - 1), start: start + 1, end: end - 1 }
  return inner.text.includes('\\') ? undefined : inner
}

/** Stops after a key, if one is wanted. */
function readMembers(text: string, opening: number, stopKey?: string): JsonMember[] {
  const members: JsonMember[] = []
  if (text[opening] !== '{') return members
  for (let at = skipSpace(text, opening + 1); text[at] === '"'; at = skipSpace(text, at)) {
    const keyEnd = endOfString(text, at)
    const colon = skipSpace(text, keyEnd)
    const key = toKey(text.slice(at, keyEnd))
    if (text[colon] !== ':' || key === undefined) return members
    const start = skipSpace(text, colon + 1)
    const end = endOfValue(text, start)
    if (end <= start) return members
    members.push({ key, at, start, end })
    at = skipSpace(text, end)
    if (key === stopKey || text[at] !== ',') return members
    at++
  }
  return members
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start)
  if (text[start] !== '{' && text[start] !== '[') {
    PLAIN.lastIndex = start
    return start + (PLAIN.exec(text)?.[0].length ?? 0)
  }
  let depth = 0
  BRACKETS.lastIndex = start
  for (let bracket = BRACKETS.exec(text); bracket !== null; bracket = BRACKETS.exec(text)) {
    if (bracket[0] === '"') BRACKETS.lastIndex = endOfString(text, bracket.index)
    else if (bracket[0] === '{' || bracket[0] === '[') depth++
    else if (--depth === 0) return bracket.index + 1
  }
  return text.length
}

/** Returns the offset after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}

function skipSpace(text: string, start: number): number {
  SPACE.lastIndex = start
  return start + (SPACE.exec(text)?.[0].length ?? 0)
}

function toKey(quoted: string): string | undefined {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    const key: unknown = JSON.parse(quoted)
    return typeof key === 'string' ? key : undefined
  } catch {
    return undefined
  }
}
