import { Area, AreaChart, Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { type Severity, severities } from '../severity.tsx'
import { toDayLabel, toFullDay } from './days.ts'
import styles from './plots.module.css'

export interface OpenPoint extends Readonly<Record<Severity, number>> {
  readonly date: string
}

export interface FlowPoint {
  readonly date: string
  readonly opened: number
  readonly fixed: number
}

interface Props<Point> {
  /** Accessible name. */
  readonly label: string
  readonly points: readonly Point[]
}

const HEIGHT = 230
const margin = { left: 0, right: 12, top: 8, bottom: 0 }
const tick = { fontSize: 11, fill: 'var(--mantine-color-dimmed)' }
const days = {
  dataKey: 'date',
  tickFormatter: toDayLabel,
  minTickGap: 48,
  tick,
  tickLine: false,
  stroke: 'var(--mantine-color-default-border)',
} as const
const counts = {
  allowDecimals: false,
  width: 44,
  tick,
  tickLine: false,
  axisLine: false,
  tickFormatter: format,
} as const
const grid = { vertical: false, stroke: 'var(--mantine-color-default-border)' } as const

/** Open issues by severity, one on the other; the worst lies on the axis. */
export function OpenPlot({ label, points }: Props<OpenPoint>) {
  return (
    <div className={styles['plot']}>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <AreaChart data={[...points]} margin={margin} title={label}>
          <CartesianGrid {...grid} />
          <XAxis {...days} />
          <YAxis {...counts} />
          <Tooltip isAnimationActive={false} content={Values} />
          {severities
            .filter((name) => points.some((point) => point[name] > 0))
            .map((name) => (
              <Area
                key={name}
                dataKey={name}
                stackId="open"
                type="stepAfter"
                stroke={`var(--chart-${name})`}
                fill={`var(--chart-${name})`}
                fillOpacity={0.5}
                isAnimationActive={false}
              />
            ))}
        </AreaChart>
      </ResponsiveContainer>
    </div>
  )
}

/** Issues that were opened and fixed, side by side. */
export function FlowPlot({ label, points }: Props<FlowPoint>) {
  return (
    <div className={styles['plot']}>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <BarChart data={[...points]} margin={margin} title={label} barGap={1}>
          <CartesianGrid {...grid} />
          <XAxis {...days} />
          <YAxis {...counts} />
          <Tooltip isAnimationActive={false} content={Values} cursor={{ fill: 'var(--mantine-color-default-hover)' }} />
          <Bar dataKey="opened" maxBarSize={32} fill="var(--chart-opened)" isAnimationActive={false} />
          <Bar dataKey="fixed" maxBarSize={32} fill="var(--chart-fixed)" isAnimationActive={false} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}

interface ValuesProps {
  readonly active?: boolean
  readonly label?: string | number | undefined
  readonly payload?: readonly { readonly dataKey?: unknown; readonly value?: unknown; readonly color?: string }[]
}

/** Shows the numbers at the cursor. */
function Values({ active, label, payload }: ValuesProps) {
  if (!active || !payload) return null
  return (
    <div className={styles['values']}>
      <b>{toFullDay(String(label))}</b>
      <ul>
        {payload.map(({ dataKey, value, color }) => (
          <li key={String(dataKey)}>
            <span className={styles['mark']} style={{ background: color }} aria-hidden />
            {String(dataKey)} <b>{format(Number(value))}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

function format(value: number): string {
  return value.toLocaleString()
}
