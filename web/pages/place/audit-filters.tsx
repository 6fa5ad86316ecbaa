import { Autocomplete, Button, Group, Paper, SimpleGrid, TextInput } from '@mantine/core'
import { useLiveFilters } from '../../hooks/live-filters.ts'

export const filterNames = ['action', 'from', 'to', 'actor_id', 'target_id'] as const

export type Filters = { readonly [Name in (typeof filterNames)[number]]?: string | undefined }

interface Props {
  readonly filters: Filters
  readonly onApply: (filters: Filters) => void
}

const actions = [
  'service_account.*',
  'service_account.create',
  'service_account.delete',
  'api_key.*',
  'membership.*',
  'role.*',
  'org.*',
  'user.*',
]

export function AuditFilters({ filters, onApply }: Props) {
  const { draft, type, flush, text, time, clear } = useLiveFilters(filters, onApply)
  return (
    <Paper withBorder p="md" role="group" aria-label="Filters">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        <Autocomplete
          label="Action"
          placeholder="service_account.*"
          data={actions}
          value={draft.action ?? ''}
          onChange={(value) => type('action', value)}
          onBlur={flush}
        />
        <TextInput label="From" {...time('from')} />
        <TextInput label="To" {...time('to')} />
        <TextInput label="Actor id" {...text('actor_id')} />
        <TextInput label="Target id" {...text('target_id')} />
        <Group gap="sm" align="flex-end">
          <Button variant="default" onClick={() => clear({})} disabled={Object.keys(filters).length === 0}>
            Clear
          </Button>
        </Group>
      </SimpleGrid>
    </Paper>
  )
}
