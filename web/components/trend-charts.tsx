import { Group, Text } from '@mantine/core'
import type { Trend } from '../api/overview.ts'
import { lazyPart } from '../navigation/lazy.ts'
import { ChartCard } from '../ui/charts/chart-card.tsx'
import { toFullDay } from '../ui/charts/days.ts'
import { type Severity, severities, sumOf } from '../ui/severity.tsx'
import { Table } from '../ui/table.tsx'
import styles from './trend-charts.module.css'

// The chart library is large; the numbers are there without it.
const OpenPlot = lazyPart(async () => (await import('../ui/charts/plots.tsx')).OpenPlot)
const FlowPlot = lazyPart(async () => (await import('../ui/charts/plots.tsx')).FlowPlot)

/** Points that make a line. */
const MIN_POINTS = 2

interface Props {
  readonly trend: Trend
}

/** Shows the open issues of each day by severity. */
export function OpenIssuesChart({ trend: { points, since } }: Props) {
  const first = points[0]
  const last = points.at(-1)
  const rows = points.map(({ date, open }) => ({ date, ...open }))
  const change = first && last && `${sumOf(first.open).toLocaleString()} → ${sumOf(last.open).toLocaleString()}`
  return (
    <ChartCard
      title="Open issues by severity"
      note={change}
      legend={first && last && <Changes from={first.open} to={last.open} />}
      chart={
        rows.length < MIN_POINTS ? (
          <Young since={since} />
        ) : (
          <OpenPlot points={rows} label={`Open issues by severity, ${change}`} />
        )
      }
      table={<Numbers label="Open issues by severity" columns={severities} rows={rows} />}
    />
  )
}

/** Shows how many issues were opened and fixed each week. */
export function FlowChart({ trend: { points, since } }: Props) {
  const rows = points.map((point) => ({
    date: point.date,
    opened: sumOf(point.opened),
    fixed: sumOf(point.fixed),
    ignored: sumOf(point.ignored),
    removed: sumOf(point.removed),
  }))
  const total = (name: 'opened' | 'fixed' | 'ignored' | 'removed') => rows.reduce((sum, row) => sum + row[name], 0)
  return (
    <ChartCard
      title="Opened and fixed"
      note="per week"
      legend={
        <Group gap="md">
          <Key color="var(--chart-opened)" name="Opened" value={total('opened')} />
          <Key color="var(--chart-fixed)" name="Fixed" value={total('fixed')} />
          {total('ignored') > 0 && <Key name="Ignored" value={total('ignored')} />}
          {total('removed') > 0 && <Key name="Removed" value={total('removed')} />}
        </Group>
      }
      chart={
        rows.length === 0 ? (
          <Young since={since} />
        ) : (
          <FlowPlot
            points={rows}
            label={`Opened and fixed per week: ${total('opened')} opened, ${total('fixed')} fixed`}
          />
        )
      }
      table={
        <Numbers label="Opened and fixed per week" columns={['opened', 'fixed', 'ignored', 'removed']} rows={rows} />
      }
    />
  )
}

function Young({ since }: { since: string }) {
  return (
    <Text size="sm" c="dimmed" py="xl">
      Trends start on {toFullDay(since)}. The first line appears tomorrow.
    </Text>
  )
}

function Changes({ from, to }: { from: Readonly<Record<Severity, number>>; to: Readonly<Record<Severity, number>> }) {
  return (
    <Group gap="md">
      {severities.map((severity) => (
        <Key
          key={severity}
          color={`var(--chart-${severity})`}
          name={`${severity[0]!.toUpperCase()}${severity.slice(1)}`}
          value={signed(to[severity] - from[severity])}
        />
      ))}
    </Group>
  )
}

function signed(change: number): string {
  if (change === 0) return '±0'
  return `${change > 0 ? '+' : '−'}${Math.abs(change).toLocaleString()}`
}

function Key({ color, name, value }: { color?: string; name: string; value: number | string }) {
  return (
    <Group gap={6} wrap="nowrap">
      {color !== undefined && <span className={styles['mark']} style={{ background: color }} aria-hidden />}
      <Text size="xs">
        {name} <b>{value.toLocaleString()}</b>
      </Text>
    </Group>
  )
}

interface NumbersProps<Column extends string> {
  readonly label: string
  readonly columns: readonly Column[]
  readonly rows: readonly (Readonly<Record<Column, number>> & { readonly date: string })[]
}

/** The latest day first. */
function Numbers<Column extends string>({ label, columns, rows }: NumbersProps<Column>) {
  return (
    <Table aria-label={label} verticalSpacing={4} stickyHeader>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Date</Table.Th>
          {columns.map((name) => (
            <Table.Th key={name} scope="col" ta="right" tt="capitalize">
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.toReversed().map((row) => (
          <Table.Tr key={row.date}>
            <Table.Td>{toFullDay(row.date)}</Table.Td>
            {columns.map((name) => (
              <Table.Td key={name} ta="right">
                {row[name].toLocaleString()}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
