/** A binary heap: reading the smallest takes constant time, adding and removing logarithmic time. */
export interface Heap<T> {
  add(value: T): void
  /** Returns the smallest without removing it. */
  first(): T | undefined
  removeFirst(): void
}

export function createHeap<T>(compare: (a: T, b: T) => number): Heap<T> {
  const values: T[] = []

  function swap(a: number, b: number): void {
    ;[values[a], values[b]] = [values[b]!, values[a]!]
  }

  function isBefore(a: number, b: number): boolean {
    return compare(values[a]!, values[b]!) < 0
  }

  function rise(at: number): void {
    for (let below = at; below > 0; ) {
      const above = (below - 1) >> 1
      if (!isBefore(below, above)) return
      swap(below, above)
      below = above
    }
  }

  function sink(at: number): void {
    for (let above = at; ; ) {
      const left = 2 * above + 1
      const right = left + 1
      if (left >= values.length) return
      const smaller = right < values.length && isBefore(right, left) ? right : left
      if (!isBefore(smaller, above)) return
      swap(smaller, above)
      above = smaller
    }
  }

  return {
    add(value) {
      values.push(value)
      rise(values.length - 1)
    },
    first: () => values[0],
    removeFirst() {
      const last = values.pop()
      if (last === undefined || values.length === 0) return
      values[0] = last
      sink(0)
    },
  }
}
