import { Problem } from '../problem.ts'

export type Stability = 'wip' | 'experimental' | 'beta' | 'ga'

/** A dated release of an operation: `2023-09-07` or `2023-06-19~experimental`. */
export type Release = `${string}-${string}-${string}` | `${string}-${string}-${string}~${Exclude<Stability, 'ga'>}`

/** A date and a stability, requested or released. */
export interface Version {
  /** YYYY-MM-DD. */
  readonly date: string
  readonly stability: Stability
}

export interface ServedVersion {
  readonly requested: string
  readonly served: string
  readonly stage: Stability | 'deprecated' | 'sunset'
}

/** The pattern of the interface document. */
export const versionPattern =
  '^(wip|work-in-progress|experimental|beta|((([0-9]{4})-([0-1][0-9]))-((3[01])|(0[1-9])|([12][0-9]))(~(wip|work-in-progress|experimental|beta))?))$'

const ranks: Record<Stability, number> = { wip: 0, experimental: 1, beta: 2, ga: 3 }

/** Date from which requests carry no stability: the most stable release answers, and experimental ones no longer do. */
export const PIVOT = '2024-10-15'

const source = { parameter: 'version' }

/**
 * Returns the release that answers a `version` parameter: the newest that is not after its date and at least as stable.
 * Throws 400 for a version that is missing, malformed or in the future, 404 if none matches.
 */
export function resolveVersion(requested: unknown, releases: readonly string[], now: number): ServedVersion {
  const match = findRelease(parseVersion(requested, now), releases)
  if (!match) {
    throw new Problem('version-not-found', `no matching version: this operation has ${releases.join(', ')}`, { source })
  }
  return { requested: String(requested), served: formatVersion(match), stage: match.stability }
}

/** Finds the answering release. */
export function findRelease(requested: Version, releases: readonly string[]): Version | undefined {
  const candidates = releases.map(parseRelease).filter((release) => release.date <= requested.date)
  return requested.date < PIVOT ? newestAtLeast(candidates, requested.stability) : newestStable(candidates)
}

/** Parses a `version` parameter. Throws 400 if it is missing, malformed or in the future. */
export function parseVersion(requested: unknown, now: number): Version {
  const today = new Date(now).toISOString().slice(0, 10)
  if (requested === undefined || requested === '') {
    throw new Problem('version-missing', "missing required query parameter 'version'", { source })
  }
  if (typeof requested !== 'string')
    throw new Problem('version-invalid', 'version was given more than once', { source })
  const [date = '', suffix, ...rest] = requested.split('~')
  // A bare stability means that stability today.
  const bare = toStability(date)
  if (bare && suffix === undefined) return { date: today, stability: bare }
  if (!isDate(date) || rest.length > 0)
    throw new Problem('version-invalid', `invalid version "${shown(requested)}"`, { source })
  const stability = suffix === undefined ? 'ga' : toStability(suffix)
  if (!stability) throw new Problem('version-invalid', `invalid stability "${shown(suffix!)}"`, { source })
  if (date > today) {
    throw new Problem('version-in-future', `requested version newer than present date ${today}`, { source })
  }
  return { date, stability }
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function toStability(word: string): Stability | undefined {
  if (word === 'work-in-progress') return 'wip'
  return word === 'wip' || word === 'experimental' || word === 'beta' ? word : undefined
}

export function parseRelease(release: string): Version {
  const [date, stability = 'ga'] = release.split('~')
  return { date: date!, stability: stability as Stability }
}

export function formatVersion({ date, stability }: Version): string {
  return stability === 'ga' ? date : `${date}~${stability}`
}

function newestAtLeast(releases: readonly Version[], stability: Stability): Version | undefined {
  return newest(releases.filter((release) => ranks[release.stability] >= ranks[stability]))
}

function newestStable(releases: readonly Version[]): Version | undefined {
  return (
    newest(releases.filter((release) => release.stability === 'ga')) ??
    newest(releases.filter((release) => release.stability === 'beta'))
  )
}

function newest(releases: readonly Version[]): Version | undefined {
  return releases.toSorted(oldestFirst).at(-1)
}

/** Sorts by date; on one day the less stable comes first. */
export function oldestFirst(a: Version, b: Version): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  return ranks[a.stability] - ranks[b.stability]
}
