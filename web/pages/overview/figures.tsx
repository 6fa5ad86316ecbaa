import { Group, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Counts, Trend } from '../../api/overview.ts'
import type { OrgOverview } from '../../api/resources.ts'
import { Note } from '../../components/note.tsx'
import { paths } from '../../navigation/paths.ts'
import { PageLink } from '../../ui/links.tsx'
import { SeverityWord, severities, sumOf } from '../../ui/severity.tsx'
import { countOf } from '../../ui/words.ts'
import { Loading } from './loading.tsx'
import styles from './page.module.css'

interface Props {
  readonly orgId: string
  readonly overview: OrgOverview | undefined
  readonly trend: Trend | undefined
  readonly days: number
}

/** Shows exact totals: open issues, projects by coverage, and the time that fixes take. */
export function Figures({ orgId, overview, trend, days }: Props) {
  return (
    <div className={styles['figures']}>
      <div className={styles['wide']}>
        {overview ? (
          <OpenIssues orgId={orgId} overview={overview} trend={trend} days={days} />
        ) : (
          <Loading what="Open issues" height={150} />
        )}
      </div>
      {overview ? <Coverage orgId={orgId} projects={overview.projects} /> : <Loading what="Projects" height={150} />}
      {trend ? <MeanTimeToFix trend={trend} days={days} /> : <Loading what="Mean time to fix" height={150} />}
    </div>
  )
}

function Figure({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <Paper component="section" withBorder p="md" h="100%" aria-label={title}>
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text component="h2" size="sm" c="dimmed" fw={400} m={0}>
            {title}
          </Text>
          {aside}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}

function OpenIssues({ orgId, overview, trend, days }: Props & { readonly overview: OrgOverview }) {
  const { open, is_counting: isCounting } = overview
  const total = sumOf(open)
  const list = (query: Readonly<Record<string, string>>) =>
    `${paths.issues(orgId)}?${new URLSearchParams({ ignored: 'false', ...query })}`
  return (
    <Figure title="Open issues" aside={trend && <Change trend={trend} now={open} days={days} />}>
      <PageLink to={list({})} c="inherit" className={styles['number']} w="fit-content">
        {total.toLocaleString()}
      </PageLink>
      {total > 0 && (
        <div className={styles['bar']} aria-hidden>
          {severities
            .filter((severity) => open[severity] > 0)
            .map((severity) => (
              <span key={severity} style={{ flexGrow: open[severity], background: `var(--${severity})` }} />
            ))}
        </div>
      )}
      <ul className={styles['severities']}>
        {severities.map((severity) => (
          <li key={severity}>
            <PageLink to={list({ effective_severity_level: severity })} c="inherit" fw={600}>
              {open[severity].toLocaleString()}
            </PageLink>{' '}
            <Text span size="sm" c="dimmed">
              <SeverityWord severity={severity} />
            </Text>
          </li>
        ))}
      </ul>
      {isCounting && (
        <Text size="xs" c="dimmed" role="status">
          New advisories are being counted. Totals follow within minutes.
        </Text>
      )}
    </Figure>
  )
}

function Change({ trend, now, days }: { trend: Trend; now: Counts; days: number }) {
  const first = trend.points[0]
  if (!first || trend.points.length < 2) return null
  const change = sumOf(now) - sumOf(first.open)
  if (change === 0) return <Text size="xs">No change in {days} days</Text>
  return (
    <Note>
      {change > 0 ? '↑' : '↓'} {Math.abs(change).toLocaleString()} in {days} days
    </Note>
  )
}

function Coverage({ orgId, projects }: { orgId: string; projects: OrgOverview['projects'] }) {
  const { complete, incomplete, untested } = projects
  const total = complete + incomplete + untested
  return (
    <Figure title="Projects with complete tests">
      <PageLink to={paths.projects(orgId)} c="inherit" className={styles['number']} w="fit-content">
        {complete.toLocaleString()} of {total.toLocaleString()}
      </PageLink>
      <Note size="sm">
        {complete === total
          ? 'Every dependency was read.'
          : `${incomplete.toLocaleString()} incomplete · ${untested.toLocaleString()} not tested`}
      </Note>
    </Figure>
  )
}

function MeanTimeToFix({ trend: { mean_days_to_fix: mean }, days }: { trend: Trend; days: number }) {
  const [worst, ...others] = severities.filter((severity) => mean[severity] !== null)
  return (
    <Figure title="Mean time to fix">
      {worst === undefined ? (
        <Text>No fixes in {days} days</Text>
      ) : (
        <>
          <Text className={styles['number'] ?? ''}>{countOf(mean[worst]!, 'day')}</Text>
          <Note size="sm">
            {worst}, last {days} days
          </Note>
          {others.length > 0 && (
            <Note size="sm">
              {others.map((severity) => `${severity} ${countOf(mean[severity]!, 'day')}`).join(' · ')}
            </Note>
          )}
        </>
      )}
    </Figure>
  )
}
