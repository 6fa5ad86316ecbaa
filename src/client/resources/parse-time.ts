import { ClientFailure } from '../failure.ts'

/** The last time that RFC 3339 can write. */
const LAST_TIME = Date.UTC(9999, 11, 31)
const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const

/** Returns the seconds of a duration, such as 90m, 24h or 7d. Throws `ClientFailure`, which names the option. */
export function parseDuration(text: string, option: string): number {
  const seconds = secondsOf(text)
  if (seconds !== undefined) return seconds
  throw new ClientFailure(`${option} ${text}: pass a duration such as 90m, 24h or 7d.`)
}

/** Returns a time in the future as RFC 3339: from a day, a time or a duration from now. Throws `ClientFailure`. */
export function parseExpiry(text: string, option: string, now: number): string {
  const seconds = secondsOf(text)
  const isTime = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$/.test(text)
  const at = seconds === undefined ? (isTime ? Date.parse(text) : Number.NaN) : now + seconds * 1000
  if (!(at <= LAST_TIME) || (isTime && !text.startsWith(dayOf(text)))) {
    throw new ClientFailure(
      `${option} ${text}: pass a day such as 2030-12-31, a time of ISO 8601, or a duration such as 30d.`,
    )
  }
  if (at <= now) throw new ClientFailure(`${option} ${text}: the time is in the past. Pass a later one.`)
  return new Date(at).toISOString()
}

function secondsOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})(d|h|m|s|w)$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * SECONDS[unit as keyof typeof SECONDS]
}

/** Returns the day that JavaScript reads, which differs for days such as 30 February. */
function dayOf(text: string): string {
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().slice(0, 10)
}
