import { Problem } from '../problem.ts'

const DAY_MS = 86_400_000
const MAX_KEPT = 10_000

const dates = new Map<number, string>()
const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
const threeDigits = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))

/**
 * Formats an instant like `toISOString` (RFC 3339, UTC, milliseconds) at a tenth of its cost: dates are cached and the
 * rest is concatenated.
 */
export function toTimestamp(epochMs: number): string {
  const day = Math.floor(epochMs / DAY_MS)
  const ms = epochMs - day * DAY_MS
  const hours = Math.floor(ms / 3_600_000)
  const minutes = Math.floor(ms / 60_000) % 60
  const seconds = Math.floor(ms / 1000) % 60
  return `${dateOf(day)}T${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[seconds]}.${threeDigits[ms % 1000]}Z`
}

/** Caches dates: many rows share few days. */
function dateOf(day: number): string {
  const cached = dates.get(day)
  if (cached !== undefined) return cached
  const date = new Date(day * DAY_MS).toISOString().split('T', 1)[0]!
  if (dates.size >= MAX_KEPT) dates.clear()
  dates.set(day, date)
  return date
}

/**
 * Parses a time from a query. The schema has checked the format; a leap second matches it but is not a valid JavaScript
 * time.
 */
export function parseTimestamp(text: string, parameter: string): number {
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return time
  throw new Problem('invalid-request', `Parameter ${parameter} must be a time such as 2031-08-29T12:00:00Z`, {
    source: { parameter },
  })
}
