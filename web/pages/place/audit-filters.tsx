import { Autocomplete, Button, Group, Paper, SimpleGrid, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { toInstant, toLocal } from '../../ui/local-time.ts'

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
  const [wanted, setWanted] = useState(filters)
  const set = (name: keyof Filters) => (value: string) =>
    setWanted((now) => ({ ...now, [name]: value.trim() === '' ? undefined : value.trim() }))

  function submit(event: FormEvent) {
    event.preventDefault()
    onApply(wanted)
  }

  return (
    <Paper withBorder p="md">
      <form onSubmit={submit} aria-label="Filters">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
          <Autocomplete
            label="Action"
            placeholder="service_account.*"
            data={actions}
            value={wanted.action ?? ''}
            onChange={set('action')}
          />
          <TextInput
            type="datetime-local"
            label="From"
            value={toLocal(wanted.from)}
            onChange={(event) => set('from')(toInstant(event.currentTarget.value))}
          />
          <TextInput
            type="datetime-local"
            label="To"
            value={toLocal(wanted.to)}
            onChange={(event) => set('to')(toInstant(event.currentTarget.value))}
          />
          <TextInput
            label="Actor id"
            value={wanted.actor_id ?? ''}
            onChange={(event) => set('actor_id')(event.currentTarget.value)}
          />
          <TextInput
            label="Target id"
            value={wanted.target_id ?? ''}
            onChange={(event) => set('target_id')(event.currentTarget.value)}
          />
          <Group gap="sm" align="flex-end">
            <Button type="submit">Apply</Button>
            <Button variant="default" onClick={() => onApply({})} disabled={Object.keys(filters).length === 0}>
              Clear
            </Button>
          </Group>
        </SimpleGrid>
      </form>
    </Paper>
  )
}
