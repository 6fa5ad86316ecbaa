import { Code, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { Note } from '../../components/note.tsx'
import { RefusalAlert } from '../../components/refusal-alert.tsx'
import { usePlaces } from '../../hooks/place.ts'
import { type ConsoleScope, paths } from '../../navigation/paths.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { PageLink } from '../../ui/links.tsx'
import { Age } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { upperFirst } from '../../ui/words.ts'

export function Server() {
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
                  upperFirst(name),
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

function WithAges({ text }: { text: string }) {
  return text
    .split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)/)
    .map((part, at) => (at % 2 === 1 ? <Age key={part} time={part} /> : part))
}

function Condition({ isGood, words }: { isGood: boolean; words: string }) {
  return <StateBadge tone={isGood ? 'good' : 'bad'}>{words}</StateBadge>
}

interface Reachable extends ConsoleScope {
  readonly name: string
}

export function Reach() {
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
      {rows?.length === 0 ? (
        <Empty title="No organizations yet">Ask an administrator to add you to an organization or a group.</Empty>
      ) : (
        <DataTable
          label="Organizations and groups"
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            {
              name: 'Name',
              cell: (row) => <PageLink to={paths.home(row)}>{row.name}</PageLink>,
            },
            { name: 'Kind', width: '10rem', cell: ({ kind }) => (kind === 'orgs' ? 'Organization' : 'Group') },
            { name: 'Id', cell: ({ id }) => <Code>{id}</Code> },
          ]}
        />
      )}
      {data?.isCut && <Note size="sm">Not all are listed here.</Note>}
    </Stack>
  )
}
