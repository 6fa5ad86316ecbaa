import { severities } from '#analysis/findings/known-issue.ts'

const DAY_MS = 86_400_000

/** Days until a vulnerability must be fixed, by severity, and at most if it is known to be exploited; null: no limit. */
export interface SlaDays {
  readonly critical: number | null
  readonly high: number | null
  readonly medium: number | null
  readonly low: number | null
  readonly exploited: number | null
}

export const NO_SLA: SlaDays = { critical: null, high: null, medium: null, low: null, exploited: null }

/** Days within which a due date counts as soon. */
export const SOON_DAYS = 7

/** Returns the days for an issue of a severity from 1 (low) to 4 (critical); undefined without a limit. */
export function daysFor(sla: SlaDays, severity: number, { isExploited }: { isExploited: boolean }): number | undefined {
  const days = [sla[severities[severity - 1]!], isExploited ? sla.exploited : null].filter((days) => days !== null)
  return days.length === 0 ? undefined : Math.min(...days)
}

/** Returns the number of a UTC day since 1970. */
export function toDay(at: number): number {
  return Math.floor(at / DAY_MS)
}

/** Writes a day as `YYYY-MM-DD`. */
export function writeDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** Parses `YYYY-MM-DD`; undefined for a day that does not exist. */
export function parseDay(text: string): number | undefined {
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) || writeDay(toDay(at)) !== text ? undefined : toDay(at)
}
