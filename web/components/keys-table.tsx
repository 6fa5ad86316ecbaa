import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiKey } from '../api/resources.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Age, RelativeTime } from '../ui/relative-time.tsx'
import { RefusalAlert } from './refusal-alert.tsx'

interface Props {
  /** Undefined while loading. */
  readonly keys: readonly ApiKey[] | undefined
  /** Query key of the list that loses an entry. */
  readonly listKey: readonly unknown[]
  revoke(id: string): Promise<unknown>
}

/** A user's API keys, each with a button to revoke it. */
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
  const queries = useQueryClient()
  const [isOpen, { open, close }] = useDisclosure()
  const revoking = useMutation({
    mutationFn: () => revoke(apiKey.id),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: listKey })
      close()
    },
  })
  const { name } = apiKey.attributes

  function begin() {
    revoking.reset()
    open()
  }

  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Revoke ${name}`} onClick={begin}>
        Revoke
      </Button>
      <ConfirmDialog
        title={`Revoke ${name}?`}
        verb="Revoke key"
        isOpen={isOpen}
        isBusy={revoking.isPending}
        onConfirm={() => revoking.mutate()}
        onClose={close}
      >
        {revoking.error && <RefusalAlert title="Key not revoked" error={revoking.error} />}
        The key stops working immediately. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}
