import { Group, NativeSelect, TextInput } from '@mantine/core'
import { registries } from '../../../api/registries.ts'
import { FoldedFilters } from '../../../components/folded-filters.tsx'
import { useLiveFilters } from '../../../hooks/live-filters.ts'
import { SearchIcon } from '../../../ui/icons.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { severities } from '../../../ui/severity.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { optionsOf, upperFirst } from '../../../ui/words.ts'
import { TriageChoices } from '../triage/filters.tsx'
import { type GroupFilters, groupingOf, groupings, sorts, stateWords } from './group-query.ts'
import styles from './groups.module.css'

interface Props {
  readonly filters: GroupFilters
  readonly hasExploited: boolean
  readonly onChange: (part: GroupFilters) => void
}

/** Choices apply immediately. On phones, all except the search are in a drawer. */
export function GroupFilterRow({ filters, hasExploited, onChange }: Props) {
  const active = (['severity', 'exploited', 'fix', 'state', 'registry', 'since', 'due', 'assignee'] as const).filter(
    (name) => filters[name],
  )
  return (
    <Group gap="xs" role="group" aria-label="Filters" align="center">
      <Segments
        aria-label="Group by"
        className={styles['grouping'] ?? ''}
        value={groupingOf(filters)}
        onChange={(by) => onChange({ by: by === 'vulnerability' ? undefined : by, sort: undefined })}
        options={optionsOf(groupings)}
      />
      <WordsFilter filters={filters} onChange={onChange} />
      <FoldedFilters active={active.length}>
        <Group gap="xs">
          <Choices filters={filters} hasExploited={hasExploited} onChange={onChange} />
        </Group>
      </FoldedFilters>
    </Group>
  )
}

function WordsFilter({ filters, onChange }: Omit<Props, 'hasExploited'>) {
  const { draft, type, flush } = useLiveFilters({ q: filters.q }, ({ q }) => onChange({ q }))
  return (
    <SubmitForm onSubmit={flush} aria-label="Search issues" className={styles['words']}>
      <TextInput
        type="search"
        aria-label="CVE, package or title"
        aria-keyshortcuts="f"
        placeholder={groupingOf(filters) === 'project' ? 'Project name' : 'CVE, package or title'}
        leftSection={<SearchIcon size={16} />}
        value={draft.q ?? ''}
        maxLength={200}
        spellCheck={false}
        onChange={({ currentTarget: { value } }) => type('q', value)}
        onBlur={flush}
      />
    </SubmitForm>
  )
}

const any = (label: string) => ({ value: '', label })

function Choices({ filters, hasExploited, onChange }: Props) {
  const choice = (name: keyof GroupFilters) => ({
    value: filters[name] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange({ [name]: value || undefined }),
  })
  const isByProject = groupingOf(filters) === 'project'
  return (
    <>
      <NativeSelect
        aria-label="Severity"
        {...choice('severity')}
        data={[any('Any severity'), ...severities.map((value) => ({ value, label: upperFirst(value) }))]}
      />
      {/* An address may still have the filter of a catalog that is gone. */}
      {(hasExploited || filters.exploited !== undefined) && (
        <NativeSelect
          aria-label="Exploited"
          {...choice('exploited')}
          data={optionsOf({ '': 'Exploited or not', yes: 'Exploited', no: 'Not exploited' })}
        />
      )}
      <NativeSelect
        aria-label="Fix"
        {...choice('fix')}
        data={optionsOf({ '': 'With or without fix', yes: 'Fix available', no: 'No fix yet' })}
      />
      <NativeSelect aria-label="State" {...choice('state')} data={optionsOf({ '': 'Open', ...stateWords })} />
      {groupingOf(filters) === 'vulnerability' && <TriageChoices filters={filters} onChange={onChange} />}
      {!isByProject && (
        <>
          <NativeSelect aria-label="Ecosystem" {...choice('registry')} data={[any('Any ecosystem'), ...registries]} />
          <NativeSelect
            aria-label="Order"
            {...choice('sort')}
            data={Object.entries(sorts).map(([value, label]) => ({
              value: value === '-priority' ? '' : value,
              label,
            }))}
          />
        </>
      )}
    </>
  )
}
