import type { ApiKey } from '../api/resources.ts'
import { DataTable } from '../ui/data-table.tsx'
import { Age, RelativeTime } from '../ui/relative-time.tsx'
import { ConfirmButton } from './confirm-button.tsx'

interface Props {
  /** Undefined while loading. */
  readonly keys: readonly ApiKey[] | undefined
  /** Query key of the list that loses an entry. */
  readonly listKey: readonly unknown[]
  revoke(id: string): Promise<unknown>
}

export function KeysTable({ keys, ...rest }: Props) {
  if (keys?.length === 0) return <span>No API keys yet.</span>
  return (
    <DataTable
      label="API keys"
      rows={keys}
      rowKey={({ id }) => id}
      columns={[
        { name: 'Name', cell: ({ attributes }) => attributes.name },
        { name: 'Ends in', cell: ({ attributes }) => attributes.hint },
        { name: 'Created', cell: ({ attributes }) => <Age time={attributes.created_at} /> },
        {
          name: 'Last used',
          cell: ({ attributes: { last_used_at } }) => (last_used_at ? <Age time={last_used_at} /> : 'Never'),
        },
        {
          name: 'Expires',
          cell: ({ attributes: { expires_at } }) => (expires_at ? <RelativeTime time={expires_at} /> : 'Never'),
        },
        { name: 'Networks', cell: ({ attributes }) => attributes.allowed_networks?.join(', ') ?? 'Any' },
        { name: 'Action', cell: (key) => <Revocation apiKey={key} {...rest} /> },
      ]}
    />
  )
}

function Revocation({ apiKey, listKey, revoke }: Omit<Props, 'keys'> & { readonly apiKey: ApiKey }) {
  const { name } = apiKey.attributes
  return (
    <ConfirmButton
      size="compact-sm"
      action="Revoke"
      name={`Revoke ${name}`}
      title={`Revoke ${name}?`}
      verb="Revoke key"
      failure="Key not revoked"
      changes={[listKey]}
      run={() => revoke(apiKey.id)}
    >
      The key stops working immediately. This cannot be undone.
    </ConfirmButton>
  )
}
