import { useQuery } from '@tanstack/react-query'
import { call, callData } from '../../../api/client.ts'
import type { Identity } from '../../../api/resources.ts'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'

interface Props {
  readonly groupId: string
  readonly userId: string
}

export function Identities(of: Props) {
  const reading = useQuery({
    queryKey: keyOf(of),
    queryFn: () => callData('listUserIdentities', { params: paramsOf(of), query: { limit: 100 } }),
  })
  if (reading.data?.length === 0) return null
  return (
    <Section title="Single sign-on">
      {reading.isError ? (
        <ReadingAlert title="Could not load the identities" reading={reading} />
      ) : (
        <DataTable
          label="Identities"
          rows={reading.data}
          rowKey={({ id }) => id}
          columns={[
            { name: 'Identity provider', cell: ({ attributes }) => attributes.provider },
            { name: 'Subject', cell: ({ attributes }) => attributes.subject },
            { name: 'Last sign-in', cell: ({ attributes }) => <RelativeTime time={attributes.last_sign_in_at} /> },
            { name: 'Action', cell: (identity) => <Disconnection of={of} identity={identity} /> },
          ]}
        />
      )}
    </Section>
  )
}

function Disconnection({ of, identity }: { of: Props; identity: Identity }) {
  const { provider } = identity.attributes
  return (
    <ConfirmButton
      size="compact-sm"
      action="Disconnect"
      name={`Disconnect ${provider}`}
      title={`Disconnect ${provider}?`}
      verb="Disconnect"
      failure="Not disconnected"
      changes={[keyOf(of)]}
      run={() => call('deleteUserIdentity', { params: { ...paramsOf(of), identity_id: identity.id } })}
    >
      The user is signed out of sessions that began with {provider}. The next sign-in there connects the account with
      the same e-mail address. Roles stay.
    </ConfirmButton>
  )
}

function paramsOf({ groupId, userId }: Props) {
  return { group_id: groupId, user_id: userId }
}

function keyOf({ groupId, userId }: Props) {
  return ['user-identities', groupId, userId]
}
