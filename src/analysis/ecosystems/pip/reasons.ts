import type { Candidate, Want } from './candidate.ts'

/** Why a project takes part: who asks for it. The project itself is no parent. */
export interface Reason {
  readonly want: Want
  readonly parent: Candidate | undefined
}

/** Grows at its end and shares its beginning with the lists before it, so that each state of a search keeps its own. */
export interface Reasons {
  readonly latest: Link | undefined
  /** The first of those that demand the same; the same array for as long as no other demand is added. */
  readonly wants: readonly Want[]
}

interface Link {
  readonly reason: Reason
  readonly before: Link | undefined
}

export const noReasons: Reasons = { latest: undefined, wants: [] }

export function addReason({ latest, wants }: Reasons, reason: Reason): Reasons {
  const { want } = reason
  const isKnown = wants.some((each) => each.range === want.range && each.exact === want.exact)
  return { latest: { reason, before: latest }, wants: isKnown ? wants : [...wants, want] }
}

/** In the order in which they were added. */
export function listReasons({ latest }: Reasons): Reason[] {
  const reasons: Reason[] = []
  for (let link = latest; link !== undefined; link = link.before) reasons.push(link.reason)
  return reasons.reverse()
}

/** The same list when nothing is taken out of it. */
export function filterReasons(reasons: Reasons, keeps: (reason: Reason) => boolean): Reasons {
  let keepsAll = true
  for (let link = reasons.latest; link !== undefined && keepsAll; link = link.before) keepsAll = keeps(link.reason)
  return keepsAll ? reasons : listReasons(reasons).filter(keeps).reduce(addReason, noReasons)
}
