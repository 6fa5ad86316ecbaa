import type { SentSubject, StoredSubject } from './task.ts'

/**
 * Upper bound of bytes per character of parsed JSON: measured with `JSON.parse` of nested lists (28 bytes per
 * character), of `{}` in lists and of objects with numeric names (24).
 */
export const MAX_BYTES_PER_CHARACTER = 32

/** Memory that a thread uses besides its test, in bytes. */
const OWN_BYTES = 24 * 1024 * 1024

const costs = new Uint8Array(128).fill(2)
for (const opening of '{[') costs[opening.charCodeAt(0)] = 64
costs[':'.charCodeAt(0)] = 160
for (const separator of ',\n') costs[separator.charCodeAt(0)] = 14

/**
 * Returns true if texts can be parsed within a thread's memory. V8 ends a thread that runs out of memory, but aborts
 * the process if that happens in `JSON.parse`, so texts that might not fit are refused beforehand.
 */
export function fitsInMemory(texts: readonly string[], memoryMb: number): boolean {
  const room = memoryMb * 1024 * 1024 - OWN_BYTES
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  if (characters * MAX_BYTES_PER_CHARACTER <= room) return true
  return texts.reduce((sum, text) => sum + costOf(text), 0) <= room
}

/** Upper bound of bytes per value of parsed JSON, from the same measurement. */
const BYTES_PER_VALUE = 64

/** Returns true if unparsed JSON can be parsed within a thread's memory while its text is also in memory. */
export function fitsUnparsed({ bytes, values }: { bytes: Uint8Array; values: number }, memoryMb: number): boolean {
  return bytes.length * 3 + values * BYTES_PER_VALUE <= memoryMb * 1024 * 1024 - OWN_BYTES
}

/** A node of a graph takes more memory than its text: the shortest is `{"nodeId":"1"},`. */
const CHARACTERS_PER_BYTE_OF_GRAPH = 7
/** The same for each JSON value; a node has two. */
const CHARACTERS_PER_VALUE_OF_GRAPH = 50

/** Returns the weight of unparsed JSON, in characters of a file. */
export function charactersOfUnparsed(subject: SentSubject | StoredSubject): number {
  if (subject.kind === 'stored') {
    return isStoredGraph(subject.bytes) ? subject.bytes.length * CHARACTERS_PER_BYTE_OF_GRAPH : subject.bytes.length
  }
  const { bytes, values } = subject.json
  return subject.as === 'files' ? bytes.length : Math.max(bytes.length, values * CHARACTERS_PER_VALUE_OF_GRAPH)
}

const GRAPH = new TextEncoder().encode('{"kind":"dep-graph"')

function isStoredGraph(bytes: Uint8Array): boolean {
  return GRAPH.every((byte, at) => bytes[at] === byte)
}

/** Returns an upper bound from the characters that begin or separate values; it also counts those inside strings. */
function costOf(text: string): number {
  let cost = 0
  for (let index = 0; index < text.length; index++) cost += costs[text.charCodeAt(index)] ?? 4
  return cost
}
