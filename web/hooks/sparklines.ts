import { useQuery } from '@tanstack/react-query'
import { readSparklines, type Sparklines } from '../api/sparklines.ts'

/** Reads the sparklines of a page of a list, after the list. */
export function useSparklines(
  orgId: string,
  by: 'repository' | 'project',
  ids: readonly string[] | undefined,
): Sparklines | undefined {
  const { data } = useQuery({
    queryKey: ['sparklines', orgId, by, ids],
    queryFn: () => readSparklines(orgId, by, ids ?? []),
    enabled: ids !== undefined && ids.length > 0,
    staleTime: 60_000,
  })
  return data
}
