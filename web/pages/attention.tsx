import { Anchor, Code, Group, List, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  type Count,
  countCriticalIssues,
  countFailedImports,
  countNewIssues,
  countStaleIgnores,
  listEndingCredentials,
  RECENT_DAYS,
  recentSince,
  SOON_DAYS,
} from '../api/attention.ts'
import { toRefusal } from '../api/refusal.ts'
import { paths } from '../navigation/paths.ts'
import { Age } from '../ui/relative-time.tsx'
import { SeverityCounts } from '../ui/severity.tsx'
import { StateBadge } from '../ui/state-badge.tsx'

interface Props {
  readonly orgId: string
  readonly name: string
}

/** Shows open work of an organization. */
export function Attention({ orgId, name }: Props) {
  return (
    <Stack gap="xs" component="section" aria-label={`What matters in ${name}`}>
      <Title order={2} size="h4">
        What matters in {name}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        <NewIssues orgId={orgId} />
        <CriticalIssues orgId={orgId} />
        <FailedImports orgId={orgId} />
        <StaleIgnores orgId={orgId} />
        <EndingCredentials orgId={orgId} />
      </SimpleGrid>
    </Stack>
  )
}

interface CardProps<T> {
  readonly title: string
  readonly reading: UseQueryResult<T>
  readonly children: (found: T) => ReactNode
}

/** One thing, or why it is not known: nothing looks fine here that could not be read. */
function Card<T>({ title, reading, children }: CardProps<T>) {
  return (
    <Paper withBorder p="md">
      <Stack gap={6}>
        <Text component="h3" size="sm" c="dimmed" m={0}>
          {title}
        </Text>
        {reading.data !== undefined && children(reading.data)}
        {reading.data === undefined && reading.isPending && (
          <Skeleton height={28} role="status" aria-label={`Loading: ${title}`} />
        )}
        {reading.data === undefined && reading.isError && (
          <Text size="sm" className="breakable">
            Not known: {toRefusal(reading.error).message}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

function Figure({ of: { count, isMore }, to, none }: { of: Count; to: string; none: string }) {
  if (count === 0) return <Text>{none}</Text>
  return (
    <Anchor component={Link} to={to} fw={700} size="xl" w="fit-content">
      {count.toLocaleString()}
      {isMore && ' or more'}
    </Anchor>
  )
}

const staleTime = 30_000

function NewIssues({ orgId }: { orgId: string }) {
  const since = recentSince()
  const reading = useQuery({
    queryKey: ['issues', orgId, 'new', since],
    queryFn: () => countNewIssues(orgId, since),
    staleTime,
  })
  const to = `${paths.issues(orgId)}?${new URLSearchParams({ created_after: since, ignored: 'false' })}`
  return (
    <Card title={`New issues in ${RECENT_DAYS} days, not ignored`} reading={reading}>
      {(found) => (
        <Group gap="sm">
          <Figure of={found} to={to} none="None" />
          {found.count > 0 && <SeverityCounts counts={found.bySeverity} />}
        </Group>
      )}
    </Card>
  )
}

function CriticalIssues({ orgId }: { orgId: string }) {
  const reading = useQuery({
    queryKey: ['issues', orgId, 'critical'],
    queryFn: () => countCriticalIssues(orgId),
    staleTime,
  })
  const to = `${paths.issues(orgId)}?effective_severity_level=critical&ignored=false`
  return (
    <Card title="Open critical issues" reading={reading}>
      {(found) => <Figure of={found} to={to} none="None is known" />}
    </Card>
  )
}

function FailedImports({ orgId }: { orgId: string }) {
  const since = recentSince()
  const reading = useQuery({
    queryKey: ['imports', orgId, 'failed', since],
    queryFn: () => countFailedImports(orgId, since),
    staleTime,
  })
  return (
    <Card title={`Imports in ${RECENT_DAYS} days that failed`} reading={reading}>
      {({ failed, partly }) => (
        <Group gap="sm" align="baseline">
          <Figure of={failed} to={`${paths.imports(orgId)}?state=failed`} none="None" />
          {partly.count > 0 && (
            <Anchor component={Link} to={`${paths.imports(orgId)}?state=complete`} size="sm">
              {partly.count.toLocaleString()}
              {partly.isMore && ' or more'} with manifests that failed
            </Anchor>
          )}
          {partly.count === 0 && partly.isMore && (
            <Text size="sm">The latest completed imports had no failed manifests; older ones were not checked.</Text>
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
      {(found) => <Figure of={found} to={`${paths.ignores(orgId)}?state=stale`} none="None" />}
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
    <Card title={`Service account credentials that expire in ${SOON_DAYS} days`} reading={reading}>
      {({ ending, lookedAt }) => (
        <>
          {ending.length === 0 && <Text>None</Text>}
          <List size="sm" spacing={4} listStyleType="none">
            {ending.map(({ accountId, accountName, hint, endsAt, isUsed }) => (
              <List.Item key={`${accountId} ${hint}`}>
                <Anchor
                  component={Link}
                  to={paths.serviceAccount({ kind: 'orgs', id: orgId }, accountId)}
                  size="sm"
                  underline="always"
                >
                  {accountName}
                </Anchor>{' '}
                <Code>{hint}</Code> ends <Age time={endsAt} />{' '}
                {isUsed && <StateBadge tone="warning">still in use</StateBadge>}
              </List.Item>
            ))}
          </List>
          {lookedAt !== undefined && (
            <Text size="xs" c="dimmed">
              Only the first {lookedAt} accounts were checked.
            </Text>
          )}
        </>
      )}
    </Card>
  )
}
