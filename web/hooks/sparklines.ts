import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import type { Sparklines } from '../api/resources.ts'

/** Reads the sparklines of a page of a list, after the list. */
export function useSparklines(
  orgId: string,
  by: 'repository' | 'project',
  ids: readonly string[] | undefined,
): Sparklines | undefined {
  const { data } = useQuery({
    queryKey: ['sparklines', orgId, by, ids],
    queryFn: () => call('getSparklines', { params: { org_id: orgId }, query: { by, ids: ids?.join() } }),
    enabled: ids !== undefined && ids.length > 0,
    staleTime: 60_000,
  })
  return data?.open
}
