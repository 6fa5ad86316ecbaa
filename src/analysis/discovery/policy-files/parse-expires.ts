const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s?(?:[Zz]|([+-])(\d\d):?(\d\d)?)?$/

/**
 * Parses the expiry of an ignore: a day (its first millisecond in UTC) or an ISO 8601 time (UTC without an offset), as
 * epoch milliseconds; null for an empty text. Returns undefined for invalid dates such as 30 February, which JavaScript
 * would move to March.
 */
export function parseExpires(text: string): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const match = DATE.exec(trimmed) ?? TIME.exec(trimmed)
  if (match === null) return undefined
  const [year, month, day, hours, minutes, seconds] = match.slice(1, 7).map((part) => Number(part ?? 0))
  const [, , , , , , , fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = match
  const clock = [hours ?? 0, minutes ?? 0, seconds ?? 0] as const
  const local = Date.UTC(year!, month! - 1, day!, ...clock, Number(fraction.padEnd(3, '0').slice(0, 3)))
  const isReal = new Date(local).toISOString().startsWith(`${match[1]}-${match[2]}-${match[3]}T`)
  if (!isReal || clock[0] > 23 || clock[1] > 59 || clock[2] > 59) return undefined
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000
  const at = sign === '-' ? local + offset : local - offset
  return at < 0 ? undefined : at
}
