import { filterNames, type GroupFilters } from './group-query.ts'

/** A named choice of filters. */
export interface View {
  readonly name: string
  /** Parameters of the address. */
  readonly query: string
}

const WEEK_DAYS = 7
const DAY_MS = 86_400_000

interface ViewContext {
  /** True if the server knows which vulnerabilities are exploited. */
  readonly hasExploited: boolean
  readonly now?: number
}

export function builtInViews({ hasExploited, now = Date.now() }: ViewContext): readonly View[] {
  const since = new Date(Math.floor(now / DAY_MS - WEEK_DAYS) * DAY_MS).toISOString()
  const view = (name: string, filters: GroupFilters) => ({ name, query: toViewQuery(filters) })
  return [
    view('All open', {}),
    ...(hasExploited ? [view('Exploited', { exploited: 'yes' })] : []),
    view('Critical with a fix', { severity: 'critical', fix: 'yes' }),
    view('New this week', { since }),
    view('No fix yet', { fix: 'no' }),
    view('Ignored', { state: 'ignored' }),
  ]
}

/** Writes filters in a fixed order, so that equal ones are equal texts. */
export function toViewQuery(filters: GroupFilters): string {
  const entries = filterNames.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]]))
  return new URLSearchParams(entries).toString()
}

const keyOf = (orgId: string) => `gatehouse-views ${orgId}`

/** Reads the views that were saved in this browser. */
export function readViews(orgId: string): readonly View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(orgId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isView) : []
  } catch {
    return []
  }
}

function isView(value: unknown): value is View {
  const { name, query } = (value ?? {}) as Partial<Record<keyof View, unknown>>
  return typeof name === 'string' && typeof query === 'string'
}

/** Saves a view, which replaces one with the same name. */
export function saveView(orgId: string, view: View): readonly View[] {
  return keep(orgId, [...readViews(orgId).filter(({ name }) => name !== view.name), view])
}

export function removeView(orgId: string, name: string): readonly View[] {
  return keep(
    orgId,
    readViews(orgId).filter((view) => view.name !== name),
  )
}

function keep(orgId: string, views: readonly View[]): readonly View[] {
  localStorage.setItem(keyOf(orgId), JSON.stringify(views))
  return views
}
