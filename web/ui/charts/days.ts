const shortDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const longDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** Formats a day such as `2026-11-23` for an axis. */
export function toDayLabel(date: unknown): string {
  return typeof date === 'string' ? shortDay.format(Date.parse(date)) : ''
}

export function toFullDay(date: string): string {
  return longDay.format(Date.parse(date))
}
