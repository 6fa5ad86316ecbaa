import { Anchor, Button, Code, Group, List, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import type { IssuePaths, ProjectIssue } from '../../../api/resources.ts'
import { Description } from '../../../components/description.tsx'
import { Note } from '../../../components/note.tsx'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { SeverityBadge } from '../../../ui/severity.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { upperFirst } from '../../../ui/words.ts'
import { IgnoreForm } from '../ignores/ignore-form.tsx'
import { reasonName } from '../ignores/words.ts'
import { TriagePanel } from '../triage/panel.tsx'
import { describeFix, namesOf, pathText, toIgnorePath } from './issue-words.ts'

const FIRST_PATHS = 10

interface Props {
  readonly orgId: string
  readonly projectId: string
  readonly issue: ProjectIssue
  /** False if the issue left the list: then its data may be outdated. */
  readonly isInSight: boolean
}

export function IssueDetails({ orgId, projectId, issue, isInSight }: Props) {
  const [isIgnoring, setIgnoring] = useState(false)
  const [wasIgnored, setWasIgnored] = useState(false)
  const paths = useQuery({
    queryKey: ['project', orgId, projectId, 'paths', issue.id],
    queryFn: () =>
      call('listIssuePathsV1', { params: { orgId, projectId, issueId: issue.id }, query: { perPage: 100, page: 1 } }),
  })
  const ignorePaths = [...new Set((paths.data?.paths ?? []).map(toIgnorePath))]
  return (
    <Stack>
      <About issue={issue} />
      {wasIgnored && <Text role="status">{wordsOfIgnored(issue, isInSight)}</Text>}
      {isIgnoring ? (
        <Paper withBorder p="md">
          <IgnoreForm
            orgId={orgId}
            projectId={projectId}
            issueId={issue.id}
            paths={ignorePaths}
            onDone={() => {
              setIgnoring(false)
              setWasIgnored(true)
            }}
            onCancel={() => setIgnoring(false)}
          />
        </Paper>
      ) : (
        <Group>
          <Button variant="default" onClick={() => setIgnoring(true)}>
            Ignore…
          </Button>
        </Group>
      )}
      {issue.issueType === 'vuln' && <TriagePanel orgId={orgId} projectId={projectId} issueId={issue.id} />}
      <ReadingAlert title="Could not load the paths" reading={paths} />
      {paths.isPending ? (
        <Skeleton height={80} />
      ) : (
        paths.data && <Paths paths={paths.data} isFixSought={issue.issueType === 'vuln'} />
      )}
      {issue.issueData.description !== undefined && issue.issueData.description !== '' && (
        <>
          <Title order={3} size="h5">
            Description
          </Title>
          <Description text={issue.issueData.description} />
        </>
      )}
    </Stack>
  )
}

function wordsOfIgnored({ isIgnored }: ProjectIssue, isInSight: boolean): string {
  if (!isInSight) return 'Ignore saved.'
  return isIgnored ? 'Issue ignored.' : 'Ignore saved; the issue still counts on other paths.'
}

function About({ issue }: { issue: ProjectIssue }) {
  const { issueData: data, fixInfo, pkgName, pkgVersions } = issue
  return (
    <Facts
      of={[
        ['Severity', <SeverityBadge key="severity" severity={data.severity} />],
        [
          'State',
          <StateBadge key="state" tone={issue.isIgnored ? 'quiet' : 'bad'}>
            {issue.isIgnored ? 'ignored' : issue.pathIgnores ? 'open, ignored on some paths' : 'open'}
          </StateBadge>,
        ],
        ['CVSS', data.CVSSv3 ? `${data.cvssScore ?? ''} ${data.CVSSv3}` : undefined],
        ['Package', <Code key="package">{`${pkgName}@${pkgVersions.join(', ')}`}</Code>],
        ['Affected', data.semver?.vulnerable.join(' or ')],
        ['Fixed in', fixInfo.nearestFixedInVersion || undefined],
        ['Without known issues', fixInfo.recommendedVersion],
        ['Remedy', describeFix(issue)],
        ['Published', data.publicationTime && <RelativeTime key="published" time={data.publicationTime} />],
        ['Known as', namesOf(issue)],
        [
          'Read more',
          /^https?:\/\//i.test(data.url) ? (
            <Anchor key="url" href={data.url} target="_blank" rel="noopener noreferrer nofollow" size="sm">
              {data.url}
            </Anchor>
          ) : undefined,
        ],
      ]}
    />
  )
}

/** Shows the paths to the package, shortest first. */
function Paths({
  paths: { paths, pathAdvice, pathIgnores, total },
  isFixSought,
}: {
  paths: IssuePaths
  isFixSought: boolean
}) {
  const [isAll, setAll] = useState(false)
  const shown = isAll ? paths : paths.slice(0, FIRST_PATHS)
  return (
    <>
      <Title order={3} size="h5">
        {total === 1 ? 'Introduced through' : `Introduced through ${total.toLocaleString()} paths`}
      </Title>
      <List type="ordered" size="sm" spacing="xs">
        {shown.map((path, at) => (
          <List.Item key={pathText(path)}>
            <span className="breakable">{pathText(path)}</span>
            <Ignores of={pathIgnores[at] ?? []} />
            {isFixSought && <Note size="sm">{upperFirst(pathAdvice[at]!)}</Note>}
          </List.Item>
        ))}
      </List>
      {paths.length > shown.length && (
        <Anchor component="button" type="button" ta="start" size="sm" onClick={() => setAll(true)}>
          Show {paths.length === total ? `all ${total}` : `the first ${paths.length}`}
        </Anchor>
      )}
    </>
  )
}

/** Shows the reason for which a path is ignored. */
function Ignores({ of }: { of: IssuePaths['pathIgnores'][number] }) {
  return of.map(({ path, reason, reasonType, ignoredBy }) => (
    <Text key={path} component="div" size="sm" className="breakable">
      <StateBadge tone="quiet">ignored</StateBadge> {reasonName(reasonType)}: {reason} ({ignoredBy.name})
    </Text>
  ))
}
