import { Code, Text } from '@mantine/core'
import { listIssues, type OrgIssue, packagesOf } from '../../../api/issues.ts'
import type { IssueQuery, IssueSort } from '../../../api/resources.ts'
import { FoldedFilters } from '../../../components/folded-filters.tsx'
import { Listing } from '../../../components/listing.tsx'
import { Note } from '../../../components/note.tsx'
import { useList } from '../../../hooks/list.ts'
import { countActive, useFilters, usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ButtonLink, PageLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { type Severity, SeverityBadge } from '../../../ui/severity.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { OwnerAndDue } from '../triage/owner-and-due.tsx'
import { type Filters, filterNames, firstSort, IssueFilters } from './filters.tsx'
import { Reasons } from './group-reasons.tsx'

/** Lists the issues of all projects, each issue once per project. */
export function Issues() {
  const { id: orgId } = usePlace()
  const { filters, apply } = useFilters(filterNames, { by: 'issue' })
  const list = useList(['issues', orgId, filters], (query) => listIssues(orgId, { ...query, ...toQuery(filters) }))
  const active = countActive(filters)
  const isNarrowed = active > 0
  return (
    <Page
      title="Issues"
      lead={describe(filters)}
      actions={
        <ButtonLink to={paths.issues(orgId)} variant="default">
          Group issues
        </ButtonLink>
      }
    >
      <FoldedFilters active={active}>
        <IssueFilters filters={filters} onApply={apply} />
      </FoldedFilters>
      <Listing
        things="issues"
        list={list}
        columns={[
          {
            name: 'Severity',
            width: '7rem',
            cell: ({ attributes }) => <SeverityBadge severity={levelOf(attributes)} />,
          },
          { name: 'Issue', cell: (issue) => <Name orgId={orgId} issue={issue} /> },
          { name: 'Package', width: '12rem', cell: (issue) => <PackageNames issue={issue} /> },
          { name: 'Project', width: '14rem', cell: (issue) => <Project orgId={orgId} issue={issue} /> },
          { name: 'State', width: '14rem', cell: (issue) => <State issue={issue} /> },
          { name: 'Known', width: '7.5rem', cell: (issue) => <Known issue={issue} /> },
        ]}
        empty={
          <Empty title={isNarrowed ? 'No matching issues' : 'No known issues'}>
            {isNarrowed ? 'Nothing matches these filters.' : 'No issues in the tested projects.'}
          </Empty>
        }
      />
    </Page>
  )
}

function describe({ ignored }: Filters): string {
  if (ignored === undefined) return 'Current issues of all projects, ignored ones included.'
  return `${ignored === 'true' ? 'Ignored' : 'Open'} issues of all projects.`
}

function toQuery({ effective_severity_level: level, ignored, type, sort, overdue, ...texts }: Filters): IssueQuery {
  return {
    ...texts,
    ...(overdue === 'true' && { overdue: true }),
    ...(level !== undefined && { effective_severity_level: [level as Severity] }),
    ...(ignored !== undefined && { ignored: ignored === 'true' }),
    ...(type !== undefined && { type: type as NonNullable<IssueQuery['type']> }),
    sort: (sort ?? firstSort) as IssueSort,
  }
}

function levelOf({ effective_severity_level }: OrgIssue['attributes']): Severity {
  return effective_severity_level as Severity
}

function Name({ orgId, issue: { attributes } }: { orgId: string; issue: OrgIssue }) {
  const { key, title, risk } = attributes
  return (
    <>
      {attributes.type === 'license' ? (
        <Text span size="sm" fw={600}>
          {title}
        </Text>
      ) : (
        <PageLink to={paths.vulnerability(orgId, key)} fw={600} c="inherit">
          {title}
        </PageLink>
      )}
      <Note>{key}</Note>
      <Reasons
        group={{ attributes: { ...attributes, name: title, risk_score: risk.score.value, risk_factors: risk.factors } }}
      />
    </>
  )
}

function PackageNames({ issue }: { issue: OrgIssue }) {
  return packagesOf(issue).map((name) => <Code key={name}>{name}</Code>)
}

function Project({ orgId, issue }: { orgId: string; issue: OrgIssue }) {
  return <PageLink to={paths.project(orgId, issue.relationships.scan_item.data.id)}>{issue.projectName}</PageLink>
}

function State({ issue: { attributes } }: { issue: OrgIssue }) {
  return (
    <>
      <StateBadge tone={attributes.ignored ? 'quiet' : 'bad'}>{attributes.ignored ? 'ignored' : 'open'}</StateBadge>{' '}
      <OwnerAndDue issue={attributes} />
      {attributes.ignores?.map(({ path, reason, ignored_by }) => (
        <Text key={path} size="xs" c="dimmed">
          {reason} ({ignored_by.name})
        </Text>
      ))}
    </>
  )
}

function Known({ issue: { attributes } }: { issue: OrgIssue }) {
  return attributes.created_at === null ? '' : <Age time={attributes.created_at} />
}
