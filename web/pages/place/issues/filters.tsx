import { Button, Group, NativeSelect, Paper, SimpleGrid, TextInput } from '@mantine/core'
import type { IssueSort } from '../../../api/resources.ts'
import { useLiveFilters } from '../../../hooks/live-filters.ts'
import { countActive } from '../../../hooks/place.ts'
import { severities } from '../../../ui/severity.tsx'
import { optionsOf } from '../../../ui/words.ts'
import { OwnerChoice } from '../triage/filters.tsx'

export const filterNames = [
  'effective_severity_level',
  'ignored',
  'type',
  'package',
  'key',
  'created_after',
  'overdue',
  'assignee',
  'sort',
] as const
export type Filters = { readonly [Name in (typeof filterNames)[number]]?: string | undefined }

export const firstSort: IssueSort = '-priority'

const sorts: Readonly<Record<IssueSort, string>> = {
  '-priority': 'Worst first',
  '-severity': 'Highest severity first',
  severity: 'Lowest severity first',
  '-known': 'Newest first',
  known: 'Oldest first',
}

interface Props {
  readonly filters: Filters
  readonly onApply: (filters: Filters) => void
}

export function IssueFilters({ filters, onApply }: Props) {
  const { draft, choice, text, time, clear } = useLiveFilters(filters, onApply)
  return (
    <Paper withBorder p="md" role="group" aria-label="Filters">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        <NativeSelect
          label="Severity"
          {...choice('effective_severity_level')}
          data={[{ value: '', label: 'Any' }, ...severities]}
        />
        <NativeSelect
          label="State"
          {...choice('ignored')}
          data={optionsOf({ '': 'Any', false: 'Open', true: 'Ignored' })}
        />
        <NativeSelect
          label="Kind"
          {...choice('type')}
          data={optionsOf({ '': 'Vulnerabilities', license: 'Licenses' })}
        />
        <TextInput label="Package" placeholder="name or name@version" {...text('package')} />
        <TextInput label="Advisory" placeholder="Id of the advisory" {...text('key')} />
        <TextInput label="Known since" {...time('created_after')} />
        <NativeSelect label="Due date" {...choice('overdue')} data={optionsOf({ '': 'Any', true: 'Overdue' })} />
        <OwnerChoice label="Owner" value={draft.assignee} onChange={(assignee) => onApply({ ...filters, assignee })} />
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
