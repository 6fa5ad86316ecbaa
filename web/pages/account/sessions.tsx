import { Badge, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ReadingAlert, RefusalAlert } from '../../components/refusal-alert.tsx'
import { useSession } from '../../hooks/session.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Age } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { browserName } from './browser-name.ts'

/** The browsers in which the user is signed in. */
export function Sessions() {
  const { signOut } = useSession()
  const queries = useQueryClient()
  const reading = useQuery({ queryKey: ['user-sessions'], queryFn: () => call('listUserSessions', {}) })
  const ending = useMutation({
    mutationFn: (id: string) => call('deleteUserSession', { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['user-sessions'] }),
  })
  return (
    <Section title="Sessions">
      <ReadingAlert title="Could not load your sessions" reading={reading} />
      {ending.error && <RefusalAlert title="Not signed out" error={ending.error} />}
      {reading.data?.length === 0 ? (
        <Text>You are not signed in with a password in any browser.</Text>
      ) : (
        <DataTable
          label="Sessions"
          rows={reading.data}
          rowKey={({ id }) => id}
          columns={[
            {
              name: 'Browser',
              cell: ({ user_agent, is_current }) => (
                <Group gap="xs">
                  <span title={user_agent}>{browserName(user_agent)}</span>
                  {is_current && <Badge variant="default">This browser</Badge>}
                </Group>
              ),
            },
            { name: 'Address', cell: ({ address }) => address },
            { name: 'Signed in', cell: ({ signed_in_at }) => <Age time={signed_in_at} /> },
            { name: 'Last seen', cell: ({ last_used_at }) => <Age time={last_used_at} /> },
            {
              name: 'Action',
              cell: ({ id, user_agent, is_current }) => (
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={ending.isPending}
                  aria-label={`Sign out ${is_current ? 'this browser' : browserName(user_agent)}`}
                  onClick={() => (is_current ? signOut() : ending.mutate(id))}
                >
                  Sign out
                </Button>
              ),
            },
          ]}
        />
      )}
      <Everywhere />
    </Section>
  )
}

function Everywhere() {
  const { signOut } = useSession()
  return (
    <ConfirmButton
      color="red"
      variant="outline"
      style={{ alignSelf: 'flex-start' }}
      action="Sign out everywhere"
      title="Sign out everywhere?"
      verb="Sign out everywhere"
      failure="Not signed out"
      onDone={signOut}
      run={() => call('deleteUserSessions', {})}
    >
      You are signed out in every browser, also in this one. API keys and authorized apps keep working.
    </ConfirmButton>
  )
}
