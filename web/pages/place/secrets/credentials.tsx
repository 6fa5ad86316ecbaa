import { Alert, Badge, Button, Code, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Credential, SecretOwner } from '../../../api/secrets.ts'
import { RefusalAlert } from '../../../refusal-alert.tsx'
import { badgeGreen, badgeOrange } from '../../../ui/colours.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { Moment } from '../../../ui/moment.tsx'

interface Props {
  readonly owner: SecretOwner
  /** Absent where none can be deleted. */
  readonly onDelete?: (credential: Credential) => void
}

/** What is kept of somebody's credentials: which are in use, and which end soon. */
export function Credentials({ owner, onDelete }: Props) {
  const reading = useQuery({ queryKey: owner.key, queryFn: () => owner.list() })
  if (reading.isError) {
    return <RefusalAlert title="They cannot be listed" error={reading.error} onRetry={() => void reading.refetch()} />
  }
  const rows = reading.data
  if (rows?.length === 0) return <Text>There is none: it was deleted, or reported as exposed. Make a new one.</Text>
  const lasting = rows?.filter(({ attributes }) => attributes.state === 'active') ?? []
  const isLast = ({ id }: Credential) => lasting.length === 1 && lasting[0]?.id === id
  const stillUsed = rows?.find(({ attributes }) => attributes.state === 'retiring' && attributes.used_since_replaced)
  return (
    <>
      {stillUsed && (
        <Alert color="orange" title="A replaced secret is still in use">
          The one with the hint <Code>{stillUsed.attributes.hint}</Code> was used{' '}
          <Moment time={stillUsed.attributes.last_used_at ?? ''} /> and ends{' '}
          <Moment time={stillUsed.attributes.retires_at ?? ''} />. Move the program that has it to the new one before.
        </Alert>
      )}
      <DataTable
        label="Credentials"
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { name: 'Hint', cell: ({ attributes }) => <Code>{attributes.hint}</Code> },
          { name: 'State', cell: (credential) => <State of={credential} /> },
          { name: 'Created', cell: ({ attributes }) => <Moment time={attributes.created_at} /> },
          {
            name: 'Last used',
            cell: ({ attributes: { last_used_at } }) => (last_used_at ? <Moment time={last_used_at} /> : 'never'),
          },
          {
            name: 'From',
            width: '7rem',
            cell: ({ attributes }) => attributes.allowed_networks?.join(', ') ?? 'anywhere',
          },
          ...(onDelete
            ? [
                {
                  name: 'Action',
                  cell: (credential: Credential) =>
                    isLast(credential) ? (
                      'stays'
                    ) : (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={`Delete the secret with the hint ${credential.attributes.hint}`}
                        onClick={() => onDelete(credential)}
                      >
                        Delete
                      </Button>
                    ),
                },
              ]
            : []),
        ]}
      />
    </>
  )
}

const colours = { active: badgeGreen, retiring: badgeOrange, ended: 'gray.7' } as const

function State({ of: { attributes } }: { of: Credential }) {
  const { state, expires_at, retires_at } = attributes
  const end = [expires_at, retires_at].filter((time) => time !== undefined).sort()[0]
  return (
    <>
      <Badge color={colours[state]} variant="filled" radius="sm" tt="none">
        {state}
      </Badge>
      {end !== undefined && (
        <>
          {state === 'ended' ? ' ended ' : ' ends '}
          <Moment time={end} />
        </>
      )}
    </>
  )
}
