import { Text } from '@mantine/core'

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** Formats an age in words: `3 days ago`. */
export function formatAge(time: string, now = Date.now()): string {
  const seconds = (Date.parse(time) - now) / 1000
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return relative.format(Math.trunc(seconds / length), unit)
}

/** A time in the user's time zone, with the exact time as title. */
export function RelativeTime({ time }: { time: string }) {
  if (Number.isNaN(Date.parse(time))) return <Text span>unknown</Text>
  return (
    <time dateTime={time} title={time}>
      {absolute.format(Date.parse(time))}
    </time>
  )
}

/** Shows a relative time, with the exact time as title. */
export function Age({ time }: { time: string }) {
  const at = Date.parse(time)
  if (Number.isNaN(at)) return <Text span>unknown</Text>
  return (
    <time dateTime={time} title={absolute.format(at)}>
      {formatAge(time)}
    </time>
  )
}
