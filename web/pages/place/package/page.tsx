import { Code, Skeleton, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { findIssueGroup, listIssueGroups } from '../../../api/issue-groups.ts'
import type { UsedVersion } from '../../../api/resources.ts'
import { listVersions, VERSIONS_PER_PAGE } from '../../../api/vulnerabilities.ts'
import { Note } from '../../../components/note.tsx'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { usePageOfList, usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { withParameters } from '../../../router/history.ts'
import { useParams, useSearchParams } from '../../../router/react.tsx'
import { Crumbs } from '../../../ui/crumbs.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Figures } from '../../../ui/figures.tsx'
import { PageLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { SeverityCounts } from '../../../ui/severity.tsx'
import { countOf } from '../../../ui/words.ts'
import { GroupTable } from '../issues/group-table.tsx'

interface Props {
  readonly orgId: string
  readonly registry: string
  readonly name: string
}

/** One package: its versions in use, the projects that use them, their licenses and vulnerabilities. */
export function PackagePage() {
  const { id: orgId } = usePlace()
  const { '*': key = '' } = useParams()
  const at = key.indexOf('/')
  const of = { orgId, registry: key.slice(0, Math.max(at, 0)), name: key.slice(at + 1) }
  return (
    <Page
      title={of.name}
      before={<Crumbs of={[{ label: 'Issues', to: `${paths.issues(orgId)}?by=package` }]} here={of.registry} />}
    >
      <KeyFigures {...of} />
      <Vulnerabilities {...of} />
      <Versions {...of} />
    </Page>
  )
}

function useVersions({ orgId, registry, name }: Props, page: number) {
  return useQuery({
    queryKey: ['package', orgId, registry, name, page],
    queryFn: () => listVersions(orgId, { registry, name }, page),
    placeholderData: keepPreviousData,
  })
}

function KeyFigures({ orgId, registry, name }: Props) {
  const id = `${registry}/${name}`
  const group = useQuery({
    queryKey: ['issue-groups', orgId, 'package', id],
    queryFn: async () => (await findIssueGroup(orgId, { by: 'package', id })) ?? null,
  })
  const versions = useVersions({ orgId, registry, name }, 1)
  const { projects = 0, vulnerabilities = 0, known_since, issues = 0 } = group.data?.attributes ?? {}
  const isKnown = group.data !== undefined
  return (
    <Figures
      of={[
        { label: 'Vulnerabilities', value: isKnown ? vulnerabilities.toLocaleString() : '…', about: registry },
        {
          label: 'Open issues',
          value: isKnown ? issues.toLocaleString() : '…',
          about: `in ${countOf(projects, 'project')}`,
        },
        { label: 'Versions in use', value: versions.data?.total.toLocaleString() ?? '…', about: 'of all projects' },
        {
          label: 'Vulnerable',
          value: known_since ? <Age time={known_since} /> : '–',
          about: 'First seen in a project',
        },
      ]}
    />
  )
}

function Vulnerabilities({ orgId, registry, name }: Props) {
  const { query, turns } = usePageOfList()
  const [parameters, setParameters] = useSearchParams()
  const id = `${registry}/${name}`
  const reading = useQuery({
    queryKey: ['issue-groups', orgId, { package: id }, query],
    queryFn: () => listIssueGroups(orgId, { ...query, package: id }),
    placeholderData: keepPreviousData,
  })
  return (
    <Section title="Vulnerabilities">
      <ReadingAlert title="Could not load the vulnerabilities" reading={reading} />
      {reading.data?.data.length === 0 ? (
        <Text size="sm">No known vulnerabilities in the versions in use.</Text>
      ) : (
        <GroupTable
          orgId={orgId}
          grouping="vulnerability"
          groups={reading.data?.data}
          expanded={parameters.get('open') ?? undefined}
          onExpand={(open) => setParameters(withParameters(parameters, { open }), { replace: true })}
          selection={undefined}
        />
      )}
      <Pager label="Pages of vulnerabilities" {...turns(reading.data?.links)} />
    </Section>
  )
}

function Versions(of: Props) {
  const [parameters, setParameters] = useSearchParams()
  const page = Math.max(1, Math.floor(Number(parameters.get('versions'))) || 1)
  const reading = useVersions(of, page)
  const { data } = reading
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / VERSIONS_PER_PAGE))
  const turnTo = (to: number) => () =>
    setParameters(withParameters(parameters, { versions: to === 1 ? undefined : String(to) }))
  return (
    <Section title="Versions in use">
      <ReadingAlert title="Could not load the versions" reading={reading} />
      {reading.isPending && <Skeleton height={80} />}
      {data?.total === 0 && <Empty title="Not in use">No project of this organization contains this package.</Empty>}
      {data && data.total > 0 && (
        <DataTable
          label="Versions"
          rows={data.results}
          rowKey={({ id }) => id}
          columns={[
            { name: 'Version', width: '10rem', cell: ({ version }) => <Code>{version}</Code> },
            { name: 'License', width: '10rem', cell: (row) => licensesOf(row) },
            { name: 'Issues', width: '14rem', cell: (row) => <SeverityCounts counts={countsOf(row)} /> },
            { name: 'Projects', cell: (row) => <Projects orgId={of.orgId} version={row} /> },
          ]}
        />
      )}
      <Pager
        label="Pages of versions"
        onPrevious={page > 1 ? turnTo(page - 1) : undefined}
        onNext={page < last ? turnTo(page + 1) : undefined}
      />
    </Section>
  )
}

function licensesOf({ licenses }: UsedVersion): string {
  return licenses.length === 0 ? 'Unknown' : licenses.map(({ license }) => license).join(', ')
}

function countsOf({ issuesCritical, issuesHigh, issuesMedium, issuesLow }: UsedVersion) {
  return { critical: issuesCritical, high: issuesHigh, medium: issuesMedium, low: issuesLow }
}

const FIRST_PROJECTS = 5

function Projects({ orgId, version: { projects, projectsTotal } }: { orgId: string; version: UsedVersion }) {
  return (
    <Stack gap={2}>
      {projects.slice(0, FIRST_PROJECTS).map(({ id, name }) => (
        <PageLink key={id} to={paths.project(orgId, id)} size="sm" className="breakable">
          {name}
        </PageLink>
      ))}
      {projectsTotal > FIRST_PROJECTS && <Note>and {(projectsTotal - FIRST_PROJECTS).toLocaleString()} more</Note>}
    </Stack>
  )
}
