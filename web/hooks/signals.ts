import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'

/** Returns which sources about exploitation the server has; none until that is known. */
export function useSignals(orgId: string) {
  const { data } = useQuery({
    queryKey: ['advisories', orgId],
    queryFn: () => call('getAdvisoryState', { params: { org_id: orgId } }),
    staleTime: 60_000,
  })
  const hasExploited = data?.has_exploited_catalog ?? false
  const hasEpss = data?.exploit_sources.some(({ kind }) => kind === 'epss') ?? false
  const missing = [!hasEpss && 'EPSS: not synced', !hasExploited && 'Exploited catalog: not synced']
  return { hasExploited, hasEpss, missing: data ? missing.filter((words) => words !== false) : [] }
}
