import { Skeleton } from '@mantine/core'

/** While the program of the first page is on its way. */
export function FirstLoad() {
  return (
    <main className="narrow">
      <Skeleton height={180} role="status" aria-label="Loading" />
    </main>
  )
}
