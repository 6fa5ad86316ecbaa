import type { Severity } from '../ui/severity.tsx'
import { ask } from './ask.ts'
import { type Answer, call } from './client.ts'

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

/** A vulnerability that is known to be exploited since lately. */
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
  readonly advisories: {
    readonly source: string
    readonly is_starter_set: boolean
    readonly checked_at: string
    readonly registries: readonly { readonly registry: string; readonly records: number; readonly newest: string }[]
  }
}

export async function readOverview(orgId: string): Promise<OrgOverview> {
  return (await ask('GET', `orgs/${encodeURIComponent(orgId)}/overview`)) as OrgOverview
}

const DAY_MS = 86_400_000

interface TrendWanted {
  /** Days up to today. */
  readonly days: number
  readonly interval: 'day' | 'week'
}

/** Returns the first day of a range that ends today, in UTC. */
function firstDay(days: number): string {
  return new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)
}

export async function readTrend(orgId: string, { days, interval }: TrendWanted): Promise<Trend> {
  const query = { from: firstDay(days), interval }
  return (await call('getOrgTrends', { params: { org_id: orgId }, query })).data.attributes
}

export async function readProjectTrend(orgId: string, projectId: string, wanted: TrendWanted): Promise<Trend> {
  const query = new URLSearchParams({ from: firstDay(wanted.days), interval: wanted.interval })
  const path = `orgs/${encodeURIComponent(orgId)}/projects/${encodeURIComponent(projectId)}/trends?${query}`
  return (await ask('GET', path)) as Trend
}
