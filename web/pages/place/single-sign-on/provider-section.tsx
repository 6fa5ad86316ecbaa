import { Alert, Button, Code, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import type { Provider, SingleSignOn } from '../../../api/resources.ts'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { ProviderForm } from './provider-form.tsx'

interface Props {
  readonly groupId: string
  readonly state: SingleSignOn
  readonly provider: Provider
}

export function ProviderSection({ groupId, state, provider }: Props) {
  const [isEditing, setEditing] = useState(false)
  const testing = useMutation({
    mutationFn: () => call('testProvider', { params: { group_id: groupId, provider_id: provider.id } }),
  })
  if (isEditing) {
    return <ProviderForm groupId={groupId} state={state} provider={provider} onDone={() => setEditing(false)} />
  }
  return (
    <Section title={provider.name}>
      <ProviderFacts provider={provider} />
      {testing.error && <RefusalAlert title="Not tested" error={testing.error} />}
      {testing.data && (
        <Alert
          role="status"
          color={testing.data.ok ? 'green' : 'red'}
          title={testing.data.ok ? 'The provider responds' : 'The provider cannot be used'}
        >
          {testing.data.detail ?? 'Its metadata and keys could be read.'}
        </Alert>
      )}
      <Group gap="xs">
        <Button variant="default" onClick={() => setEditing(true)} aria-label={`Change ${provider.name}`}>
          Change
        </Button>
        <Button
          variant="default"
          onClick={() => testing.mutate()}
          loading={testing.isPending}
          aria-label={`Test ${provider.name}`}
        >
          Test
        </Button>
        <ProviderDeletion groupId={groupId} provider={provider} />
      </Group>
    </Section>
  )
}

function ProviderFacts({ provider }: { provider: Provider }) {
  const { last_sign_in_at, last_failure_at, last_failure } = provider
  return (
    <Facts
      of={[
        ['Issuer', provider.issuer],
        ['Client ID', provider.client_id],
        ['Domains', provider.domains.join(', ')],
        ['Mode', provider.mode === 'required' ? 'Required' : 'Optional: passwords work too'],
        ['New users', provider.creates_accounts ? 'Get an account' : 'Are refused'],
        ['Users', String(provider.users)],
        ['Redirect URI', <Code key="redirect">{provider.redirect_uri}</Code>],
        ['Back-channel logout URI', <Code key="logout">{provider.logout_uri}</Code>],
        ['Last sign-in', last_sign_in_at === null ? 'Never' : <RelativeTime key="last" time={last_sign_in_at} />],
        ['Last failure', last_failure_at === null ? undefined : <RelativeTime key="failure" time={last_failure_at} />],
        ['Reason', last_failure ?? undefined],
      ]}
    />
  )
}

function ProviderDeletion({ groupId, provider }: Pick<Props, 'groupId' | 'provider'>) {
  return (
    <ConfirmButton
      color="red"
      variant="outline"
      action="Delete"
      name={`Delete ${provider.name}`}
      title={`Delete ${provider.name}?`}
      verb="Delete"
      failure="Not deleted"
      changes={[['single-sign-on', groupId]]}
      run={() => call('deleteProvider', { params: { group_id: groupId, provider_id: provider.id } })}
    >
      Users who signed in with it are signed out. Users without a password then need a link to set one. This cannot be
      undone.
    </ConfirmButton>
  )
}
