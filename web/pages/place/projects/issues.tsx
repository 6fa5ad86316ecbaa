import { Anchor, Button, Code, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReasonType } from '../../../api/ignores.ts'
import { listIssuesOf, type ProjectIssue } from '../../../api/project-issues.ts'
import { RefusalAlert } from '../../../refusal-alert.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Age } from '../../../ui/moment.tsx'
import { type Severity, SeverityBadge } from '../../../ui/severity.tsx'
import { SeverityFilter } from '../../../ui/severity-filter.tsx'
import { pathWords, reasonTypes } from '../ignores/words.ts'
import { IssueDetails } from './issue-details.tsx'
import { countBySeverity, describeFix, keyOf, namesOf } from './issue-words.ts'
import type { OfProject } from './one.tsx'

/** Rows that are drawn before the reader asks for more. */
const FIRST_ROWS = 50

/** What is known against a project now; what is ignored stays in sight, with who left it and why. */
export function ProjectIssues({ orgId, project }: OfProject) {
  const [severity, setSeverity] = useState<Severity>()
  const [shownKey, setShown] = useState<string>()
  const reading = useQuery({
    queryKey: ['project', orgId, project.id, 'issues'],
    queryFn: () => listIssuesOf(orgId, project.id),
  })
  if (reading.isError) {
    return (
      <RefusalAlert title="The issues cannot be read" error={reading.error} onRetry={() => void reading.refetch()} />
    )
  }
  const issues = reading.data
  const open = issues?.filter(({ isIgnored }) => !isIgnored)
  const ignored = issues?.filter(({ isIgnored }) => isIgnored) ?? []
  const chosen = open?.filter(({ issueData }) => severity === undefined || issueData.severity === severity)
  const shown = issues?.find((issue) => keyOf(issue) === shownKey)
  const show = (issue: ProjectIssue) => setShown(keyOf(issue))
  return (
    <Stack gap="lg">
      {open?.length === 0 ? (
        <Empty title={ignored.length > 0 ? 'No issue that is not ignored' : 'No known issue'}>
          Nothing more is known against the packages that were tested; what was is said under Coverage.
        </Empty>
      ) : (
        <>
          {open && <SeverityFilter counts={countBySeverity(open)} chosen={severity} onChoose={setSeverity} />}
          <OpenIssues issues={chosen} onShow={show} />
        </>
      )}
      {ignored.length > 0 && (
        <Stack gap="xs">
          <Title order={2} size="h4">
            Ignored
          </Title>
          <IgnoredIssues issues={ignored} onShow={show} />
        </Stack>
      )}
      <Drawer
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        position="right"
        size="xl"
        title={shown?.issueData.title}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {shown && <IssueDetails key={shownKey} orgId={orgId} projectId={project.id} issue={shown} />}
      </Drawer>
    </Stack>
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
          <Text size="xs" c="dimmed">
            {namesOf(issue)}
          </Text>
        </>
      ),
    },
    { name: 'Package', width: '12rem', cell: (issue) => <PackageName issue={issue} /> },
  ]
}

function PackageName({ issue: { pkgName, pkgVersions } }: { issue: ProjectIssue }) {
  return (
    <Code>
      {pkgName}@{pkgVersions.join(', ')}
    </Code>
  )
}

function OpenIssues({ issues, onShow }: { issues: readonly ProjectIssue[] | undefined; onShow: OnShow }) {
  const [rows, setRows] = useState(FIRST_ROWS)
  const rest = (issues?.length ?? 0) - rows
  return (
    <>
      <DataTable
        label="Issues"
        rows={issues?.slice(0, rows)}
        rowKey={keyOf}
        columns={[
          ...columnsOf(onShow),
          { name: 'Fix', width: '14rem', cell: (issue) => <Text size="sm">{describeFix(issue)}</Text> },
        ]}
      />
      {rest > 0 && (
        <Group justify="center">
          <Button variant="default" onClick={() => setRows(rows + FIRST_ROWS)}>
            Show more ({rest})
          </Button>
        </Group>
      )}
    </>
  )
}

/** Several ignores of different paths may hide an issue together. */
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
        <strong>{reasonTypes[reasonType as ReasonType]?.name ?? reasonType}:</strong> {reason}
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
