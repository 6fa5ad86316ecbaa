import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, callData } from '../../../api/client.ts'
import { listAll } from '../../../api/places.ts'
import type { User } from '../../../api/resources.ts'
import { Deletion } from '../../../components/deletion.tsx'
import { KeysTable } from '../../../components/keys-table.tsx'
import { ReadingAlert, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { ResourcePage } from '../../../components/resource-page.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { useParams } from '../../../router/react.tsx'
import { Crumbs } from '../../../ui/crumbs.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Page } from '../../../ui/page.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { Disabling } from '../disabling.tsx'
import { FactorReset } from '../factor-reset.tsx'
import { PasswordReset } from '../password-reset.tsx'
import { Identities } from './identities.tsx'
import { UserState } from './user-state.tsx'

interface Props {
  readonly groupId: string
  readonly user: User
}

export function UserPage() {
  const { id: groupId } = usePlace()
  const { userId = '' } = useParams()
  const reading = useQuery({
    queryKey: ['users', groupId, userId],
    queryFn: () => callData('getUserOfGroup', { params: { group_id: groupId, user_id: userId } }),
  })
  return (
    <ResourcePage kind="User" reading={reading}>
      {(user) => (
        <Page
          title={user.attributes.name}
          before={<Crumbs of={[{ label: 'Users', to: paths.users(groupId) }]} here={user.attributes.name} />}
        >
          <About user={user} />
          <SignIn groupId={groupId} user={user} />
          <Identities groupId={groupId} userId={user.id} />
          <Keys groupId={groupId} user={user} />
          <Deletion
            name={user.attributes.name}
            kind="user"
            words="All memberships, sessions and API keys end."
            listKeys={[
              ['users', groupId],
              ['members', 'groups', groupId],
            ]}
            backTo={paths.users(groupId)}
            remove={() => call('deleteUserOfGroup', { params: { group_id: groupId, user_id: user.id } })}
          >
            The user is signed out and loses all access at once. Keys and authorized apps are revoked. This cannot be
            undone.
          </Deletion>
        </Page>
      )}
    </ResourcePage>
  )
}

function About({ user }: { user: User }) {
  const { attributes } = user
  return (
    <Section title="About">
      <Facts
        of={[
          ['E-mail', attributes.email],
          ['User name', attributes.username === attributes.email ? undefined : attributes.username],
          ['State', <UserState key="state" user={user} />],
          ['Role in the group', attributes.group_role ?? 'None'],
          ['Organizations', `${attributes.org_memberships.toLocaleString()} with a role of their own`],
          ['Password', attributes.has_password ? 'Set' : 'Not set'],
          ['Created', <RelativeTime key="created" time={attributes.created_at} />],
        ]}
      />
    </Section>
  )
}

function SignIn({ groupId, user }: Props) {
  return (
    <Section title="Sign-in">
      <Text size="sm">
        {user.attributes.disabled
          ? 'No password, key or app of this user works until the user is enabled.'
          : 'You can change the sign-in of users who have no more permissions than you.'}
      </Text>
      <Group gap="xs">
        <PasswordReset groupId={groupId} user={user} />
        <FactorReset groupId={groupId} user={user} />
        {user.attributes.disabled ? (
          <Enabling groupId={groupId} user={user} />
        ) : (
          <Disabling groupId={groupId} user={user} />
        )}
      </Group>
    </Section>
  )
}

function Enabling({ groupId, user }: Props) {
  const queries = useQueryClient()
  const enabling = useMutation({
    mutationFn: () =>
      call('updateDisabled', { params: { group_id: groupId, user_id: user.id }, body: { disabled: false } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['users', groupId] }),
  })
  const { name } = user.attributes
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Enable ${name}`}
        onClick={() => enabling.mutate()}
        loading={enabling.isPending}
      >
        Enable
      </Button>
      {enabling.error && <RefusalAlert title="Not enabled" error={enabling.error} />}
    </>
  )
}

function Keys({ groupId, user }: Props) {
  const params = { group_id: groupId, user_id: user.id }
  const listKey = ['user-api-keys', groupId, user.id]
  const reading = useQuery({
    queryKey: listKey,
    queryFn: () =>
      listAll((starting_after) => call('listUserApiKeys', { params, query: { limit: 100, starting_after } })),
  })
  return (
    <Section title="API keys">
      {reading.isError ? (
        <ReadingAlert title="Could not load the API keys" reading={reading} />
      ) : (
        <KeysTable
          keys={reading.data}
          listKey={listKey}
          revoke={(id) => call('deleteUserApiKey', { params: { ...params, key_id: id } })}
        />
      )}
    </Section>
  )
}
