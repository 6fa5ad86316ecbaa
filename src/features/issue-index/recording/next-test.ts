export type TestFrequency = 'daily' | 'weekly' | 'never'

const DAY_MS = 86_400_000

const periodsMs: Readonly<Record<TestFrequency, number | undefined>> = {
  daily: DAY_MS,
  weekly: 7 * DAY_MS,
  never: undefined,
}

/** Spread of the intervals, so that projects imported together are not always tested together. */
const SPREAD = 0.1

export interface Scheduled {
  readonly status: string
  readonly test_frequency: string
}

/** Returns the time of the next test; null for never. */
export function nextTestAt({ status, test_frequency }: Scheduled, at: number): number | null {
  const period = periodsMs[test_frequency as TestFrequency]
  if (status !== 'active' || period === undefined) return null
  return Math.round(at + period * (1 - Math.random() * SPREAD))
}
