import { Alert, Code, Group, SimpleGrid, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ComponentType, KeyboardEvent } from 'react'
import { downloads, readDownload } from '../../../api/project-downloads.ts'
import { readProject } from '../../../api/projects.ts'
import { ResourcePage } from '../../../components/resource-page.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { useParams, useSearchParams } from '../../../router/react.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { ErrorIcon, WarningIcon } from '../../../ui/icons.tsx'
import { PageLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Age, RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { SeverityCounts, sumOf } from '../../../ui/severity.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { upperFirst } from '../../../ui/words.ts'
import { ProjectCoverage, useCoverage } from './coverage.tsx'
import { ProjectDependencies } from './dependencies/page.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { ProjectHistory } from './history.tsx'
import { ProjectIgnores } from './ignores.tsx'
import { ProjectIssues } from './issues.tsx'
import type { OfProject } from './of-project.ts'
import { ProjectSettings } from './settings.tsx'
import { StaleSource } from './stale-source.tsx'
import { TagBadge, tagName } from './tags.tsx'
import { TestNow } from './test-now.tsx'
import { criticalities, environments, frequencies, labelNames, lifecycles, sourceName } from './words.ts'

/** The tabs, by their name in the address. */
const views: Readonly<Record<string, ComponentType<OfProject>>> = {
  issues: ProjectIssues,
  dependencies: ProjectDependencies,
  ignores: ProjectIgnores,
  coverage: ProjectCoverage,
  history: ProjectHistory,
  settings: ProjectSettings,
}
const names = Object.keys(views)

export function ProjectPage() {
  const { id: orgId } = usePlace()
  const { projectId = '' } = useParams()
  const reading = useQuery({
    queryKey: ['project', orgId, projectId],
    queryFn: () => readProject(orgId, projectId),
  })
  return (
    <ResourcePage kind="Project" reading={reading}>
      {(project) => (
        <Page
          title={project.attributes.name}
          actions={
            <Group gap="sm" align="flex-start" wrap="nowrap">
              <DownloadMenu
                name={project.attributes.name}
                choices={downloads}
                read={(download) => readDownload(orgId, project.id, download)}
              />
              <TestNow orgId={orgId} project={project} />
            </Group>
          }
        >
          <Condition orgId={orgId} project={project} />
          <About orgId={orgId} project={project} />
          <Views orgId={orgId} project={project} />
        </Page>
      )}
    </ResourcePage>
  )
}

/** Shows the limitations of the page's data. */
function Condition(of: OfProject) {
  const { failure, status, stale_source: staleSource } = of.project.attributes
  return (
    <>
      {failure !== null && (
        <Alert color="red" icon={<ErrorIcon />} title="The last test failed" role="status">
          <Text size="sm" className="breakable">
            {failure}
          </Text>
          <Text size="sm">Showing the previous test’s results.</Text>
        </Alert>
      )}
      {staleSource !== null && <StaleSource source={staleSource} />}
      {status === 'inactive' && (
        <Alert color="yellow" icon={<WarningIcon />} title="Not watched" role="status">
          The project is inactive and not retested.
        </Alert>
      )}
      <Gaps {...of} />
    </>
  )
}

function Gaps(of: OfProject) {
  const { data } = useCoverage(of)
  if (!data || (data.complete && !data.advisories.starterSet)) return null
  const { unresolved } = data.dependencies
  // Lists show such a test as complete, because every dependency was read.
  const title = data.complete ? 'Few advisories known' : 'Incomplete test'
  return (
    <Alert color="yellow" icon={<WarningIcon />} title={title} role="status">
      <Text size="sm">
        {unresolved > 0 &&
          `${unresolved.toLocaleString()} ${unresolved === 1 ? 'dependency was' : 'dependencies were'} not resolved. `}
        {!data.complete && unresolved === 0 && 'The last test is incomplete. '}
        {data.advisories.starterSet && 'Only the starter set of advisories was used. '}
        <PageLink to="?view=coverage" size="sm" c="inherit" underline="always">
          Show coverage
        </PageLink>
      </Text>
    </Alert>
  )
}

function About({ orgId, project: { id, attributes, meta, relationships } }: OfProject) {
  const { data: target } = relationships.target
  const { latest_issue_counts: counts, latest_dependency_total: total } = meta
  const ignored = counts ? sumOf(counts.ignored) : 0
  return (
    <Section title="About">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Facts
          of={[
            ['Issues', counts && <SeverityCounts key="counts" counts={counts} />],
            ['Ignored', ignored > 0 ? ignored.toLocaleString() : undefined],
            ['Dependencies', total?.total.toLocaleString()],
            [
              'Tested',
              attributes.last_tested_at === null ? 'not yet' : <Age key="tested" time={attributes.last_tested_at} />,
            ],
            ['Tested again', frequencies[attributes.settings.recurring_tests.frequency].toLowerCase()],
            [
              'Status',
              <StateBadge key="status" tone={attributes.status === 'active' ? 'good' : 'quiet'}>
                {attributes.status}
              </StateBadge>,
            ],
            ['Criticality', labelNames(attributes.business_criticality, criticalities)],
            ['Environment', labelNames(attributes.environment, environments)],
            ['Lifecycle', labelNames(attributes.lifecycle, lifecycles)],
            [
              'Tags',
              attributes.tags.length === 0 ? undefined : (
                <Group key="tags" gap={4}>
                  {attributes.tags.map((tag) => (
                    <TagBadge key={tagName(tag)} tag={tag} />
                  ))}
                </Group>
              ),
            ],
          ]}
        />
        <Facts
          of={[
            ['Type', attributes.type],
            ['File', attributes.target_file || undefined],
            [
              'Target',
              <PageLink key="target" to={`${paths.projects(orgId)}?target_id=${target.id}`} size="sm">
                {target.attributes?.display_name ?? target.id}
              </PageLink>,
            ],
            ['Branch', attributes.target_reference || undefined],
            ['Came from', sourceName(attributes.origin)],
            ['Since', <RelativeTime key="created" time={attributes.created} />],
            ['Id', <Code key="id">{id}</Code>],
          ]}
        />
      </SimpleGrid>
    </Section>
  )
}

function Views(of: OfProject) {
  const [parameters, setParameters] = useSearchParams()
  const view = names.find((name) => name === parameters.get('view')) ?? 'issues'
  const show = (next: string | null | undefined) =>
    setParameters(next === 'issues' || !next ? {} : { view: next }, { replace: true })

  /** Opens the first or last tab: the library only moves the focus there, and opens tabs only with the arrow keys. */
  function showEnds({ key }: KeyboardEvent) {
    if (key === 'Home') show(names[0])
    if (key === 'End') show(names.at(-1))
  }

  return (
    <Tabs value={view} onChange={show} keepMounted={false}>
      <Tabs.List mb="lg" onKeyDownCapture={showEnds}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {upperFirst(name)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(views).map(([name, View]) => (
        <Tabs.Panel key={name} value={name}>
          <View {...of} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
