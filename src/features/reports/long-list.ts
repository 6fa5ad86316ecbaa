import { createSlices } from '#foundation/slices.ts'

/** A list of a document whose items are created while they are written. */
export class LongList<T = unknown> implements Iterable<T> {
  readonly #make: () => Iterable<T>

  constructor(make: () => Iterable<T>) {
    this.#make = make
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#make()[Symbol.iterator]()
  }

  toJSON(): T[] {
    return [...this]
  }
}

export type Content = Readonly<Record<string, unknown>>

/** Writes the JSON of a document in slices, so that other requests continue: a project may have 50,000 packages. */
export async function writeJson(content: Content): Promise<string[]> {
  return ['{', ...(await Array.fromAsync(listMembers(content))), '}']
}

/** Characters in a piece of a document that is sent while it is written. */
const PIECE_LENGTH = 64 * 1024

/** Writes a document in pieces, without holding more than one. */
export async function* streamJson(content: Content): AsyncGenerator<string> {
  let piece = '{'
  for await (const part of listMembers(content)) {
    piece += part
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  yield `${piece}}\n`
}

/** Yields the members of a document; an iterable of items is written as a list. */
async function* listMembers(content: Content): AsyncGenerator<string> {
  const pause = createSlices()
  let isFirst = true
  for (const [name, value] of Object.entries(content)) {
    if (value === undefined) continue
    yield `${isFirst ? '' : ','}${JSON.stringify(name)}:`
    isFirst = false
    if (!isLong(value)) {
      yield JSON.stringify(value)
      continue
    }
    let separator = '['
    for await (const item of value) {
      await pause()
      yield separator + JSON.stringify(item)
      separator = ','
    }
    yield separator === '[' ? '[]' : ']'
  }
}

function isLong(value: unknown): value is LongList | AsyncIterable<unknown> {
  return value instanceof LongList || (typeof value === 'object' && value !== null && Symbol.asyncIterator in value)
}
