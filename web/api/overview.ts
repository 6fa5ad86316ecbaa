import { type Severity, severities } from '../ui/severity.tsx'
import { type Answer, call, type Data } from './client.ts'

export type Counts = Readonly<Record<Severity, number>>
export type Trend = Data<'getOrgTrends'>['attributes']
export type TrendPoint = Trend['points'][number]

const DAY_MS = 86_400_000

interface Range {
  readonly orgId: string
  /** Undefined for all projects. */
  readonly projectId?: string
  readonly days: number
}

/** Reads the trend of the last days, until today. */
export async function readTrend({ orgId: org_id, projectId: project_id, days }: Range): Promise<Trend> {
  const query = { from: new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10) }
  const answer =
    project_id === undefined
      ? await call('getTrend', { params: { org_id }, query })
      : await call('getProjectTrend', { params: { org_id, project_id }, query })
  const { first, days: count, changes, ...rest } = answer
  return { ...rest, interval: 'day', points: first === null ? [] : toPoints(Date.parse(first), count, changes) }
}

/** Adds the days without changes, which have the open issues of the day before. */
function toPoints(start: number, days: number, changes: Answer<'getTrend'>['changes']): TrendPoint[] {
  const byDay = new Map(changes.map(([day, ...row]) => [day, row]))
  let open: readonly number[] = []
  return Array.from({ length: days }, (_, day) => {
    const row = byDay.get(day) ?? []
    if (row.length > 0) open = row
    const of = (measure: number, values: readonly number[] = row) => {
      const at = measure * severities.length
      const [critical = 0, high = 0, medium = 0, low = 0] = values.slice(at, at + severities.length)
      return { critical, high, medium, low }
    }
    const date = new Date(start + day * DAY_MS).toISOString().slice(0, 10)
    return { date, open: of(0, open), opened: of(1), fixed: of(2), ignored: of(3), removed: of(4) }
  })
}
