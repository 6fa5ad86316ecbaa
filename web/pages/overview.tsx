import { Alert, Anchor, Badge, Code, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useOutletContext } from 'react-router'
import { call } from '../api/client.ts'
import { RefusalAlert } from '../components/refusal-alert.tsx'
import { usePlaces, useSelf } from '../hooks/place.ts'
import { type Place, paths } from '../navigation/paths.ts'
import { badgeGreen } from '../ui/colors.ts'
import { DataTable } from '../ui/data-table.tsx'
import { Facts } from '../ui/facts.tsx'
import { WarningIcon } from '../ui/icons.tsx'
import { Page } from '../ui/page.tsx'
import { Age } from '../ui/relative-time.tsx'
import { Section } from '../ui/section.tsx'
import { Attention } from './attention.tsx'

export function Overview() {
  const place = useOutletContext<Place | undefined>()
  const org = usePlaces().data?.orgs.find(({ id }) => place?.kind === 'orgs' && place.id === id)
  return (
    <Page title="Overview" lead="Open work, your account, and the state of this server.">
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
            ['Default organization', org?.attributes.name],
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
      {error && <RefusalAlert title="Server state unknown" error={error} onRetry={() => void ready.refetch()} />}
      {!error && !ready.data && <Skeleton height={72} />}
      {!error && ready.data && (
        <Facts
          of={[
            ['State', <Condition key="state" isGood={ready.data.status === 'ready'} words={ready.data.status} />],
            ...Object.entries(ready.data.checks).map(
              ([name, { ok, detail }]) =>
                [
                  `${name[0]?.toUpperCase()}${name.slice(1)}`,
                  <span key={name}>
                    <Condition isGood={ok} words={ok ? 'usable' : 'not usable'} /> <WithAges text={detail ?? ''} />
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

/** Shows the times of a text as ages. */
function WithAges({ text }: { text: string }) {
  return text
    .split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)/)
    .map((part, at) => (at % 2 === 1 ? <Age key={part} time={part} /> : part))
}

function Condition({ isGood, words }: { isGood: boolean; words: string }) {
  return (
    <Badge color={isGood ? badgeGreen : 'red.8'} variant="filled" radius="sm" tt="none">
      {words}
    </Badge>
  )
}

/** Empty projects, whose results have the coverage that every test of the organization would have. */
const emptyProjects = [
  ['npm', 'package.json', JSON.stringify({ name: 'advisories', version: '0.0.0' })],
  ['PyPI', 'requirements.txt', '# none\n'],
  ['Maven', 'pom.xml', '<project><groupId>none</groupId><artifactId>none</artifactId><version>1</version></project>'],
  ['RubyGems', 'Gemfile.lock', 'GEM\n  specs:\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n'],
  ['Go', 'go.mod', 'module none\n\ngo 1.22\n'],
] as const

type AdvisoryFacts = Awaited<ReturnType<typeof call<'testNpm'>>>['coverage']['advisories']

/** Returns what the server has for each registry. */
async function readAdvisories(): Promise<readonly (AdvisoryFacts & { readonly registry: string })[]> {
  const files = [{ path: 'Gemfile', contents: '' }, ...emptyProjects.map(([, path, contents]) => ({ path, contents }))]
  const { projects } = await call('testFiles', { body: { files } })
  return emptyProjects.flatMap(([registry, path]) => {
    const facts = projects.find((each) => each.path === path)?.result?.coverage.advisories
    return facts === undefined ? [] : [{ registry, ...facts }]
  })
}

function Advisories() {
  const { data, ...query } = useQuery({ queryKey: ['advisories'], queryFn: readAdvisories, staleTime: 60_000 })
  return (
    <Section title="Advisories">
      {query.isPending && <Skeleton height={72} />}
      {query.isError && (
        <RefusalAlert title="Advisory state unknown" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {data?.[0] && (
        <Stack gap="sm">
          {data[0].starterSet && <StarterSetAlert />}
          <DataTable
            label="Advisories of each registry"
            rows={data}
            rowKey={({ registry }) => registry}
            columns={[
              { name: 'Registry', cell: ({ registry }) => registry },
              { name: 'Advisories', cell: ({ records }) => records.toLocaleString() },
              { name: 'Newest', cell: ({ newestAdvisory }) => newestAdvisory && <Age time={newestAdvisory} /> },
            ]}
          />
          <Text size="sm" c="dimmed">
            Read <Age time={data[0].builtAt} /> from {data[0].source}.
          </Text>
        </Stack>
      )}
    </Section>
  )
}

function StarterSetAlert() {
  return (
    <Alert color="yellow" icon={<WarningIcon />} title="Only the starter set is in use">
      <Text size="sm">
        It holds only some well-known vulnerabilities. An operator can load all public advisories with{' '}
        <Code>gatehouse advisories sync</Code>. Until then a clean result means little.
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
        Organizations and groups
      </Text>
      <DataTable
        label="Organizations and groups"
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
          { name: 'Kind', width: '10rem', cell: ({ kind }) => (kind === 'orgs' ? 'Organization' : 'Group') },
          { name: 'Id', cell: ({ id }) => <Code>{id}</Code> },
        ]}
      />
      {data?.isCut && (
        <Text size="sm" c="dimmed">
          Not all are listed here.
        </Text>
      )}
    </Stack>
  )
}
