import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Page } from '../../../ui/page.tsx'
import { Administrators } from './administrators.tsx'
import { DisabledUsers } from './disabled-users.tsx'
import { ProviderForm } from './provider-form.tsx'
import { ProviderSection } from './provider-section.tsx'

/** The identity providers of a group, and the users whom its sign-in rules exempt or exclude. */
export function SingleSignOnPage() {
  const { id: groupId } = usePlace()
  const [isAdding, setAdding] = useState(false)
  const reading = useQuery({
    queryKey: ['single-sign-on', groupId],
    queryFn: () => call('getSingleSignOn', { params: { group_id: groupId } }),
  })
  const state = reading.data
  return (
    <Page
      title="Single sign-on"
      lead="Members sign in with OpenID Connect providers, chosen by the domain of their e-mail address."
      actions={state && !isAdding && <Button onClick={() => setAdding(true)}>Add provider</Button>}
    >
      <ReadingAlert title="Could not load single sign-on" reading={reading} />
      {state && isAdding && <ProviderForm groupId={groupId} state={state} onDone={() => setAdding(false)} />}
      {state && !isAdding && state.providers.length === 0 && (
        <Empty title="No identity providers">Add one to let members sign in with your directory.</Empty>
      )}
      {state?.providers.map((provider) => (
        <ProviderSection key={provider.id} groupId={groupId} state={state} provider={provider} />
      ))}
      {state && <Administrators groupId={groupId} administrators={state.administrators} />}
      {state && <DisabledUsers groupId={groupId} users={state.disabled_users} />}
    </Page>
  )
}
