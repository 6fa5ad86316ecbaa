import { Group, Paper, Stack, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import type { Repository } from '../../api/resources.ts'
import { Note } from '../../components/note.tsx'
import { useSparklines } from '../../hooks/sparklines.ts'
import { paths } from '../../navigation/paths.ts'
import { hasSparklines, SparklineCell } from '../../ui/charts/sparkline-cell.tsx'
import { PageLink } from '../../ui/links.tsx'
import { PathText } from '../../ui/path-text.tsx'
import { sumOf } from '../../ui/severity.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './page.module.css'

const shown = ['critical', 'high'] as const

interface Props {
  readonly orgId: string
  readonly repositories: readonly Repository[]
  /** All repositories of the organization. */
  readonly total: number
  /** True while open issues are being counted by repository, which takes up to a minute. */
  readonly isCounting: boolean
}

/** Lists the repositories with the most critical issues, then high ones, and so on. */
export function WorstRepositories({ orgId, repositories, total, isCounting }: Props) {
  const id = useId()
  const ids = repositories.map((repository) => repository.id)
  const lines = useSparklines(orgId, 'repository', ids)
  const hasLines = hasSparklines(lines)
  return (
    <Paper component="section" withBorder p="md" className={styles['card'] ?? ''} aria-labelledby={id}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5" id={id}>
            Repositories with the worst issues
          </Title>
          <PageLink to={paths.projects(orgId)} size="sm">
            All {total.toLocaleString()}
          </PageLink>
        </Group>
        {repositories.length === 0 ? (
          <Note size="sm">
            {isCounting
              ? 'New issues are being counted; they appear within a minute.'
              : 'No repository has open issues.'}
          </Note>
        ) : (
          <Table aria-labelledby={id} className={styles['table'] ?? ''} verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Repository</Table.Th>
                <Table.Th scope="col" ta="right" className={`${styles['count']} ${styles['narrow']}`}>
                  Projects
                </Table.Th>
                {shown.map((severity) => (
                  <Table.Th key={severity} scope="col" ta="right" tt="capitalize" className={styles['count'] ?? ''}>
                    {severity}
                  </Table.Th>
                ))}
                <Table.Th scope="col" ta="right" className={styles['count'] ?? ''}>
                  All
                </Table.Th>
                {hasLines && (
                  <Table.Th scope="col" className={`${styles['line']} ${styles['narrow']}`}>
                    90 days
                  </Table.Th>
                )}
                <Table.Th scope="col" className={`${styles['coverage']} ${styles['narrow']}`}>
                  Coverage
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {repositories.map((repository) => (
                <Row
                  key={repository.id}
                  orgId={orgId}
                  of={repository}
                  names={repositories.map(({ name }) => name)}
                  line={hasLines && <SparklineCell levels={lines?.[repository.id]} />}
                />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Stack>
    </Paper>
  )
}

interface RowProps {
  readonly orgId: string
  readonly of: Repository
  /** Names of the repositories in the list. */
  readonly names: readonly string[]
  /** False without a column of sparklines. */
  readonly line: ReactNode
}

/** Marks counts of incomplete tests, which may have missed issues. */
function Row({ orgId, of: { id, name, projects, incomplete, open }, names, line }: RowProps) {
  const atLeast = incomplete > 0 && '≥ '
  return (
    <Table.Tr>
      <Table.Td>
        <PageLink to={`${paths.projects(orgId)}?target_id=${id}`} aria-label={name} fw={600} size="sm">
          <PathText text={name} others={names} />
        </PageLink>
      </Table.Td>
      <Table.Td ta="right" className={styles['narrow'] ?? ''}>
        {projects.toLocaleString()}
      </Table.Td>
      {shown.map((severity) => (
        <Table.Td key={severity} ta="right" fw={severity === 'critical' ? 600 : 400}>
          {atLeast}
          {open[severity].toLocaleString()}
        </Table.Td>
      ))}
      <Table.Td ta="right" fw={600}>
        {atLeast}
        {sumOf(open).toLocaleString()}
      </Table.Td>
      {line !== false && <Table.Td className={`${styles['line']} ${styles['narrow']}`}>{line}</Table.Td>}
      <Table.Td className={styles['narrow'] ?? ''}>
        {incomplete > 0 ? `${incomplete.toLocaleString()} incomplete` : 'Complete'}
      </Table.Td>
    </Table.Tr>
  )
}
