import { Group, Text } from '@mantine/core'
import type { Trend, TrendPoint } from '../api/overview.ts'
import { lazyPart } from '../navigation/lazy.ts'
import { ChartCard } from '../ui/charts/chart-card.tsx'
import { toFullDay } from '../ui/charts/days.ts'
import { severities, sumOf } from '../ui/severity.tsx'
import { Table } from '../ui/table.tsx'
import styles from './trend-charts.module.css'

// Fetched after the numbers are displayed.
const OpenPlot = lazyPart(async () => (await import('../ui/charts/plots.tsx')).OpenPlot)
const FlowPlot = lazyPart(async () => (await import('../ui/charts/plots.tsx')).FlowPlot)

const MIN_POINTS = 2

interface Props {
  /** Undefined while loading. */
  readonly trend: Trend | undefined
}

export function OpenIssuesChart({ trend }: Props) {
  const points = trend?.points ?? []
  const first = points[0]
  const last = points.at(-1)
  const rows = points.map(({ date, open }) => ({ date, ...open }))
  const change = first && last && `${sumOf(first.open).toLocaleString()} → ${sumOf(last.open).toLocaleString()}`
  return (
    <ChartCard
      title="Open issues by severity"
      note={change}
      chart={
        trend &&
        (rows.length < MIN_POINTS ? (
          <Young since={trend.since} />
        ) : (
          <OpenPlot points={rows} label={`Open issues by severity, ${change}`} />
        ))
      }
      table={<Numbers label="Open issues by severity" columns={severities} rows={rows} />}
    />
  )
}

/** Shows how many issues were opened and fixed each week. */
export function FlowChart({ trend }: Props) {
  const rows = sumByWeek(trend?.points ?? [])
  const total = (name: Flow) => rows.reduce((sum, row) => sum + row[name], 0)
  return (
    <ChartCard
      title="Opened and fixed"
      note="per week"
      legend={
        <Group gap="md">
          <Key color="var(--control)" name="Opened" value={total('opened')} />
          <Key color="var(--brand)" name="Fixed" value={total('fixed')} />
          {total('ignored') > 0 && <Key name="Ignored" value={total('ignored')} />}
          {total('removed') > 0 && <Key name="Removed" value={total('removed')} />}
        </Group>
      }
      chart={
        trend &&
        (rows.length === 0 ? (
          <Young since={trend.since} />
        ) : (
          <FlowPlot
            points={rows}
            label={`Opened and fixed per week: ${total('opened').toLocaleString()} opened, ${total('fixed').toLocaleString()} fixed`}
          />
        ))
      }
      table={<Numbers label="Opened and fixed per week" columns={flows} rows={rows} />}
    />
  )
}

const flows = ['opened', 'fixed', 'ignored', 'removed'] as const
type Flow = (typeof flows)[number]

/** Sums all severities by the Monday of each week. The first and the last week may be incomplete. */
function sumByWeek(points: readonly TrendPoint[]): (Record<Flow, number> & { readonly date: string })[] {
  const weeks = Map.groupBy(points, ({ date }) => mondayOf(date))
  return [...weeks].map(([date, days]) => {
    const sum = (name: Flow) => days.reduce((total, day) => total + sumOf(day[name]), 0)
    return { date, opened: sum('opened'), fixed: sum('fixed'), ignored: sum('ignored'), removed: sum('removed') }
  })
}

function mondayOf(date: string): string {
  const day = new Date(date)
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  return day.toISOString().slice(0, 10)
}

function Young({ since }: { since: string }) {
  return (
    <Text size="sm" c="dimmed" py="xl">
      Trends start on {toFullDay(since)}. The first line appears tomorrow.
    </Text>
  )
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

/** Lists the numbers, latest day first. */
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
