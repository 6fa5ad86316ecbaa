export type TestFrequency = 'daily' | 'weekly' | 'never'

const DAY_MS = 86_400_000

const periodsMs: Readonly<Record<TestFrequency, number | undefined>> = {
  daily: DAY_MS,
  weekly: 7 * DAY_MS,
  never: undefined,
}

/** A little earlier for one than for the other, so that what was imported at once is not tested at once for ever. */
const SPREAD = 0.1

export interface Scheduled {
  readonly status: string
  readonly test_frequency: string
}

/** When a project is tested again; null for never. */
export function nextTestAt({ status, test_frequency }: Scheduled, at: number): number | null {
  const period = periodsMs[test_frequency as TestFrequency]
  if (status !== 'active' || period === undefined) return null
  return Math.round(at + period * (1 - Math.random() * SPREAD))
}
