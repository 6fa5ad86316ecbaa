import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Page } from '../ui/page.tsx'
import { RefusalAlert } from './refusal-alert.tsx'

interface Props<T> {
  /** The kind of resource, shown until its name is known. */
  readonly kind: string
  readonly reading: UseQueryResult<T>
  readonly children: (thing: T) => ReactNode
}

/** A page about one thing: waits for it, says why it cannot be read, or shows it. */
export function ResourcePage<T>({ kind, reading, children }: Props<T>) {
  // What was read stays when reading it again fails.
  if (reading.data !== undefined) return children(reading.data)
  return (
    <Page title={kind}>
      {reading.isError ? (
        <RefusalAlert title="Could not load it" error={reading.error} onRetry={() => void reading.refetch()} />
      ) : (
        <Skeleton height={180} role="status" aria-label="Loading" />
      )}
    </Page>
  )
}
