import { Alert, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { DataTable } from '../../../ui/data-table.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { WarningIcon } from '../../../ui/icons.tsx'
import { formatAge } from '../../../ui/relative-time.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { countOf } from '../../../ui/words.ts'
import type { Coverage } from './result.ts'

const reasons: Readonly<Record<string, string>> = { dev: 'development only' }

interface Props {
  readonly coverage: Coverage
  readonly manager: string
  /** Distinguishes it from others on the page. */
  readonly of?: string
}

/** Shows the coverage above the findings, since it determines how reliable they are. */
export function CoverageView({ coverage, manager, of }: Props) {
  const {
    dependencies,
    advisories,
    unresolved,
    boundsMet,
    policyFile,
    excluded,
    filesRead,
    locked,
    complete,
    licenses,
    registryAnswers,
    notImported = [],
  } = coverage
  return (
    <Paper withBorder p="lg" component="section" aria-label={of === undefined ? 'Coverage' : `Coverage of ${of}`}>
      <Stack>
        <Group gap="sm">
          <Title order={2} size="h4">
            Coverage
          </Title>
          <StateBadge tone={complete ? 'good' : 'warning'}>{complete ? 'complete' : 'partial'}</StateBadge>
          {advisories.starterSet && <StateBadge tone="warning">starter set</StateBadge>}
        </Group>
        {advisories.starterSet && (
          <Alert color="yellow" icon={<WarningIcon />}>
            Only the starter set of advisories was used. It contains a few well-known vulnerabilities. An operator can
            load all public advisories with <Code>gatehouse advisories sync</Code>.
          </Alert>
        )}
        <Facts
          of={[
            [
              'Dependencies',
              coverage.declaresNone
                ? 'none declared'
                : `${dependencies.resolved} of ${dependencies.found} resolved and tested`,
            ],
            ['Files read', filesRead.join(', ')],
            ['Versions', locked ? 'from the lockfile' : `resolved during the test, as ${manager} would`],
            [
              'Left out',
              excluded.length > 0
                ? excluded.map(({ reason, packages }) => `${packages} (${reasons[reason] ?? reason})`).join(', ')
                : undefined,
            ],
            ['Licenses', licenses.unknown > 0 ? `unknown for ${countOf(licenses.unknown, 'package')}` : undefined],
            [
              'Advisories',
              `${advisories.records.toLocaleString()} for ${manager}, read ${formatAge(advisories.builtAt)}`,
            ],
            ['Newest', advisories.newestAdvisory ? formatAge(advisories.newestAdvisory) : 'unknown'],
            ['Digest', <Code key="digest">{advisories.digest.slice(0, 16)}</Code>],
          ]}
        />
        {boundsMet.length > 0 && (
          <Alert color="yellow" icon={<WarningIcon />} title="Incomplete list">
            {boundsMet.map((bound) => (
              <Text key={bound} size="sm">
                {bound}
              </Text>
            ))}
          </Alert>
        )}
        {policyFile !== undefined && policyFile.notes.length > 0 && (
          <Alert color="yellow" icon={<WarningIcon />} title={`Not applied of ${policyFile.path}`}>
            {policyFile.notes.map((note) => (
              <Text key={note} size="sm">
                {note}
              </Text>
            ))}
          </Alert>
        )}
        {registryAnswers.stale > 0 && (
          <Alert color="yellow" icon={<WarningIcon />} title="Registry unavailable">
            {registryAnswers.stale} cached answers were used
            {registryAnswers.oldestStaleAt !== null && `, the oldest from ${formatAge(registryAnswers.oldestStaleAt)}`}.
            Newer versions may be missing.
          </Alert>
        )}
        {unresolved.length > 0 && (
          <>
            <Title order={3} size="h5">
              Not resolved, so not tested
            </Title>
            <DataTable
              label="Dependencies that were not resolved"
              rows={unresolved}
              rowKey={({ name, range, requiredBy }) => `${requiredBy} ${name} ${range}`}
              columns={[
                { name: 'Package', cell: ({ name, range }) => <Code>{`${name}@${range}`}</Code> },
                { name: 'Required by', cell: ({ requiredBy }) => requiredBy || 'the project' },
                { name: 'Why', cell: ({ reason }) => reason },
              ]}
            />
          </>
        )}
        {notImported.length > 0 && (
          <>
            <Title order={3} size="h5">
              Vulnerable, but not imported
            </Title>
            <DataTable
              label="Vulnerabilities in packages that the project does not have"
              rows={notImported}
              rowKey={({ id, package: name, version }) => `${id} ${name} ${version}`}
              columns={[
                { name: 'Vulnerability', cell: ({ id, title }) => `${title} (${id})` },
                { name: 'Module', cell: ({ package: name, version }) => <Code>{`${name}@${version}`}</Code> },
                { name: 'Affected packages', cell: ({ imports }) => imports.join(', ') },
              ]}
            />
          </>
        )}
      </Stack>
    </Paper>
  )
}
