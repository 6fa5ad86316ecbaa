import { Group, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Suspense, use } from 'react'
import { call } from '../../api/client.ts'
import { readTrend } from '../../api/overview.ts'
import type { OrgOverview } from '../../api/resources.ts'
import { ReadingAlert } from '../../components/refusal-alert.tsx'
import { FlowChart, OpenIssuesChart } from '../../components/trend-charts.tsx'
import { PlaceContext, usePlaces } from '../../hooks/place.ts'
import { lazyPart } from '../../navigation/lazy.ts'
import { paths } from '../../navigation/paths.ts'
import { useSearchParams } from '../../router/react.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import { sumOf } from '../../ui/severity.tsx'
import { countOf } from '../../ui/words.ts'
import { Advisories } from './advisories.tsx'
import { Attention } from './attention.tsx'
import { Due } from './due.tsx'
import { Exploited } from './exploited.tsx'
import { Figures } from './figures.tsx'
import { Loading } from './loading.tsx'
import styles from './page.module.css'
import { WorstRepositories } from './repositories.tsx'
import { Reach, Server } from './server.tsx'
import { Upgrades } from './upgrades.tsx'
import { useFirstSteps } from './use-first-steps.ts'

const AdvisorySync = lazyPart(async () => (await import('./advisory-sync.tsx')).AdvisorySync)
const FirstSteps = lazyPart(async () => (await import('./first-steps.tsx')).FirstSteps)

const ranges = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
]
const FIRST_RANGE = '90'

export function Overview() {
  const place = use(PlaceContext)
  const org = usePlaces().data?.orgs.find(({ id }) => place?.kind === 'orgs' && place.id === id)
  if (org) return <OfOrg key={org.id} orgId={org.id} name={org.attributes.name} />
  return (
    <Page title="Overview">
      <Reach />
      <Server />
    </Page>
  )
}

function OfOrg({ orgId, name }: { orgId: string; name: string }) {
  const [parameters, setParameters] = useSearchParams()
  const days = ranges.find(({ value }) => value === parameters.get('days'))?.value ?? FIRST_RANGE
  const reading = useQuery({
    queryKey: ['overview', orgId],
    queryFn: () => call('getOverview', { params: { org_id: orgId } }),
    refetchInterval: ({ state: { data } }) => (data?.is_counting ? 5_000 : 60_000),
  })
  const { data } = reading
  const isEmpty = data !== undefined && sumOfProjects(data) === 0
  const steps = useFirstSteps(orgId, isEmpty)
  const waiting = <Loading what="First steps" height={360} />
  const startImport = <ButtonLink to={paths.newImport(orgId)}>Import repository</ButtonLink>
  return (
    <Page
      title="Overview"
      lead={describe(name, data)}
      actions={
        <Group gap="sm">
          {!isEmpty && (
            <Segments
              aria-label="Range of the trends"
              value={days}
              onChange={(value) => setParameters(value === FIRST_RANGE ? {} : { days: value }, { replace: true })}
              options={ranges}
            />
          )}
          {!isEmpty && startImport}
        </Group>
      }
    >
      {reading.isError && data === undefined && <ReadingAlert title="Could not load the totals" reading={reading} />}
      {steps.isDue && data !== undefined && (
        <Suspense fallback={waiting}>
          {steps.state ? <FirstSteps orgId={orgId} overview={data} {...steps.state} onEnd={steps.end} /> : waiting}
        </Suspense>
      )}
      {isEmpty && !steps.isDue && (
        <Empty title="No projects yet">
          Import a repository to see its dependencies. <p>{startImport}</p>
        </Empty>
      )}
      {!isEmpty && !reading.isError && <State orgId={orgId} overview={data} days={Number(days)} />}
      <div className={styles['columns']}>
        {!isEmpty && !reading.isError && <Lists orgId={orgId} overview={data} />}
        <Stack gap="md">
          {data?.advisories.has_exploited_catalog && <Exploited orgId={orgId} exploited={data.newly_exploited} />}
          {data && <Due orgId={orgId} due={data.due} />}
          {!(isEmpty && steps.isDue) && <Attention orgId={orgId} />}
          {data && (
            <Advisories
              of={data.advisories}
              sync={
                <Suspense>
                  <AdvisorySync orgId={orgId} />
                </Suspense>
              }
            />
          )}
          <Server />
        </Stack>
      </div>
    </Page>
  )
}

function sumOfProjects({ projects }: OrgOverview): number {
  return projects.complete + projects.incomplete + projects.untested
}

function describe(name: string, overview: OrgOverview | undefined): string {
  if (!overview) return name
  const projects = sumOfProjects(overview)
  return [name, countOf(overview.repositories, 'repository', 'repositories'), countOf(projects, 'project')].join(' · ')
}

interface StateProps {
  readonly orgId: string
  readonly overview: OrgOverview | undefined
  readonly days: number
}

function State({ orgId, overview, days }: StateProps) {
  const trend = useQuery({
    queryKey: ['trend', orgId, days],
    queryFn: () => readTrend({ orgId, days }),
    placeholderData: keepPreviousData,
  })
  // Totals and lists are displayed before the charts.
  const shown = overview && trend.data
  return (
    <Stack gap="md">
      <Figures orgId={orgId} overview={overview} trend={trend.data} days={days} />
      {trend.error && !trend.data ? (
        <ReadingAlert title="Could not load the trends" reading={trend} />
      ) : (
        <div className={styles['columns']}>
          <OpenIssuesChart trend={shown} />
          <FlowChart trend={shown} />
        </div>
      )}
    </Stack>
  )
}

function Lists({ orgId, overview }: Omit<StateProps, 'days'>) {
  if (!overview) return <Loading what="Upgrades and repositories" height={520} />
  return (
    <Stack gap="md">
      <Upgrades orgId={orgId} upgrades={overview.upgrades} />
      <WorstRepositories
        orgId={orgId}
        repositories={overview.worst_repositories}
        total={overview.repositories}
        isCounting={sumOf(overview.open) > 0}
      />
    </Stack>
  )
}
