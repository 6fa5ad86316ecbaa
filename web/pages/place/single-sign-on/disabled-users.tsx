import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { DisabledUser } from '../../../api/resources.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'

/** Lists disabled users, all of whose credentials are refused. */
export function DisabledUsers({ groupId, users }: { groupId: string; users: readonly DisabledUser[] }) {
  const queries = useQueryClient()
  const enabling = useMutation({
    mutationFn: (userId: string) =>
      call('updateDisabled', { params: { group_id: groupId, user_id: userId }, body: { disabled: false } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['single-sign-on', groupId] }),
  })
  if (users.length === 0) return null
  return (
    <Section title="Disabled users">
      {enabling.error && <RefusalAlert title="Not enabled" error={enabling.error} />}
      <DataTable
        label="Disabled users"
        rows={users}
        rowKey={({ id }) => id}
        columns={[
          { name: 'Name', cell: ({ name }) => name },
          { name: 'E-mail', cell: ({ email }) => email },
          { name: 'By', cell: ({ disabled_by: by }) => (by === 'provider' ? 'Identity provider' : 'Administrator') },
          { name: 'Since', cell: ({ disabled_at }) => <RelativeTime time={disabled_at} /> },
          {
            name: 'Action',
            cell: ({ id, name }) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Enable ${name}`}
                onClick={() => enabling.mutate(id)}
                loading={enabling.isPending}
              >
                Enable
              </Button>
            ),
          },
        ]}
      />
    </Section>
  )
}
