/** A source of numbers that a seed decides. */
export interface Random {
  /** An integer from 0 up to, not including, that limit. */
  below(limit: number): number
  pick<T>(from: readonly T[]): T
}

/** The generator "sfc32" of PractRand, after its first rounds. */
export function createRandom(seed: number): Random {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, seed | 0, 1]
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 15; round++) next()
  const below = (limit: number) => (limit <= 1 ? 0 : next() % limit)
  return { below, pick: (from) => from[below(from.length)]! }
}
