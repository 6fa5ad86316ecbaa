import { Skeleton } from '@mantine/core'

/** Takes the place of a card until it is read. */
export function Loading({ what, height }: { what: string; height: number }) {
  return <Skeleton height={height} role="status" aria-label={`Loading: ${what}`} />
}
