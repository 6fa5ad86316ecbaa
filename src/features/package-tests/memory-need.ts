/**
 * What one character of JSON can cost once it is parsed, at most: measured with `JSON.parse` of lists that only nest
 * (28 bytes a character), of `{}` in lists and of objects with numbers for names (24).
 */
export const MAX_BYTES_PER_CHARACTER = 32

/** What a thread holds besides the test. */
const OWN_BYTES = 24 * 1024 * 1024

const costs = new Uint8Array(128).fill(2)
for (const opening of '{[') costs[opening.charCodeAt(0)] = 64
costs[':'.charCodeAt(0)] = 160
for (const separator of ',\n') costs[separator.charCodeAt(0)] = 14

/**
 * Whether texts can be parsed in a thread with that much memory. V8 ends a thread that runs out of memory, but aborts
 * the whole process when that happens inside of `JSON.parse`, so that what might not fit is refused before.
 */
export function fitsInMemory(texts: readonly string[], memoryMb: number): boolean {
  const room = memoryMb * 1024 * 1024 - OWN_BYTES
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  if (characters * MAX_BYTES_PER_CHARACTER <= room) return true
  return texts.reduce((sum, text) => sum + costOf(text), 0) <= room
}

/** An upper bound from the characters that begin or separate values; too high for those inside of strings. */
function costOf(text: string): number {
  let cost = 0
  for (let index = 0; index < text.length; index++) cost += costs[text.charCodeAt(index)] ?? 4
  return cost
}
