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
  const pause = createSlices()
  const parts: string[] = []
  for (const [name, value] of Object.entries(content)) {
    if (value === undefined) continue
    parts.push(`${parts.length === 0 ? '' : ','}${JSON.stringify(name)}:`)
    if (!(value instanceof LongList)) {
      parts.push(JSON.stringify(value))
      continue
    }
    let separator = '['
    for (const item of value) {
      await pause()
      parts.push(separator, JSON.stringify(item))
      separator = ','
    }
    parts.push(separator === '[' ? '[]' : ']')
  }
  return ['{', ...parts, '}']
}
