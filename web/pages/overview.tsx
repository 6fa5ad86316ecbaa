import { Alert, Anchor, Badge, Code, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useOutletContext } from 'react-router'
import { call } from '../api/client.ts'
import { type Place, paths } from '../paths.ts'
import { usePlaces, useSelf } from '../place.ts'
import { RefusalAlert } from '../refusal-alert.tsx'
import { badgeGreen } from '../ui/colours.ts'
import { DataTable } from '../ui/data-table.tsx'
import { Facts } from '../ui/facts.tsx'
import { WarningIcon } from '../ui/icons.tsx'
import { formatAge, Moment } from '../ui/moment.tsx'
import { Page } from '../ui/page.tsx'
import { Section } from '../ui/section.tsx'
import { Attention } from './attention.tsx'

export function Overview() {
  const place = useOutletContext<Place | undefined>()
  const org = usePlaces().data?.orgs.find(({ id }) => place?.kind === 'orgs' && place.id === id)
  return (
    <Page
      title="Overview"
      lead="What needs somebody, who you are here, and whether this server can be relied on right now."
    >
      {org && <Attention key={org.id} orgId={org.id} name={org.attributes.name} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <WhoAmI />
        <Server />
      </SimpleGrid>
      <Advisories />
      <Reach />
    </Page>
  )
}

function WhoAmI() {
  const self = useSelf()
  const places = usePlaces()
  const org = places.data?.orgs.find(({ id }) => id === self.data?.attributes.default_org_context)
  return (
    <Section title="You">
      {self.isPending && <Skeleton height={72} />}
      {self.isError && <RefusalAlert title="Unknown" error={self.error} onRetry={() => void self.refetch()} />}
      {self.data && (
        <Facts
          of={[
            ['Name', self.data.attributes.name],
            ['Kind', self.data.type === 'user' ? 'Person' : 'Service account'],
            ['E-mail', self.data.type === 'user' ? self.data.attributes.email : undefined],
            ['Default organisation', org?.attributes.name],
            ['Id', <Code key="id">{self.data.id}</Code>],
          ]}
        />
      )}
    </Section>
  )
}

function Server() {
  const health = useQuery({ queryKey: ['health'], queryFn: () => call('getHealth', {}), refetchInterval: 30_000 })
  const ready = useQuery({ queryKey: ['ready'], queryFn: () => call('getReadiness', {}), refetchInterval: 30_000 })
  const error = health.error ?? ready.error
  return (
    <Section title="Server">
      {error && (
        <RefusalAlert title="The server’s state is not known" error={error} onRetry={() => void ready.refetch()} />
      )}
      {!error && !ready.data && <Skeleton height={72} />}
      {!error && ready.data && (
        <Facts
          of={[
            ['State', <Condition key="state" isGood={ready.data.status === 'ready'} words={ready.data.status} />],
            ...Object.entries(ready.data.checks).map(
              ([name, { ok, detail }]) =>
                [
                  name,
                  <span key={name}>
                    <Condition isGood={ok} words={ok ? 'usable' : 'not usable'} /> {detail}
                  </span>,
                ] as const,
            ),
            ['Version', health.data?.version],
          ]}
        />
      )}
    </Section>
  )
}

function Condition({ isGood, words }: { isGood: boolean; words: string }) {
  return (
    <Badge color={isGood ? badgeGreen : 'red.8'} variant="filled" radius="sm" tt="none">
      {words}
    </Badge>
  )
}

/** An empty project has the coverage that every test of the organisation would have. */
const emptyProject = JSON.stringify({ name: 'advisories', version: '0.0.0' })

function Advisories() {
  const test = useQuery({
    queryKey: ['advisories'],
    queryFn: () => call('testNpm', { body: { files: { target: { contents: emptyProject } } } }),
    staleTime: 60_000,
  })
  return (
    <Section title="Advisories">
      {test.isPending && <Skeleton height={72} />}
      {test.isError && (
        <RefusalAlert
          title="The advisories’ state is not known"
          error={test.error}
          onRetry={() => void test.refetch()}
        />
      )}
      {test.data && <AdvisoriesFacts advisories={test.data.coverage.advisories} />}
    </Section>
  )
}

function AdvisoriesFacts({
  advisories,
}: {
  advisories: Awaited<ReturnType<typeof call<'testNpm'>>>['coverage']['advisories']
}) {
  return (
    <Stack gap="sm">
      {advisories.starterSet && <StarterSetAlert records={advisories.records} />}
      <Facts
        of={[
          ['For npm', `${advisories.records.toLocaleString()} advisories`],
          ['Newest', advisories.newestAdvisory && <Moment key="newest" time={advisories.newestAdvisory} />],
          [
            'Read',
            <span key="read">
              {formatAge(advisories.builtAt)} (<Moment time={advisories.builtAt} />)
            </span>,
          ],
          ['From', <Code key="source">{advisories.source}</Code>],
        ]}
      />
    </Stack>
  )
}

function StarterSetAlert({ records }: { records: number }) {
  return (
    <Alert color="yellow" icon={<WarningIcon />} title="Only the starter set is in use">
      <Text size="sm">
        It holds {records} of the best-known vulnerabilities of npm. An operator brings all public ones with{' '}
        <Code>gatehouse advisories sync</Code>; until then, a test that finds nothing says little.
      </Text>
    </Alert>
  )
}

interface Reachable extends Place {
  readonly name: string
}

function Reach() {
  const { data } = usePlaces()
  const rows: Reachable[] | undefined = data && [
    ...data.orgs.map(({ id, attributes }) => ({ kind: 'orgs' as const, id, name: attributes.name })),
    ...data.groups.map(({ id, attributes }) => ({ kind: 'groups' as const, id, name: attributes.name })),
  ]
  return (
    <Stack gap="xs">
      <Text component="h2" fw={650} size="lg" m={0}>
        What your key reaches
      </Text>
      <DataTable
        label="Organisations and groups"
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'Name',
            cell: (row) => (
              <Anchor component={Link} to={paths.home(row)}>
                {row.name}
              </Anchor>
            ),
          },
          { name: 'Kind', width: '10rem', cell: ({ kind }) => (kind === 'orgs' ? 'Organisation' : 'Group') },
          { name: 'Id', cell: ({ id }) => <Code>{id}</Code> },
        ]}
      />
      {data?.isCut && (
        <Text size="sm" c="dimmed">
          There are more than are listed here.
        </Text>
      )}
    </Stack>
  )
}
