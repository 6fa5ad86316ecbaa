import { Button, Group, NativeSelect, Paper, SimpleGrid, TextInput } from '@mantine/core'
import { useLiveFilters } from '../../../hooks/live-filters.ts'
import { countActive } from '../../../hooks/place.ts'
import { projectTypes } from '../../../ui/project-types.ts'
import { optionsOf } from '../../../ui/words.ts'
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
  const { draft, choice, text, clear } = useLiveFilters(filters, onApply)
  return (
    <Paper withBorder p="md" role="group" aria-label="Filters">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        <TextInput label="Name contains" aria-keyshortcuts="f" {...text('name')} />
        <NativeSelect label="Type" {...choice('types')} data={optionsOf({ '': 'Any', ...projectTypes })} />
        <NativeSelect label="Came from" {...choice('origins')} data={optionsOf({ '': 'Anywhere', ...sources })} />
        <NativeSelect
          label="Status"
          {...choice('status')}
          data={optionsOf({ '': 'Any', active: 'Active', inactive: 'Inactive' })}
        />
        <TextInput label="Branch" {...text('target_reference')} />
        <TextInput label="Tag" placeholder="team:payments" {...text('tags')} />
        <NativeSelect label="Order" {...choice('sort')} value={draft.sort ?? firstSort} data={optionsOf(sorts)} />
        <Group gap="sm" align="flex-end">
          <Button variant="default" disabled={countActive(filters) === 0} onClick={() => clear({ sort: filters.sort })}>
            Clear
          </Button>
        </Group>
      </SimpleGrid>
    </Paper>
  )
}
