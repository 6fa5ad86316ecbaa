import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RefusalAlert } from './refusal-alert.tsx'
import { Page } from './ui/page.tsx'

interface Props<T> {
  /** What it is a page about, while that cannot be named. */
  readonly kind: string
  readonly reading: UseQueryResult<T>
  readonly children: (thing: T) => ReactNode
}

/** A page about one thing: waits for it, says why it cannot be read, or shows it. */
export function ThingPage<T>({ kind, reading, children }: Props<T>) {
  // What was read stays when reading it again fails.
  if (reading.data !== undefined) return children(reading.data)
  return (
    <Page title={kind}>
      {reading.isError ? (
        <RefusalAlert title="It cannot be read" error={reading.error} onRetry={() => void reading.refetch()} />
      ) : (
        <Skeleton height={180} role="status" aria-label="Loading" />
      )}
    </Page>
  )
}
