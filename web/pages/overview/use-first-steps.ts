import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callData } from '../../api/client.ts'
import type { Integration, ServiceAccount } from '../../api/resources.ts'

/** Names of the first are enough. */
const query = { limit: 10 } as const

export interface FirstStepsState {
  readonly integrations: readonly Integration[]
  /** Undefined if the user may not see them. */
  readonly accounts: readonly ServiceAccount[] | undefined
}

/**
 * Returns the data of the checklist while it is due: from the first visit without projects until it is done or hidden.
 * This browser remembers that. Not due for users who may not connect sources.
 */
export function useFirstSteps(orgId: string, isEmpty: boolean) {
  const key = `gatehouse-first-steps-${orgId}`
  const [stored, store] = useState(() => localStorage.getItem(key))
  if (isEmpty && stored === null) store('due')
  useEffect(() => {
    if (stored) localStorage.setItem(key, stored)
  }, [stored, key])
  const enabled = stored === 'due'
  const integrations = useQuery({
    queryKey: ['integrations', orgId, 'first'],
    queryFn: () => callData('listIntegrations', { params: { org_id: orgId }, query }),
    enabled,
  })
  const accounts = useQuery({
    queryKey: ['service-accounts', 'orgs', orgId, 'first'],
    queryFn: () => callData('listOrgServiceAccounts', { params: { org_id: orgId }, query }),
    enabled,
  })
  const state: FirstStepsState | undefined =
    enabled && integrations.data && !accounts.isPending
      ? { integrations: integrations.data, accounts: accounts.data }
      : undefined
  return { isDue: stored !== 'done' && (isEmpty || enabled) && !integrations.isError, state, end: () => store('done') }
}
