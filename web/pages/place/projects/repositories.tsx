import { Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { call } from '../../../api/client.ts'
import { EmptyPage } from '../../../components/listing.tsx'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { useList } from '../../../hooks/list.ts'
import { useOpened, usePlace } from '../../../hooks/place.ts'
import { lazyPart } from '../../../navigation/lazy.ts'
import { paths } from '../../../navigation/paths.ts'
import { useNavigate } from '../../../router/react.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ButtonLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { countOf, optionsOf } from '../../../ui/words.ts'
import { RepositoryTable } from './repository-table.tsx'

/** Repositories with totals; each row expands to its projects. */
export function Repositories() {
  const { id: orgId } = usePlace()
  const { opened, open } = useOpened()
  const list = useList(['projects', orgId, 'repositories'], (query) =>
    call('listRepositories', { params: { org_id: orgId }, query }),
  )
  // A repository may be deleted while the list is read.
  const data = list.rows?.filter((row) => row !== null)
  const { reading, turns } = list
  const start = <ButtonLink to={paths.newImport(orgId)}>Import repository</ButtonLink>
  return (
    <Page
      title="Projects"
      lead={<State orgId={orgId} />}
      actions={
        <Group gap="sm">
          <ViewSwitch orgId={orgId} view="repositories" />
          {data?.length !== 0 && <Exports orgId={orgId} />}
          {data?.length !== 0 && start}
        </Group>
      }
    >
      {reading.isError ? (
        <ReadingAlert title="Could not load the repositories" reading={reading} />
      ) : data?.length === 0 ? (
        list.isFirst ? (
          <Empty title="No projects yet">
            Import a repository to see its dependencies. <p>{start}</p>
          </Empty>
        ) : (
          <EmptyPage onFirst={list.toFirst} />
        )
      ) : (
        <RepositoryTable orgId={orgId} repositories={data} expanded={opened} onExpand={open} />
      )}
      <Pager label="Pages of repositories" {...turns(reading.data?.links)} />
    </Page>
  )
}

function State({ orgId }: { orgId: string }) {
  const { data } = useQuery({
    queryKey: ['overview', orgId],
    queryFn: () => call('getOverview', { params: { org_id: orgId } }),
  })
  if (!data) return <>Repositories with their manifests and issues</>
  const { complete, incomplete, untested } = data.projects
  const projects = complete + incomplete + untested
  return (
    <Text span size="sm">
      {countOf(data.repositories, 'repository', 'repositories')} · {countOf(projects, 'project')} ·{' '}
      {complete.toLocaleString()} complete, {incomplete.toLocaleString()} incomplete, {untested.toLocaleString()} not
      tested
    </Text>
  )
}

// Fetched after the list is displayed.
const ExportMenu = lazyPart(async () => (await import('./download-menu.tsx')).ExportMenu)

/** Downloads of all projects, or of those of one target. */
export function Exports(of: { readonly orgId: string; readonly targetId?: string | undefined }) {
  return (
    <Suspense fallback={<Skeleton width={128} height={36} />}>
      <ExportMenu {...of} />
    </Suspense>
  )
}

const views = optionsOf({ repositories: 'Repositories', flat: 'Flat list' })

export function ViewSwitch({ orgId, view }: { orgId: string; view: 'repositories' | 'flat' }) {
  const navigate = useNavigate()
  return (
    <Segments
      aria-label="View"
      value={view}
      onChange={(next) => navigate(next === 'flat' ? `${paths.projects(orgId)}?view=flat` : paths.projects(orgId))}
      options={views}
    />
  )
}
