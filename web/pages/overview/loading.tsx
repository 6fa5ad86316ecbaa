import { Skeleton } from '@mantine/core'

/** A placeholder for a card while its data is loading. */
export function Loading({ what, height }: { what: string; height: number }) {
  return <Skeleton height={height} role="status" aria-label={`Loading: ${what}`} />
}
