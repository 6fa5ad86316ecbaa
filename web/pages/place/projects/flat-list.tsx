import { Anchor, Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { countProjects, listProjects } from '../../../api/projects.ts'
import type { Project, ProjectQuery, ProjectSort } from '../../../api/resources.ts'
import { FoldedFilters } from '../../../components/folded-filters.tsx'
import { Listing } from '../../../components/listing.tsx'
import { Note } from '../../../components/note.tsx'
import { useList } from '../../../hooks/list.ts'
import { countActive, useFilters, usePlace } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ButtonLink, PageLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { PathText } from '../../../ui/path-text.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { SeverityCounts, sumOf } from '../../../ui/severity.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { countOf } from '../../../ui/words.ts'
import { useChoice } from './choice.tsx'
import { type Filters, filterNames, ProjectFilters } from './filters.tsx'
import { Exports, ViewSwitch } from './repositories.tsx'
import { ReadAt } from './stale-source.tsx'
import { firstSort } from './words.ts'

export function FlatList() {
  const { id: orgId } = usePlace()
  const { filters, apply } = useFilters(filterNames, { view: 'flat' })
  const list = useList(['projects', orgId, filters], (query) => listProjects(orgId, { ...query, ...toQuery(filters) }))
  const { column: choosing, bar } = useChoice(orgId, list.rows ?? [], list.toFirst)
  const names = (list.rows ?? []).map(({ attributes }) => attributes.name)
  const active = countActive(filters)
  const isNarrowed = active > 0
  const hasNone = list.isEmpty && !isNarrowed && list.isFirst
  const start = <ButtonLink to={paths.newImport(orgId)}>Import repository</ButtonLink>
  return (
    <Page
      title="Projects"
      lead={<Lead orgId={orgId} filters={filters} />}
      actions={
        hasNone ? undefined : (
          <Group gap="sm">
            <ViewSwitch orgId={orgId} view="flat" />
            <Exports orgId={orgId} targetId={filters.target_id} />
            {start}
          </Group>
        )
      }
    >
      {!hasNone && (
        <>
          <FoldedFilters active={active}>
            <ProjectFilters filters={filters} onApply={apply} />
          </FoldedFilters>
          <Narrowed filters={filters} onApply={apply} />
        </>
      )}
      {bar}
      <Listing
        things="projects"
        list={list}
        columns={[
          choosing,
          { name: 'Project', cell: (project) => <Name orgId={orgId} project={project} names={names} /> },
          { name: 'Type', width: '7.5rem', cell: ({ attributes }) => attributes.type },
          { name: 'Issues', width: '15rem', cell: (project) => <Issues project={project} /> },
          { name: 'Tested', width: '9rem', cell: (project) => <Tested project={project} /> },
          { name: 'Status', width: '7rem', cell: (project) => <Status project={project} /> },
        ]}
        empty={
          isNarrowed ? (
            <Empty title="No matching projects">Nothing matches these filters.</Empty>
          ) : (
            <Empty title="No projects yet">
              Import a repository to see its dependencies. <p>{start}</p>
            </Empty>
          )
        }
      />
    </Page>
  )
}

function Lead({ orgId, filters: { sort: _, ...filters } }: { orgId: string; filters: Filters }) {
  const { data: count } = useQuery({
    queryKey: ['projects', orgId, 'count', filters],
    queryFn: () => countProjects(orgId, toQuery(filters)),
    placeholderData: keepPreviousData,
  })
  const counted = count !== undefined && `${countOf(count, 'project')}. `
  return <>{counted}Monitored manifests with their current issues.</>
}

function toQuery({ types, origins, target_id, tags, status, sort, ...texts }: Filters): ProjectQuery {
  const list = (text: string | undefined) => (text === undefined ? undefined : [text])
  return {
    ...texts,
    types: list(types),
    origins: list(origins),
    target_id: list(target_id),
    tags: list(tags),
    status: status as ProjectQuery['status'],
    sort: (sort ?? firstSort) as ProjectSort,
  }
}

/** Shows a filter without a field, which is set by following a link. */
function Narrowed({ filters, onApply }: { filters: Filters; onApply: (filters: Filters) => void }) {
  if (filters.target_id === undefined) return null
  return (
    <Text size="sm">
      Only one target{' '}
      <Anchor component="button" type="button" size="sm" onClick={() => onApply({ ...filters, target_id: undefined })}>
        Show all
      </Anchor>
    </Text>
  )
}

interface NameProps {
  readonly orgId: string
  readonly project: Project
  /** Names of the projects in the list. */
  readonly names: readonly string[]
}

function Name({ orgId, project: { id, attributes, relationships }, names }: NameProps) {
  const { data: target } = relationships.target
  return (
    <>
      <PageLink to={paths.project(orgId, id)} fw={600} aria-label={attributes.name}>
        <PathText text={attributes.name} others={names} />
      </PageLink>
      <Note>{[target.attributes?.display_name, attributes.target_reference].filter(Boolean).join(' · ')}</Note>
    </>
  )
}

function Issues({ project: { attributes, meta } }: { project: Project }) {
  const counts = meta.latest_issue_counts
  if (!counts) return null
  const ignored = sumOf(counts.ignored)
  return (
    <>
      <SeverityCounts counts={counts} />
      {!attributes.is_complete && attributes.last_tested_at !== null && <Note>incomplete; there may be more</Note>}
      {ignored > 0 && <Note>{ignored.toLocaleString()} ignored</Note>}
    </>
  )
}

function Tested({ project: { attributes } }: { project: Project }) {
  if (attributes.last_tested_at === null) return 'not yet'
  return (
    <>
      <Age time={attributes.last_tested_at} />
      {attributes.stale_source !== null && (
        <Note>
          files <ReadAt source={attributes.stale_source} />
        </Note>
      )}
    </>
  )
}

function Status({ project: { attributes } }: { project: Project }) {
  if (attributes.status === 'inactive') return <StateBadge tone="quiet">inactive</StateBadge>
  if (attributes.failure !== null) return <StateBadge tone="bad">failing</StateBadge>
  if (attributes.stale_source !== null) return <StateBadge tone="bad">out of date</StateBadge>
  return <StateBadge tone="good">active</StateBadge>
}
