import { Alert, Button, Code, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Credential } from '../../../api/resources.ts'
import type { SecretOwner } from '../../../api/secrets.ts'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'

interface Props {
  readonly owner: SecretOwner
  /** Absent if none can be deleted. */
  readonly onDelete?: (credential: Credential) => void
}

export function Credentials({ owner, onDelete }: Props) {
  const reading = useQuery({ queryKey: owner.key, queryFn: () => owner.list() })
  if (reading.isError) return <ReadingAlert title="Could not load the credentials" reading={reading} />
  const rows = reading.data
  if (rows?.length === 0) return <Text>No credential: it was deleted or reported as exposed. Create a new one.</Text>
  const lasting = rows?.filter(({ attributes }) => attributes.state === 'active') ?? []
  const isLast = ({ id }: Credential) => lasting.length === 1 && lasting[0]?.id === id
  const stillUsed = rows?.find(({ attributes }) => attributes.state === 'retiring' && attributes.used_since_replaced)
  return (
    <>
      {stillUsed && (
        <Alert color="orange" title="A replaced secret is still in use">
          The one with the hint <Code>{stillUsed.attributes.hint}</Code> was used{' '}
          <RelativeTime time={stillUsed.attributes.last_used_at ?? ''} /> and ends{' '}
          <RelativeTime time={stillUsed.attributes.retires_at ?? ''} />. Update its program first.
        </Alert>
      )}
      <DataTable
        label="Credentials"
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { name: 'Hint', cell: ({ attributes }) => <Code>{attributes.hint}</Code> },
          { name: 'State', cell: (credential) => <State of={credential} /> },
          { name: 'Created', cell: ({ attributes }) => <RelativeTime time={attributes.created_at} /> },
          {
            name: 'Last used',
            cell: ({ attributes: { last_used_at } }) => (last_used_at ? <RelativeTime time={last_used_at} /> : 'never'),
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

const tones = { active: 'good', retiring: 'warning', ended: 'quiet' } as const

function State({ of: { attributes } }: { of: Credential }) {
  const { state, expires_at, retires_at } = attributes
  const end = [expires_at, retires_at].filter((time) => time !== undefined).sort()[0]
  return (
    <>
      <StateBadge tone={tones[state]}>{state}</StateBadge>
      {end !== undefined && (
        <>
          {state === 'ended' ? ' ended ' : ' ends '}
          <RelativeTime time={end} />
        </>
      )}
    </>
  )
}
