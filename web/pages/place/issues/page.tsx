import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type GroupTotals, listIssueGroups } from '../../../api/issue-groups.ts'
import type { Grouping } from '../../../api/resources.ts'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { useExploitedCatalog } from '../../../hooks/exploited-catalog.ts'
import { usePageOfList, usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { withParameters } from '../../../router/history.ts'
import { useSearchParams } from '../../../router/react.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { countOf } from '../../../ui/words.ts'
import { BulkBar } from './bulk-bar.tsx'
import { ExportMenu } from './export-menu.tsx'
import { filterNames as flatFilterNames } from './filters.tsx'
import { GroupFilterRow } from './group-filters.tsx'
import { filterNames, type GroupFilters, groupingOf, isNarrowed, toGroupQuery } from './group-query.ts'
import { GroupTable, type Selection } from './group-table.tsx'
import { Issues } from './list.tsx'
import { Views } from './views.tsx'

/** Issues by vulnerability, package or project; `by=issue` lists each issue once per project. */
export function IssuesPage() {
  const [parameters] = useSearchParams()
  const isFlat = flatFilterNames.some((name) => name !== 'sort' && parameters.has(name))
  return parameters.get('by') === 'issue' || isFlat ? <Issues /> : <GroupedIssues />
}

function GroupedIssues() {
  const { id: orgId } = usePlace()
  const { query, turns } = usePageOfList()
  const { filters, change, opened, open } = useAddress()
  const hasExploited = useExploitedCatalog(orgId)
  const grouping = groupingOf(filters)
  const selection = useSelection(JSON.stringify([query, filters]))
  const reading = useQuery({
    queryKey: ['issue-groups', orgId, query, filters],
    queryFn: () => listIssueGroups(orgId, { ...query, ...toGroupQuery(filters) }),
    // Rows of another grouping do not match the columns.
    placeholderData: (shown, before) => (isSameGrouping(before?.queryKey, grouping) ? shown : undefined),
  })
  const { data, totals } = reading.data ?? {}
  // Rows that are about to be replaced must not be selected.
  const isSelectable = grouping === 'vulnerability' && !reading.isPlaceholderData
  const selected = data?.filter(({ id }) => selection.ids.has(id)) ?? []
  return (
    <Page
      title="Issues"
      lead={
        totals && (
          <Text span size="sm">
            {totalWords(totals, filters)}
          </Text>
        )
      }
      actions={
        <Group gap="xs">
          <ExportMenu orgId={orgId} query={toGroupQuery(filters)} />
          <ButtonLink to={`${paths.issues(orgId)}?by=issue`} variant="default">
            List each issue
          </ButtonLink>
        </Group>
      }
    >
      <Views orgId={orgId} filters={filters} hasExploited={hasExploited} />
      <GroupFilterRow filters={filters} hasExploited={hasExploited} onChange={change} />
      {reading.isError ? (
        <ReadingAlert title="Could not load the issues" reading={reading} />
      ) : data?.length === 0 ? (
        <NoIssues filters={filters} onClear={() => change(cleared)} />
      ) : (
        <GroupTable
          orgId={orgId}
          grouping={grouping}
          groups={data}
          expanded={opened}
          onExpand={open}
          selection={grouping === 'vulnerability' ? { ...selection, isDisabled: !isSelectable } : undefined}
        />
      )}
      <BulkBar orgId={orgId} selected={selected} onClear={selection.clear} />
      <Group justify="flex-end">
        <Pager label="Pages of issues" {...turns(reading.data?.links)} />
      </Group>
    </Page>
  )
}

/** Returns the selected groups of one page. Turning the page clears the selection. */
function useSelection(page: string): Omit<Selection, 'isDisabled'> & { clear(): void } {
  const [selected, setSelected] = useState({ page, ids: new Set<string>() })
  const ids = selected.page === page ? selected.ids : new Set<string>()
  return {
    ids,
    toggle: (changed, isOn) => {
      const next = new Set(ids)
      for (const id of changed) isOn ? next.add(id) : next.delete(id)
      setSelected({ page, ids: next })
    },
    clear: () => setSelected({ page, ids: new Set() }),
  }
}

function isSameGrouping(key: readonly unknown[] | undefined, grouping: Grouping): boolean {
  return groupingOf((key?.at(-1) ?? {}) as GroupFilters) === grouping
}

const cleared = Object.fromEntries(
  filterNames.filter((name) => name !== 'by' && name !== 'sort').map((name) => [name, undefined]),
)

/** Returns the list and the open group in the address. */
function useAddress() {
  const [parameters, setParameters] = useSearchParams()
  const filters = Object.fromEntries(
    filterNames.map((name) => [name, parameters.get(name) ?? undefined]),
  ) as GroupFilters

  return {
    filters,
    change: (part: GroupFilters) =>
      setParameters(withParameters(parameters, { ...part, after: undefined, before: undefined, open: undefined })),
    opened: parameters.get('open') ?? undefined,
    open: (id: string | undefined) => setParameters(withParameters(parameters, { open: id }), { replace: true }),
  }
}

function totalWords({ groups, issues }: GroupTotals, filters: GroupFilters): string {
  const grouping = groupingOf(filters)
  const counted = {
    vulnerability: countOf(groups, 'vulnerability', 'vulnerabilities'),
    package: countOf(groups, 'package'),
    project: countOf(groups, 'project'),
  }[grouping]
  return `${counted} · ${countOf(issues, 'open issue')}`
}

function NoIssues({ filters, onClear }: { filters: GroupFilters; onClear: () => void }) {
  if (!isNarrowed(filters)) return <Empty title="No open issues">No open issues in the tested projects.</Empty>
  return (
    <Empty title="No issues match these filters">
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    </Empty>
  )
}
