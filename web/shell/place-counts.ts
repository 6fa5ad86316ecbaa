import { useIsFetching, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../api/client.ts'
import type { PlaceCounts } from '../api/resources.ts'
import type { ConsoleScope } from '../navigation/paths.ts'

/** Milliseconds without a request after which the counts are read. */
const PAUSE_MS = 100

/** Returns the counts beside the links of an organization. They are read after the page's own data. */
export function usePlaceCounts(place: ConsoleScope | undefined): PlaceCounts {
  const isReady = useAfterPage()
  const { data = {} } = useQuery({
    queryKey: ['counts', place?.id],
    queryFn: () => call('getCounts', { params: { org_id: place!.id } }),
    enabled: isReady && place?.kind === 'orgs',
    staleTime: 60_000,
  })
  return data
}

/** Returns true once no request has been running for a moment. */
function useAfterPage(): boolean {
  const isFetching = useIsFetching() > 0
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    if (isFetching || isReady) return undefined
    const timer = setTimeout(() => setReady(true), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isFetching, isReady])
  return isReady
}
