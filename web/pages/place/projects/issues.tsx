import { Alert, Anchor, Code, Group, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Body, call } from '../../../api/client.ts'
import type { ProjectIssue } from '../../../api/resources.ts'
import { Note } from '../../../components/note.tsx'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { useDrawer } from '../../../hooks/place.ts'
import { withParameters } from '../../../router/history.ts'
import { useSearchParams } from '../../../router/react.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Drawer } from '../../../ui/dialogs.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { WarningIcon } from '../../../ui/icons.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { type Severity, SeverityBadge, severities, sumOf } from '../../../ui/severity.tsx'
import { SeverityFilter } from '../../../ui/severity-filter.tsx'
import { pathWords, reasonName } from '../ignores/words.ts'
import { OwnerAndDue } from '../triage/owner-and-due.tsx'
import { IssueDetails } from './issue-details.tsx'
import { describeFix, keyOf, namesOf } from './issue-words.ts'
import type { OfProject } from './of-project.ts'

const PER_PAGE = 25

type Filters = NonNullable<Body<'listAggregatedIssuesV1'>['filters']>

/** Shows a project's current issues, including ignored ones with their reasons. */
export function ProjectIssues({ orgId, project }: OfProject) {
  const address = useDrawer()
  // Keep an issue in the drawer that leaves the list because it was ignored.
  const [last, setLast] = useState<ProjectIssue>()
  const open = useIssues({ orgId, project }, 'open')
  const ignored = useIssues({ orgId, project }, 'ignored')
  const failed = [open, ignored].find(({ reading }) => reading.isError)
  if (failed) {
    const { error, refetch } = failed.reading
    return <RefusalAlert title="Could not load the issues" error={error} onRetry={() => void refetch()} />
  }
  const [issues, hidden] = [open.reading.data, ignored.reading.data]
  const inSight = [...(issues?.issues ?? []), ...(hidden?.issues ?? [])]
  const isOpened = (issue: ProjectIssue) => keyOf(issue) === address.opened
  const now = inSight.find(isOpened)
  const shown = now ?? (last && isOpened(last) ? last : undefined)
  const isMissing = address.opened !== undefined && issues !== undefined && hidden !== undefined && !shown
  function setShown(issue: ProjectIssue | undefined) {
    setLast(issue)
    address.open(issue && keyOf(issue))
  }
  const isNone = issues !== undefined && sumOf(issues.counts) === 0
  return (
    <Stack gap="lg">
      {isMissing && (
        <Alert color="yellow" icon={<WarningIcon />} role="alert">
          The issue of this address is not on this page. It may be fixed, or on another page of the list.
        </Alert>
      )}
      {isNone ? (
        <Empty title={hidden && hidden.total > 0 ? 'No open issues' : 'No known issues'}>
          No further issues in the tested packages. Coverage lists what was tested.
        </Empty>
      ) : (
        <>
          {issues && <SeverityFilter counts={issues.counts} chosen={open.severity} onChoose={open.choose} />}
          {issues?.total === 0 ? (
            <Empty title="No matching issues">No issues with this severity.</Empty>
          ) : (
            <OpenIssues issues={issues?.issues} onShow={setShown} />
          )}
          <Turning of="issues" list={open} />
        </>
      )}
      {hidden && hidden.total > 0 && (
        <Stack gap="xs">
          <Title order={2} size="h4">
            Ignored
          </Title>
          <IgnoredIssues issues={hidden.issues} onShow={setShown} />
          <Turning of="ignored issues" list={ignored} />
        </Stack>
      )}
      <Drawer opened={shown !== undefined} onClose={() => setShown(undefined)} size="xl" title={shown?.issueData.title}>
        {shown && (
          <IssueDetails
            key={keyOf(shown)}
            orgId={orgId}
            projectId={project.id}
            issue={shown}
            isInSight={now !== undefined}
          />
        )}
      </Drawer>
    </Stack>
  )
}

/**
 * Returns a list of the page. Its position is part of the address, so that the browser's back button also turns pages.
 */
function useIssues({ orgId, project }: OfProject, which: 'open' | 'ignored') {
  const [parameters, setParameters] = useSearchParams()
  const pageName = which === 'open' ? 'page' : 'ignored_page'
  const page = Math.max(1, Math.floor(Number(parameters.get(pageName))) || 1)
  const severity = which === 'open' ? severities.find((severity) => severity === parameters.get('severity')) : undefined
  const filters = { ignored: which === 'ignored', ...(severity !== undefined && { severities: [severity] }) }
  const reading = useQuery({
    queryKey: ['project', orgId, project.id, 'issues', filters, page],
    queryFn: () => listIssues(orgId, project.id, { filters, page }),
    placeholderData: keepPreviousData,
  })
  const change = (values: Readonly<Record<string, string | undefined>>) =>
    setParameters(withParameters(parameters, values))
  return {
    reading,
    severity,
    page,
    choose: (chosen: Severity | undefined) => change({ severity: chosen, page: undefined }),
    turnTo: (to: number) => change({ [pageName]: to === 1 ? undefined : String(to) }),
  }
}

/** Reads a page of issues, with the number of those that match the filters, and counts over all severities. */
async function listIssues(orgId: string, projectId: string, { filters, page }: { filters: Filters; page: number }) {
  const query = { page, perPage: PER_PAGE }
  const body = { includeDescription: true, filters }
  const { issues, total, counts } = await call('listAggregatedIssuesV1', { params: { orgId, projectId }, query, body })
  return { issues, total: total!, counts: counts! }
}

/** Pager that announces page changes to assistive technology. */
function Turning({
  of,
  list: { reading, severity, page, turnTo },
}: {
  of: string
  list: ReturnType<typeof useIssues>
}) {
  const { data, isPlaceholderData } = reading
  const total = data?.total ?? 0
  const last = Math.max(1, Math.ceil(total / PER_PAGE))
  if (!data || (last === 1 && page === 1)) return null
  const first = (page - 1) * PER_PAGE + 1
  const count = total.toLocaleString()
  // An issue in two packages has two rows, but the page shows one total, the number of issues.
  const issues = severity === undefined ? sumOf(data.counts) : data.counts[severity]
  const range = `${first.toLocaleString()} to ${Math.min(total, first + PER_PAGE - 1).toLocaleString()}`
  const part = page > last ? `There are only ${count} ${of}` : `${range} of ${count} ${of}`
  return (
    <Group justify="space-between">
      <Text size="sm" role="status">
        {!isPlaceholderData && (issues === total ? part : `Page ${page} of ${last}`)}
      </Text>
      <Pager
        label={`Pages of ${of}`}
        onPrevious={page > 1 ? () => turnTo(Math.min(page - 1, last)) : undefined}
        onNext={page < last ? () => turnTo(page + 1) : undefined}
      />
    </Group>
  )
}

type OnShow = (issue: ProjectIssue) => void

function columnsOf(onShow: OnShow): Column<ProjectIssue>[] {
  return [
    {
      name: 'Severity',
      width: '7rem',
      cell: ({ issueData }) => <SeverityBadge severity={issueData.severity} />,
    },
    {
      name: 'Issue',
      cell: (issue) => (
        <>
          <Anchor component="button" type="button" ta="start" fw={600} onClick={() => onShow(issue)}>
            {issue.issueData.title}
          </Anchor>
          <Note>{namesOf(issue)}</Note>
        </>
      ),
    },
    {
      name: 'Package',
      width: '12rem',
      cell: ({ pkgName, pkgVersions }) => <Code>{`${pkgName}@${pkgVersions.join(', ')}`}</Code>,
    },
  ]
}

const ownerColumn: Column<ProjectIssue> = {
  name: 'Owner and due date',
  width: '12rem',
  cell: ({ assignee, dueOn, isIgnored }) => <OwnerAndDue issue={{ assignee, due_on: dueOn, ignored: isIgnored }} />,
}

function OpenIssues({ issues, onShow }: { issues: readonly ProjectIssue[] | undefined; onShow: OnShow }) {
  return (
    <DataTable
      label="Issues"
      rows={issues}
      rowKey={keyOf}
      columns={[
        ...columnsOf(onShow),
        { name: 'Fix', width: '14rem', cell: (issue) => <Text size="sm">{describeFix(issue)}</Text> },
        ...(issues?.some(({ assignee, dueOn }) => assignee !== undefined || dueOn !== undefined) ? [ownerColumn] : []),
      ]}
    />
  )
}

/** Lists ignored issues. Several ignores of different paths may hide an issue together. */
function IgnoredIssues({ issues, onShow }: { issues: readonly ProjectIssue[]; onShow: OnShow }) {
  return (
    <DataTable
      label="Ignored issues"
      rows={issues}
      rowKey={keyOf}
      columns={[
        ...columnsOf(onShow),
        {
          name: 'Ignored because',
          width: '24rem',
          cell: ({ ignoreReasons = [] }) => (
            <Stack gap="xs">
              {ignoreReasons.map((ignore) => (
                <Reason key={ignore.path} ignore={ignore} />
              ))}
            </Stack>
          ),
        },
      ]}
    />
  )
}

type IgnoreReason = NonNullable<ProjectIssue['ignoreReasons']>[number]

function Reason({ ignore: { reason, reasonType, ignoredBy, expires, path } }: { ignore: IgnoreReason }) {
  return (
    <div>
      <Text size="sm" className="breakable">
        <strong>{reasonName(reasonType)}:</strong> {reason}
      </Text>
      <Text size="xs" c="dimmed" className="breakable">
        By {ignoredBy.name}.{' '}
        {expires === undefined ? (
          'No end'
        ) : (
          <>
            Ends <Age time={expires} />
          </>
        )}
        . On {pathWords(path)}.
      </Text>
    </div>
  )
}
