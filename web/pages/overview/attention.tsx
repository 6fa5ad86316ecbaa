import { Code, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  countFailedImports,
  countStaleIgnores,
  listEndingCredentials,
  RECENT_DAYS,
  recentSince,
  SOON_DAYS,
} from '../../api/attention.ts'
import { toRefusal } from '../../api/refusal.ts'
import { Note } from '../../components/note.tsx'
import { paths } from '../../navigation/paths.ts'
import { PageLink } from '../../ui/links.tsx'
import { Age } from '../../ui/relative-time.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'

export function Attention({ orgId }: { orgId: string }) {
  return (
    <Stack gap="md" component="section" aria-label="Open work">
      <FailedImports orgId={orgId} />
      <StaleIgnores orgId={orgId} />
      <EndingCredentials orgId={orgId} />
    </Stack>
  )
}

interface CardProps<T> {
  readonly title: string
  readonly reading: UseQueryResult<T>
  readonly children: (value: T) => ReactNode
}

/** A card with one figure, or the reason why it is unavailable: unread data must not look fine. */
function Card<T>({ title, reading, children }: CardProps<T>) {
  return (
    <Paper withBorder p="md">
      <Stack gap={6}>
        <Title order={2} size="h5">
          {title}
        </Title>
        {reading.data !== undefined && children(reading.data)}
        {reading.data === undefined && reading.isPending && (
          <Skeleton height={28} role="status" aria-label={`Loading: ${title}`} />
        )}
        {reading.data === undefined && reading.isError && (
          <Text size="sm" className="breakable">
            Unavailable: {toRefusal(reading.error).message}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

function Figure({ of: count, to, none }: { of: number; to: string; none: string }) {
  if (count === 0) return <Text>{none}</Text>
  return (
    <PageLink to={to} fw={700} size="xl" w="fit-content">
      {count.toLocaleString()}
    </PageLink>
  )
}

const staleTime = 30_000

function FailedImports({ orgId }: { orgId: string }) {
  const since = recentSince()
  const reading = useQuery({
    queryKey: ['imports', orgId, 'failed', since],
    queryFn: () => countFailedImports(orgId, since),
    staleTime,
  })
  return (
    <Card title={`Failed imports, last ${RECENT_DAYS} days`} reading={reading}>
      {({ failed, partly }) => (
        <Group gap="sm" align="baseline">
          <Figure of={failed} to={`${paths.imports(orgId)}?state=failed&created_after=${since}`} none="None" />
          {partly > 0 && (
            <PageLink
              to={`${paths.imports(orgId)}?state=complete&has_failed_manifests=true&created_after=${since}`}
              size="sm"
            >
              {partly.toLocaleString()} with manifests that failed
            </PageLink>
          )}
        </Group>
      )}
    </Card>
  )
}

function StaleIgnores({ orgId }: { orgId: string }) {
  const reading = useQuery({
    queryKey: ['ignores', orgId, 'stale'],
    queryFn: () => countStaleIgnores(orgId),
    staleTime,
  })
  return (
    <Card title="Ignores without effect" reading={reading}>
      {(value) => <Figure of={value} to={`${paths.ignores({ kind: 'orgs', id: orgId })}?state=stale`} none="None" />}
    </Card>
  )
}

function EndingCredentials({ orgId }: { orgId: string }) {
  const reading = useQuery({
    queryKey: ['secrets', 'orgs', orgId, 'ending'],
    queryFn: () => listEndingCredentials(orgId),
    staleTime,
  })
  return (
    <Card title={`Secrets that expire within ${SOON_DAYS} days`} reading={reading}>
      {({ ending, lookedAt }) => (
        <>
          {ending.length === 0 && <Text>None</Text>}
          <ul className="list plain">
            {ending.map(({ accountId, accountName, hint, endsAt, isUsed }) => (
              <li key={`${accountId} ${hint}`}>
                <PageLink
                  to={paths.serviceAccount({ kind: 'orgs', id: orgId }, accountId)}
                  size="sm"
                  underline="always"
                  className="breakable"
                >
                  {accountName}
                </PageLink>{' '}
                <Code>{hint}</Code> ends <Age time={endsAt} />{' '}
                {isUsed && <StateBadge tone="warning">still in use</StateBadge>}
              </li>
            ))}
          </ul>
          {lookedAt !== undefined && <Note>Only the first {lookedAt} accounts were checked.</Note>}
        </>
      )}
    </Card>
  )
}
