import { type Static, Type } from 'typebox'
import { toSeverity } from '#analysis/findings/known-issue.ts'
import { noIssues, type SeverityCounts } from '#features/issue-index/severity-counts.ts'
import { DAY_MS, KEPT_DAYS, toDay } from '#features/issue-index/trends/changes-store.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { Problem } from '#foundation/problem.ts'
import type { Trend, TrendRow } from './trends-store.ts'

const DEFAULT_DAYS = 90
const DAYS_OF_WEEK = 7
/** January 1, 1970 was a Thursday, three days after a Monday. */
const EPOCH_WEEKDAY = 3

const Count = Type.Integer({ minimum: 0 })
const TrendCounts = Type.Object({ critical: Count, high: Count, medium: Count, low: Count })
const Day = Type.String({ format: 'date' })
nameSchemas({ TrendCounts })

const TrendPoint = Type.Object({
  date: Type.String({ format: 'date', description: 'The day, or the Monday of the week' }),
  open: TrendCounts,
  opened: TrendCounts,
  fixed: TrendCounts,
  ignored: TrendCounts,
  removed: TrendCounts,
})
const MeanDays = Type.Union([Type.Number(), Type.Null()])
nameSchemas({ TrendPoint })

export const TrendAttributes = Type.Object({
  from: Day,
  to: Day,
  interval: Type.Enum(['day', 'week']),
  since: Type.String({ format: 'date', description: 'The first day with data' }),
  mean_days_to_fix: Type.Object(
    { critical: MeanDays, high: MeanDays, medium: MeanDays, low: MeanDays },
    { description: 'Days from first detection to the first test without the issue, of issues fixed in the range' },
  ),
  points: Type.Array(TrendPoint),
})

export const trendParameters = {
  from: Type.Optional(Type.String({ format: 'date', description: 'First day, in UTC; default: 89 days before `to`' })),
  to: Type.Optional(Type.String({ format: 'date', description: 'Last day; default and maximum: today' })),
  interval: Type.Optional(Type.Enum(['day', 'week'], { default: 'day', description: 'Weeks begin on Monday' })),
}

interface TrendQuery {
  readonly from?: string
  readonly to?: string
  readonly interval?: 'day' | 'week'
}

export interface TrendWanted {
  /** Days since 1970, both inclusive. */
  readonly from: number
  readonly to: number
  readonly interval: 'day' | 'week'
}

/** Reads the range of a query. Throws 400. A range of weeks begins on a Monday. */
export function toTrendWanted({ from, to, interval = 'day' }: TrendQuery, now: number): TrendWanted {
  const last = Math.min(toDay(now), to === undefined ? toDay(now) : toDay(Date.parse(to)))
  const first = from === undefined ? last - DEFAULT_DAYS + 1 : toDay(Date.parse(from))
  if (first > last) {
    throw new Problem('invalid-request', `The range is empty: \`from\` (${toDate(first)}) is after ${toDate(last)}.`, {
      source: { parameter: 'from' },
    })
  }
  if (last - first >= KEPT_DAYS) {
    const detail = `The range has ${last - first + 1} days; ask for at most ${KEPT_DAYS} at a time.`
    throw new Problem('invalid-request', detail, { source: { parameter: 'from' } })
  }
  return { from: interval === 'week' ? mondayOf(first) : first, to: last, interval }
}

function mondayOf(day: number): number {
  return day - ((day + EPOCH_WEEKDAY) % DAYS_OF_WEEK)
}

function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Formats a trend. Omits days before the first one with data: they are unknown, not zero. */
export function toTrendAttributes(
  { since, rows }: Trend,
  { from, to, interval }: TrendWanted,
): Static<typeof TrendAttributes> {
  const within = rows.filter(({ day }) => day >= from)
  return {
    from: toDate(from),
    to: toDate(to),
    interval,
    since: toDate(since),
    mean_days_to_fix: meanDaysToFix(within),
    points: toPoints({ since, rows }, { from, to, interval }),
  }
}

const measures = ['open', 'opened', 'fixed', 'ignored', 'removed'] as const
const severities = ['critical', 'high', 'medium', 'low'] as const

/** A trend by day that contains only the days with changes. */
export const ShortTrend = Type.Object({
  from: Day,
  to: Day,
  since: Day,
  mean_days_to_fix: TrendAttributes.properties.mean_days_to_fix,
  first: Type.Union([Day, Type.Null()], { description: 'The first day; null for a range without data' }),
  days: Type.Integer(),
  changes: Type.Array(Type.Array(Type.Integer()), {
    description: 'Days since the first one, then each measure (open, opened, fixed, ignored, removed) by severity',
  }),
})

export type ShortTrend = Static<typeof ShortTrend>

/** Formats a trend for the console, in a tenth of the bytes. */
export function toShortTrend(trend: Trend, query: TrendWanted): ShortTrend {
  const { points, interval: _, ...attributes } = toTrendAttributes(trend, { ...query, interval: 'day' })
  const rows = points.map((point) =>
    measures.flatMap((measure) => severities.map((severity) => point[measure][severity])),
  )
  return {
    ...attributes,
    first: points[0]?.date ?? null,
    days: points.length,
    changes: rows.flatMap((row, at) => (at > 0 && isQuiet(row, rows[at - 1]!) ? [] : [[at, ...row]])),
  }
}

/** Returns true for a day without an opened, fixed, ignored or removed issue and with the same number of open ones. */
function isQuiet(row: readonly number[], before: readonly number[]): boolean {
  return row.every((value, at) => value === (at < severities.length ? before[at] : 0))
}

function toPoints({ since, rows }: Trend, { from, to, interval }: TrendWanted): Static<typeof TrendPoint>[] {
  const length = interval === 'week' ? DAYS_OF_WEEK : 1
  const startOf = (day: number) => (interval === 'week' ? mondayOf(day) : day)
  const byStart = Map.groupBy(rows, ({ day }) => (day < from ? 'before' : startOf(day)))
  let open = sumBySeverity(byStart.get('before') ?? [], ({ change }) => change)
  const points: Static<typeof TrendPoint>[] = []
  for (let start = startOf(Math.max(from, since)); start <= to; start += length) {
    const own = byStart.get(start) ?? []
    open = sumBySeverity(own, ({ change }) => change, open)
    points.push({
      date: toDate(start),
      open,
      opened: sumBySeverity(own, ({ opened }) => opened),
      fixed: sumBySeverity(own, ({ fixed }) => fixed),
      ignored: sumBySeverity(own, ({ ignored }) => ignored),
      removed: sumBySeverity(own, ({ opened, fixed, ignored, change }) => opened - fixed - ignored - change),
    })
  }
  return points
}

function sumBySeverity(rows: readonly TrendRow[], of: (row: TrendRow) => number, before = noIssues): SeverityCounts {
  const sums = { ...before } as Record<keyof SeverityCounts, number>
  for (const row of rows) sums[toSeverity(row.severity)] += of(row)
  return sums
}

function meanDaysToFix(rows: readonly TrendRow[]): Static<typeof TrendAttributes>['mean_days_to_fix'] {
  const timed = sumBySeverity(rows, (row) => row.timed)
  const fixMs = sumBySeverity(rows, (row) => row.fix_ms)
  const mean = (severity: keyof SeverityCounts) =>
    timed[severity] === 0 ? null : Math.round((fixMs[severity] / timed[severity] / DAY_MS) * 10) / 10
  return { critical: mean('critical'), high: mean('high'), medium: mean('medium'), low: mean('low') }
}
