import { nice, ticks } from 'd3-array'

const MAX_STEPS = 4

/** Returns the ticks of an axis of counts: whole numbers from 0 to at least `max`. */
export function toTicks(max: number): number[] {
  const count = Math.min(Math.max(max, 1), MAX_STEPS)
  const [start, end] = nice(0, Math.max(max, 1), count)
  return ticks(start, end, count)
}

/** Returns up to `most` indices of a list, evenly spread, with its ends. */
export function spreadIndices(length: number, most: number): number[] {
  const count = Math.min(length, Math.max(most, 2))
  if (count < 2) return [...Array(count).keys()]
  return Array.from({ length: count }, (_, at) => Math.round((at * (length - 1)) / (count - 1)))
}

/** Moves ascending positions apart, by at least `gap`, within 0 and `end`. */
export function moveApart(positions: readonly number[], { gap, end }: { gap: number; end: number }): number[] {
  const moved: number[] = []
  for (const position of positions) moved.push(Math.max(position, (moved.at(-1) ?? -gap) + gap))
  let limit = end
  return moved
    .toReversed()
    .map((position) => {
      const kept = Math.min(position, limit)
      limit = kept - gap
      return kept
    })
    .toReversed()
}
