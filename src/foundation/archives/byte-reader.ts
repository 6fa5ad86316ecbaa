/** Reads a stream in blocks of given lengths. */
export interface ByteReader {
  /** Reads exactly `length` bytes; fewer only at the end. */
  read(length: number): Promise<Buffer>
  /** Skips up to `length` bytes and returns how many were skipped. */
  skip(length: number): Promise<number>
}

export function createByteReader(chunks: AsyncIterable<Buffer>): ByteReader {
  const iterator = chunks[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)

  async function fill(): Promise<boolean> {
    const { done, value } = await iterator.next()
    if (done) return false
    buffered = value as Buffer
    return true
  }

  function take(length: number): Buffer {
    const taken = buffered.subarray(0, length)
    buffered = buffered.subarray(taken.length)
    return taken
  }

  return {
    async read(length) {
      if (buffered.length >= length) return take(length)
      const parts = [take(length)]
      let missing = length - parts[0]!.length
      while (missing > 0 && (await fill())) {
        const part = take(missing)
        missing -= part.length
        parts.push(part)
      }
      return Buffer.concat(parts)
    },
    async skip(length) {
      let missing = length - take(length).length
      while (missing > 0 && (await fill())) missing -= take(missing).length
      return length - missing
    },
  }
}
