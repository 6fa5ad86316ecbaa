import { Suspense } from 'react'
import { lazyPart } from '../../navigation/lazy.ts'

// Fetched after the list is shown.
const Sparkline = lazyPart(async () => (await import('./sparkline.tsx')).Sparkline)

/** Points that make a line. */
const MIN_POINTS = 2

/** A sparkline in a table; nothing before it is read, and on the first days. */
export function SparklineCell({ levels }: { levels: readonly number[] | undefined }) {
  if (levels === undefined || levels.length < MIN_POINTS) return null
  return (
    <Suspense>
      <Sparkline levels={levels} />
    </Suspense>
  )
}
