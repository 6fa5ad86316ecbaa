import { Button, Group, NativeSelect, Paper, SimpleGrid, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { IssueSort } from '../../../api/issues.ts'
import { countActive } from '../../../hooks/place.ts'
import { toInstant, toLocal } from '../../../ui/local-time.ts'
import { severities } from '../../../ui/severity.tsx'

export const filterNames = [
  'effective_severity_level',
  'ignored',
  'type',
  'package',
  'key',
  'created_after',
  'sort',
] as const
export type Filters = { readonly [Name in (typeof filterNames)[number]]?: string | undefined }

export const firstSort: IssueSort = '-severity'

const sorts: Readonly<Record<IssueSort, string>> = {
  '-severity': 'Worst first',
  severity: 'Least first',
  '-known': 'Newest first',
  known: 'Oldest first',
}

interface Props {
  readonly filters: Filters
  readonly onApply: (filters: Filters) => void
}

export function IssueFilters({ filters, onApply }: Props) {
  const [wanted, setWanted] = useState(filters)
  const field = (name: keyof Filters) => ({
    value: wanted[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setWanted((now) => ({ ...now, [name]: value.trim() }))
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    onApply(wanted)
  }

  return (
    <Paper withBorder p="md">
      <form onSubmit={submit} aria-label="Filters">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
          <NativeSelect
            label="Severity"
            {...field('effective_severity_level')}
            data={[{ value: '', label: 'Any' }, ...severities]}
          />
          <NativeSelect
            label="State"
            {...field('ignored')}
            data={[
              { value: '', label: 'Any' },
              { value: 'false', label: 'Open' },
              { value: 'true', label: 'Ignored' },
            ]}
          />
          <NativeSelect
            label="Kind"
            {...field('type')}
            data={[
              { value: '', label: 'Vulnerabilities' },
              { value: 'license', label: 'Licenses' },
            ]}
          />
          <TextInput label="Package" placeholder="name or name@version" spellCheck={false} {...field('package')} />
          <TextInput label="Advisory" placeholder="Id of the advisory" spellCheck={false} {...field('key')} />
          <TextInput
            type="datetime-local"
            label="Known since"
            value={toLocal(wanted.created_after)}
            onChange={({ currentTarget: { value } }) =>
              setWanted((now) => ({ ...now, created_after: toInstant(value) }))
            }
          />
          <NativeSelect
            label="Order"
            {...field('sort')}
            value={wanted.sort ?? firstSort}
            data={Object.entries(sorts).map(([value, label]) => ({ value, label }))}
          />
          <Group gap="sm" align="flex-end">
            <Button type="submit">Apply</Button>
            <Button
              variant="default"
              disabled={countActive(filters) === 0}
              onClick={() => onApply({ sort: filters.sort })}
            >
              Clear
            </Button>
          </Group>
        </SimpleGrid>
      </form>
    </Paper>
  )
}
