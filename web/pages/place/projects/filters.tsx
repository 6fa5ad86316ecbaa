import { Button, Group, NativeSelect, Paper, SimpleGrid, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { countActive } from '../../../hooks/place.ts'
import { projectTypes } from '../../../ui/project-types.ts'
import { firstSort, sorts, sources } from './words.ts'

export const filterNames = [
  'name',
  'types',
  'status',
  'origins',
  'target_reference',
  'target_id',
  'tags',
  'sort',
] as const
export type Filters = { readonly [Name in (typeof filterNames)[number]]?: string | undefined }

interface Props {
  readonly filters: Filters
  readonly onApply: (filters: Filters) => void
}

export function ProjectFilters({ filters, onApply }: Props) {
  const [wanted, setWanted] = useState(filters)
  const set = (name: keyof Filters) => (value: string) => setWanted((now) => ({ ...now, [name]: value.trim() }))
  const isNarrowed = countActive(filters) > 0

  function submit(event: FormEvent) {
    event.preventDefault()
    onApply(wanted)
  }

  const choice = (name: keyof Filters, all: string, values: Readonly<Record<string, string>>) => ({
    value: wanted[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) => set(name)(event.currentTarget.value),
    data: [{ value: '', label: all }, ...Object.entries(values).map(([value, label]) => ({ value, label }))],
  })
  return (
    <Paper withBorder p="md">
      <form onSubmit={submit} aria-label="Filters">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
          <TextInput
            label="Name contains"
            aria-keyshortcuts="f"
            value={wanted.name ?? ''}
            onChange={(event) => set('name')(event.currentTarget.value)}
          />
          <NativeSelect label="Type" {...choice('types', 'Any', projectTypes)} />
          <NativeSelect label="Came from" {...choice('origins', 'Anywhere', sources)} />
          <NativeSelect label="Status" {...choice('status', 'Any', { active: 'Active', inactive: 'Inactive' })} />
          <TextInput
            label="Branch"
            value={wanted.target_reference ?? ''}
            onChange={(event) => set('target_reference')(event.currentTarget.value)}
          />
          <TextInput
            label="Tag"
            placeholder="team:payments"
            value={wanted.tags ?? ''}
            onChange={(event) => set('tags')(event.currentTarget.value)}
          />
          <NativeSelect
            label="Order"
            value={wanted.sort ?? firstSort}
            onChange={(event) => set('sort')(event.currentTarget.value)}
            data={Object.entries(sorts).map(([value, label]) => ({ value, label }))}
          />
          <Group gap="sm" align="flex-end">
            <Button type="submit">Apply</Button>
            <Button variant="default" disabled={!isNarrowed} onClick={() => onApply({ sort: filters.sort })}>
              Clear
            </Button>
          </Group>
        </SimpleGrid>
      </form>
    </Paper>
  )
}
