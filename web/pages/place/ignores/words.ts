export const reasonTypes: Readonly<Record<ReasonType, { name: string; meaning: string }>> = {
  'temporary-ignore': { name: 'For a time', meaning: 'Fix later; set an expiry' },
  'wont-fix': { name: 'Will not be fixed', meaning: 'The risk is accepted' },
  'not-vulnerable': {
    name: 'Not vulnerable',
    meaning: 'The vulnerable code is unreachable, or the finding is wrong',
  },
}

/** Returns the name of a reason type, or the type itself if it is unknown to this console. */
export function reasonName(type: string): string {
  return Object.entries(reasonTypes).find(([key]) => key === type)?.[1].name ?? type
}

export const staleReasons: Readonly<Record<StaleReason, string>> = {
  expired: 'Expired',
  'issue-gone': 'The project no longer has this issue',
  'path-gone': 'No path to the issue matches anymore',
  fixable: 'A fix exists, and the ignore applies only without one',
}

export function pathWords(path: string): string {
  return path === '*' ? 'every path' : path
}

import type { ReasonType, StaleReason } from '../../../api/resources.ts'
