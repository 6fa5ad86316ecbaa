/** Stored instead of a score without EPSS, and until a score is looked up. */
export const EPSS_UNKNOWN = -1
export const EPSS_PENDING = -2
/** EPSS has five decimals, which are stored as a whole number. */
const EPSS_SCALE = 100_000

export function fromStoredEpss(stored: number): number | undefined {
  return stored < 0 ? undefined : stored / EPSS_SCALE
}

export function toStoredEpss(share: number | undefined): number {
  return share === undefined ? EPSS_UNKNOWN : Math.round(share * EPSS_SCALE)
}
