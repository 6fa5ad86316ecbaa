import { Skeleton } from '@mantine/core'

export function Loading({ what, height }: { what: string; height: number }) {
  return <Skeleton height={height} role="status" aria-label={`Loading: ${what}`} />
}
