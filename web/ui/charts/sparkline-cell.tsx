import { Suspense } from 'react'
import { MIN_POINTS } from '../../hooks/sparklines.ts'
import { lazyPart } from '../../navigation/lazy.ts'

// Fetched after the list is displayed.
const Sparkline = lazyPart(async () => (await import('./sparkline.tsx')).Sparkline)

/** A sparkline in a table; empty while loading and on the first days. */
export function SparklineCell({ levels }: { levels: readonly number[] | undefined }) {
  if (levels === undefined || levels.length < MIN_POINTS) return null
  return (
    <Suspense>
      <Sparkline levels={levels} />
    </Suspense>
  )
}
