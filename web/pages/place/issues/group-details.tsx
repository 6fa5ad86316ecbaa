import { Code, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listIssueGroups } from '../../../api/issue-groups.ts'
import { listIssues, packagesOf } from '../../../api/issues.ts'
import type { Grouping, IssueGroup } from '../../../api/resources.ts'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { paths } from '../../../navigation/paths.ts'
import { PageLink } from '../../../ui/links.tsx'
import { SeverityBadge } from '../../../ui/severity.tsx'

const FIRST = 10

interface Props {
  readonly orgId: string
  readonly grouping: Grouping
  readonly group: IssueGroup
}

/** The first entries of a group, and a link to all of them. */
export function GroupDetails({ orgId, grouping, group }: Props) {
  if (grouping === 'package') return <Vulnerabilities orgId={orgId} group={group} />
  return <Issues orgId={orgId} grouping={grouping} group={group} />
}

function Issues({ orgId, grouping, group: { id, attributes } }: Props) {
  const isByProject = grouping === 'project'
  const reading = useQuery({
    queryKey: ['issues', orgId, grouping, id],
    queryFn: () => listIssues(orgId, { limit: FIRST, ...(isByProject ? { 'scan_item.id': id } : { key: id }) }),
  })
  if (reading.isError) return <Failed reading={reading} />
  if (!reading.data) return <Skeleton height={60} />
  return (
    <>
      <ul>
        {reading.data.data.map((issue) => {
          const { key, title, ignored } = issue.attributes
          const projectId = issue.relationships.scan_item.data.id
          return (
            <li key={issue.id}>
              <PageLink size="sm" to={isByProject ? paths.vulnerability(orgId, key) : paths.project(orgId, projectId)}>
                {isByProject ? title : issue.projectName}
              </PageLink>
              <span>
                {ignored && (
                  <Text span size="sm" c="dimmed">
                    ignored ·{' '}
                  </Text>
                )}
                <Code>{packagesOf(issue).join(', ')}</Code>
              </span>
            </li>
          )
        })}
      </ul>
      {reading.data.links.next !== undefined && (
        <PageLink size="sm" to={isByProject ? paths.project(orgId, id) : paths.vulnerability(orgId, id)}>
          {isByProject ? 'Show the project' : `Show all ${(attributes.projects ?? 0).toLocaleString()} projects`}
        </PageLink>
      )}
    </>
  )
}

function Vulnerabilities({ orgId, group: { id } }: Omit<Props, 'grouping'>) {
  const reading = useQuery({
    queryKey: ['issue-groups', orgId, { package: id }],
    queryFn: () => listIssueGroups(orgId, { package: id, limit: FIRST }),
  })
  if (reading.isError) return <Failed reading={reading} />
  if (!reading.data) return <Skeleton height={60} />
  return (
    <>
      <ul>
        {reading.data.data.map((vulnerability) => (
          <li key={vulnerability.id}>
            <PageLink size="sm" to={paths.vulnerability(orgId, vulnerability.id)}>
              {vulnerability.attributes.name}
            </PageLink>
            {vulnerability.attributes.severity && <SeverityBadge severity={vulnerability.attributes.severity} />}
          </li>
        ))}
      </ul>
      {reading.data.links.next !== undefined && (
        <PageLink size="sm" to={paths.packageUse(orgId, id)}>
          Show all {reading.data.totals.groups.toLocaleString()} vulnerabilities
        </PageLink>
      )}
    </>
  )
}

function Failed({ reading }: { reading: { readonly error: Error; refetch(): unknown } }) {
  return <ReadingAlert title="Could not load the details" reading={reading} />
}
