import type { Candidate, Want } from './candidate.ts'

/** The origin of a demand; the project itself is undefined. */
export interface Reason {
  readonly want: Want
  readonly parent: Candidate | undefined
}

/** A persistent list: grows at its end and shares its beginning, so that each search state keeps its own. */
export interface Reasons {
  readonly latest: Link | undefined
  /** The distinct demands; the same array until another demand is added. */
  readonly wants: readonly Want[]
}

interface Link {
  readonly reason: Reason
  readonly before: Link | undefined
}

export const noReasons: Reasons = { latest: undefined, wants: [] }

export function addReason({ latest, wants }: Reasons, reason: Reason): Reasons {
  const { want } = reason
  const isKnown = wants.some((existing) => existing.range === want.range && existing.exact === want.exact)
  return { latest: { reason, before: latest }, wants: isKnown ? wants : [...wants, want] }
}

/** Lists reasons in order of addition. */
export function listReasons({ latest }: Reasons): Reason[] {
  const reasons: Reason[] = []
  for (let link = latest; link !== undefined; link = link.before) reasons.push(link.reason)
  return reasons.reverse()
}

/** Filters the list; returns the same one if nothing is removed. */
export function filterReasons(reasons: Reasons, keeps: (reason: Reason) => boolean): Reasons {
  let keepsAll = true
  for (let link = reasons.latest; link !== undefined && keepsAll; link = link.before) keepsAll = keeps(link.reason)
  return keepsAll ? reasons : listReasons(reasons).filter(keeps).reduce(addReason, noReasons)
}
