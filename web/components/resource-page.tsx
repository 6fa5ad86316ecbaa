import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Page } from '../ui/page.tsx'
import { ReadingAlert } from './refusal-alert.tsx'

interface Props<T> {
  /** The kind of resource, shown until its name is known. */
  readonly kind: string
  readonly reading: UseQueryResult<T>
  readonly children: (thing: T) => ReactNode
}

/** The page of one resource: shows it, or that it is loading, or the reason why it cannot be read. */
export function ResourcePage<T>({ kind, reading, children }: Props<T>) {
  // Keep showing the present data if reading it again fails.
  if (reading.data !== undefined) return children(reading.data)
  return (
    <Page title={kind}>
      {reading.isError ? (
        <ReadingAlert title="Could not load it" reading={reading} />
      ) : (
        <Skeleton height={180} role="status" aria-label="Loading" />
      )}
    </Page>
  )
}
