import { Skeleton } from '@mantine/core'

/** Shown while the code of the first page is loading. */
export function FirstLoad() {
  return (
    <main className="narrow">
      <Skeleton height={180} role="status" aria-label="Loading" />
    </main>
  )
}
