/** Formats an instant for a date and time field: in the user's time zone, to the minute. */
export function toLocal(instant: string | undefined): string {
  const time = instant === undefined ? Number.NaN : Date.parse(instant)
  if (Number.isNaN(time)) return ''
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Converts the value of such a field to an instant; empty if it is invalid. */
export function toInstant(local: string): string {
  const time = Date.parse(local)
  return Number.isNaN(time) ? '' : new Date(time).toISOString()
}
