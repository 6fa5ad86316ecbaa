import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type GroupTotals, listIssueGroups } from '../../../api/issue-groups.ts'
import type { Grouping } from '../../../api/resources.ts'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { usePageOfList, usePlace } from '../../../hooks/place.ts'
import { useSelection } from '../../../hooks/selection.ts'
import { useSignals } from '../../../hooks/signals.ts'
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
import {
  filterNames,
  filterWords,
  type GroupFilters,
  groupingOf,
  isNarrowed,
  toGroupQuery,
  toSelection,
} from './group-query.ts'
import { GroupTable } from './group-table.tsx'
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
  const { missing, ...signals } = useSignals(orgId)
  const { hasExploited } = signals
  const grouping = groupingOf(filters)
  const selection = useSelection({ filters: JSON.stringify(filters), page: JSON.stringify(query) })
  const reading = useQuery({
    queryKey: ['issue-groups', orgId, query, filters],
    queryFn: () => listIssueGroups(orgId, { ...query, ...toGroupQuery(filters) }),
    // Rows of another grouping do not match the columns.
    placeholderData: (shown, before) => (isSameGrouping(before?.queryKey, grouping) ? shown : undefined),
  })
  const { data, totals } = reading.data ?? {}
  // Rows that are about to be replaced must not be selected.
  const isSelectable = grouping === 'vulnerability' && !reading.isPlaceholderData
  const shown = data?.map(({ id }) => id) ?? []
  return (
    <Page
      title="Issues"
      lead={
        totals && (
          <Text span size="sm">
            {[totalWords(totals, filters), ...missing].join(' · ')}
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
      <Group justify="space-between" gap="xs" mih={30}>
        {isSelectable && isNarrowed(filters) && totals && totals.groups > 0 ? (
          <Button size="compact-sm" variant="default" disabled={selection.isAll} onClick={selection.selectAll}>
            Select all {totals.groups.toLocaleString()} matching
          </Button>
        ) : (
          <span />
        )}
        {grouping !== 'project' && filters.sort === undefined && (
          <Text size="xs" c="dimmed">
            {orderWords(signals)}
          </Text>
        )}
      </Group>
      {reading.isError ? (
        <ReadingAlert title="Could not load the issues" reading={reading} />
      ) : data?.length === 0 ? (
        <NoIssues filters={filters} onClear={() => change(clearedFilters())} />
      ) : (
        <GroupTable
          orgId={orgId}
          grouping={grouping}
          groups={data}
          expanded={opened}
          onExpand={open}
          isByAge={filters.sort?.endsWith('known') ?? false}
          selection={
            grouping === 'vulnerability'
              ? {
                  isSelected: (id) => selection.isAll || selection.ids.has(id),
                  toggle: (ids, isOn) => selection.toggle(ids, { shown, isOn }),
                  isDisabled: !isSelectable,
                }
              : undefined
          }
        />
      )}
      {grouping === 'vulnerability' && (
        <BulkBar
          orgId={orgId}
          selection={selection}
          ids={shown.filter((id) => selection.ids.has(id))}
          matching={{ query: toSelection(filters), count: totals?.groups ?? 0, words: filterWords(filters) }}
        />
      )}
      <Group justify="flex-end">
        <Pager label="Pages of issues" {...turns(reading.data?.links)} />
      </Group>
    </Page>
  )
}

function isSameGrouping(key: readonly unknown[] | undefined, grouping: Grouping): boolean {
  return groupingOf((key?.at(-1) ?? {}) as GroupFilters) === grouping
}

/** A function: chunks of the bundle may run before those that they import from. */
function clearedFilters() {
  return Object.fromEntries(
    filterNames.filter((name) => name !== 'by' && name !== 'sort').map((name) => [name, undefined]),
  )
}

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

/** Names what decides the default order, in its sequence. */
function orderWords({ hasExploited, hasEpss }: { hasExploited: boolean; hasEpss: boolean }): string {
  const inputs = [hasExploited && 'exploited', 'severity', hasEpss && 'EPSS', 'score', 'projects', 'direct', 'fixable']
  return `Worst first: ${inputs.filter((words) => words !== false).join(', ')}`
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
