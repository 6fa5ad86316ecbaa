import { Suspense } from 'react'
import { lazyPart } from '../../navigation/lazy.ts'

// Fetched after the list is displayed.
const Sparkline = lazyPart(async () => (await import('./sparkline.tsx')).Sparkline)

/** Days of a line before it is drawn. */
const MIN_POINTS = 2

/** Returns false if no line can be drawn yet; true while loading. */
export function hasSparklines(lines: Readonly<Record<string, readonly number[]>> | undefined): boolean {
  return lines === undefined || Object.values(lines).some((levels) => levels.length >= MIN_POINTS)
}

/** A sparkline in a table; empty while loading and on the first days. */
export function SparklineCell({ levels }: { levels: readonly number[] | undefined }) {
  if (levels === undefined || levels.length < MIN_POINTS) return null
  return (
    <Suspense>
      <Sparkline levels={levels} />
    </Suspense>
  )
}
