import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'

/** Reads the authorization server's metadata, which names its endpoints and scopes. */
export function useServerMetadata() {
  const queryFn = () => call('getServerMetadata', {})
  return useQuery({ queryKey: ['server-metadata'], queryFn, staleTime: 600_000 })
}
