import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ApiKey, deleteOwnKey, listOwnKeys } from '../../api/api-keys.ts'
import { readAll } from '../../api/places.ts'
import { RefusalAlert } from '../../components/refusal-alert.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Age, RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { NewApiKey } from './new-api-key.tsx'

/** The user's own API keys. */
export function ApiKeys() {
  const reading = useQuery({
    queryKey: ['own-api-keys'],
    queryFn: async () => (await readAll((starting_after) => listOwnKeys({ limit: 100, starting_after }))).all,
  })
  return (
    <Section title="API keys">
      <span>Programs with one of these keys act as you. For a program of its own, use a service account.</span>
      {reading.isError && (
        <RefusalAlert
          title="Could not load your API keys"
          error={reading.error}
          onRetry={() => void reading.refetch()}
        />
      )}
      {reading.data?.length === 0 && <span>No API keys yet.</span>}
      {!reading.isError && reading.data?.length !== 0 && (
        <DataTable
          label="API keys"
          rows={reading.data}
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
            { name: 'Action', cell: (key) => <Revocation apiKey={key} /> },
          ]}
        />
      )}
      <NewApiKey />
    </Section>
  )
}

function Revocation({ apiKey }: { apiKey: ApiKey }) {
  const queries = useQueryClient()
  const [isOpen, { open, close }] = useDisclosure()
  const revoking = useMutation({
    mutationFn: () => deleteOwnKey(apiKey.id),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['own-api-keys'] })
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
        Programs with this key are refused at once. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}
