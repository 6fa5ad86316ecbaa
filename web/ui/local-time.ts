/** An instant as a field for date and time shows it: in the reader's own zone, to the minute. */
export function toLocal(instant: string | undefined): string {
  const time = instant === undefined ? Number.NaN : Date.parse(instant)
  if (Number.isNaN(time)) return ''
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Empty for what is no time. */
export function toInstant(local: string): string {
  const time = Date.parse(local)
  return Number.isNaN(time) ? '' : new Date(time).toISOString()
}
