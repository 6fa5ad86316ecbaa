import { Anchor, Code, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type IssueQuery, type IssueSort, listIssues, type OrgIssue } from '../../../api/issues.ts'
import { Listing } from '../../../listing.tsx'
import { paths } from '../../../paths.ts'
import { useFilters, usePageOfList, usePlace } from '../../../place.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Age } from '../../../ui/moment.tsx'
import { Page } from '../../../ui/page.tsx'
import { type Severity, SeverityBadge } from '../../../ui/severity.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { type Filters, filterNames, firstSort, IssueFilters } from './filters.tsx'

/** What is known against any project, each issue of each project once. */
export function Issues() {
  const { id: orgId } = usePlace()
  const { query, turns } = usePageOfList()
  const { filters, apply } = useFilters(filterNames)
  const reading = useQuery({
    queryKey: ['issues', orgId, query, filters],
    queryFn: () => listIssues(orgId, { ...query, ...toQuery(filters) }),
    placeholderData: keepPreviousData,
  })
  const isNarrowed = filterNames.some((name) => name !== 'sort' && filters[name] !== undefined)
  return (
    <Page title="Issues" lead="What is known against the packages of all projects, as of now; what is ignored says so.">
      <IssueFilters key={JSON.stringify(filters)} filters={filters} onApply={apply} />
      <Listing
        things="issues"
        label="Issues"
        reading={reading}
        turns={turns}
        columns={[
          {
            name: 'Severity',
            width: '7rem',
            cell: ({ attributes }) => <SeverityBadge severity={levelOf(attributes)} />,
          },
          { name: 'Issue', cell: (issue) => <Name issue={issue} /> },
          { name: 'Package', width: '10rem', cell: (issue) => <PackageNames issue={issue} /> },
          { name: 'Project', cell: (issue) => <Project orgId={orgId} issue={issue} /> },
          { name: 'State', width: '8rem', cell: (issue) => <State issue={issue} /> },
          { name: 'Known', width: '7.5rem', cell: (issue) => <Known issue={issue} /> },
        ]}
        empty={
          <Empty title={isNarrowed ? 'No such issue' : 'No known issue'}>
            {isNarrowed
              ? 'Nothing matches these filters.'
              : 'Nothing is known against the packages of the projects that were tested.'}
          </Empty>
        }
      />
    </Page>
  )
}

function toQuery({ effective_severity_level: level, ignored, type, sort, ...texts }: Filters): IssueQuery {
  return {
    ...texts,
    ...(level !== undefined && { effective_severity_level: [level as Severity] }),
    ...(ignored !== undefined && { ignored: ignored === 'true' }),
    ...(type !== undefined && { type: type as NonNullable<IssueQuery['type']> }),
    sort: (sort ?? firstSort) as IssueSort,
  }
}

function levelOf({ effective_severity_level }: OrgIssue['attributes']): Severity {
  return effective_severity_level as Severity
}

function Name({ issue: { attributes } }: { issue: OrgIssue }) {
  return (
    <>
      <Text span size="sm" fw={600}>
        {attributes.title}
      </Text>
      <Text size="xs" c="dimmed">
        {attributes.key}
      </Text>
    </>
  )
}

function PackageNames({ issue: { attributes } }: { issue: OrgIssue }) {
  const packages = attributes.coordinates.flatMap(({ representations }) =>
    representations.map(({ dependency }) => `${dependency.package_name}@${dependency.package_version}`),
  )
  return [...new Set(packages)].map((name) => <Code key={name}>{name}</Code>)
}

function Project({ orgId, issue }: { orgId: string; issue: OrgIssue }) {
  return (
    <Anchor component={Link} to={paths.project(orgId, issue.relationships.scan_item.data.id)}>
      {issue.projectName}
    </Anchor>
  )
}

function State({ issue: { attributes } }: { issue: OrgIssue }) {
  return (
    <>
      <StateBadge tone={attributes.ignored ? 'quiet' : 'bad'}>{attributes.ignored ? 'ignored' : 'open'}</StateBadge>
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
