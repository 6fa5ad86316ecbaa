import { compareText } from './naturals.ts'

/** A total order over all text: text that `parse` refuses comes first, by code unit, then parsed values by `order`. */
export function refusedFirst<Parsed>(
  parse: (text: string) => Parsed | undefined,
  order: (a: Parsed, b: Parsed) => number,
): (a: string, b: string) => number {
  return (a, b) => {
    if (a === b) return 0
    const left = parse(a)
    const right = parse(b)
    if (left !== undefined && right !== undefined) return order(left, right)
    if (left === undefined && right === undefined) return compareText(a, b)
    return left === undefined ? -1 : 1
  }
}
