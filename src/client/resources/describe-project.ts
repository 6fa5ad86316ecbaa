import type { Severity } from '../findings.ts'

/** Returns counts by severity, such as "0/2/5/1"; "-" if they are unknown. */
export function toCounts(counts: Readonly<Record<Severity, number>> | undefined): string {
  return counts === undefined ? '-' : [counts.critical, counts.high, counts.medium, counts.low].join('/')
}

/** Returns the day of a time; "-" without one. */
export function toDay(time: string | null | undefined): string {
  return time?.slice(0, 10) ?? '-'
}
