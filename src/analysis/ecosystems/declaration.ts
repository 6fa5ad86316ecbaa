/** The line of a sent file that declares a package. */
export interface Declaration {
  /** The registry's spelling. */
  readonly name: string
  readonly file: 'target' | number
  /** Counted from 1. */
  readonly line: number
  /** The file's common name, for files that were sent without a path. */
  readonly fileName?: string
  /** True if the registry's name has the suffix `_` and a Scala version. */
  readonly isCross?: boolean
  /** Set for an entry of a lockfile, which is for this version only. */
  readonly version?: string
  /** Set for declarations of a manifest: the range, and its position if it can be replaced. */
  readonly range?: WrittenRange
}

export interface WrittenRange {
  readonly text: string
  /** Offsets into the file's text, without quotes. */
  readonly start: number
  readonly end: number
}

/** Returns a function from offsets to lines, counted from 1. */
export function createLines(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
