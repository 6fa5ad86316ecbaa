import { type Severity, severities } from '../ui/severity.tsx'
import { ask } from './ask.ts'
import type { Answer } from './client.ts'

export type Counts = Readonly<Record<Severity, number>>
export type Trend = Answer<'getOrgTrends'>['data']['attributes']
export type TrendPoint = Trend['points'][number]

export interface Repository {
  /** The id of the target. */
  readonly id: string
  readonly name: string
  readonly projects: number
  readonly incomplete: number
  readonly open: Counts
}

/** A change of one package that fixes open issues. */
export interface OrgUpgrade {
  readonly registry: string
  readonly package: string
  readonly from_version: string
  readonly to_version: string
  readonly fixes: number
  readonly critical: number
  readonly projects: number
}

/** A vulnerability that recently became known to be exploited. */
export interface NewlyExploited {
  readonly id: string
  readonly title: string
  readonly since: string
  /** Projects with an open issue. */
  readonly projects: number
}

/** Exact totals of an organization. */
export interface OrgOverview {
  readonly projects: { readonly complete: number; readonly incomplete: number; readonly untested: number }
  readonly repositories: number
  /** An issue in several projects counts once per project. */
  readonly open: Counts
  /** True while newer advisories are not yet counted everywhere. */
  readonly is_counting: boolean
  readonly worst_repositories: readonly Repository[]
  readonly newly_exploited: readonly NewlyExploited[]
  readonly upgrades: readonly OrgUpgrade[]
  readonly advisories: AdvisoryState
}

/** The advisories that the server uses. */
export interface AdvisoryState {
  readonly source: string
  readonly is_starter_set: boolean
  /** False if the server has no catalog of known exploited vulnerabilities: then nothing about exploitation is shown. */
  readonly has_exploited_catalog: boolean
  readonly checked_at: string
  readonly registries: readonly { readonly registry: string; readonly records: number; readonly newest: string }[]
}

export async function readAdvisoryState(orgId: string): Promise<AdvisoryState> {
  return (await ask('GET', `orgs/${encodeURIComponent(orgId)}/advisories`)) as AdvisoryState
}

export async function readOverview(orgId: string): Promise<OrgOverview> {
  return (await ask('GET', `orgs/${encodeURIComponent(orgId)}/overview`)) as OrgOverview
}

const DAY_MS = 86_400_000

/** A trend in the server's short format: only days with changes. */
interface ShortTrend extends Omit<Trend, 'interval' | 'points'> {
  readonly first: string | null
  readonly days: number
  readonly changes: readonly (readonly number[])[]
}

/** Reads the trend of the last days, until today. */
export async function readTrend(orgId: string, days: number): Promise<Trend> {
  return askTrend(`orgs/${encodeURIComponent(orgId)}`, days)
}

export async function readProjectTrend(orgId: string, projectId: string, days: number): Promise<Trend> {
  return askTrend(`orgs/${encodeURIComponent(orgId)}/projects/${encodeURIComponent(projectId)}`, days)
}

async function askTrend(path: string, days: number): Promise<Trend> {
  const from = new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)
  const { first, days: count, changes, ...rest } = (await ask('GET', `${path}/trends?from=${from}`)) as ShortTrend
  return { ...rest, interval: 'day', points: first === null ? [] : toPoints(Date.parse(first), count, changes) }
}

/** Adds the days without changes, which have the open issues of the day before. */
function toPoints(start: number, days: number, changes: ShortTrend['changes']): TrendPoint[] {
  const byDay = new Map(changes.map(([day, ...row]) => [day, row]))
  let open: readonly number[] = []
  return Array.from({ length: days }, (_, day) => {
    const row = byDay.get(day) ?? []
    if (row.length > 0) open = row
    const of = (measure: number, values: readonly number[] = row) =>
      Object.fromEntries(severities.map((name, at) => [name, values[measure * severities.length + at] ?? 0])) as Counts
    const date = new Date(start + day * DAY_MS).toISOString().slice(0, 10)
    return { date, open: of(0, open), opened: of(1), fixed: of(2), ignored: of(3), removed: of(4) }
  })
}
