import type { ReasonType, StaleReason } from '../../../api/ignores.ts'

export const reasonTypes: Readonly<Record<ReasonType, { name: string; meaning: string }>> = {
  'temporary-ignore': { name: 'For a time', meaning: 'It is dealt with later; give it an end' },
  'wont-fix': { name: 'Will not be fixed', meaning: 'The risk is known and accepted' },
  'not-vulnerable': {
    name: 'Not vulnerable',
    meaning: 'The vulnerable code is never reached, or the finding is wrong',
  },
}

/** Why an ignore has no effect. */
export const staleReasons: Readonly<Record<StaleReason, string>> = {
  expired: 'It has ended',
  'issue-gone': 'The project has no such issue any more',
  'path-gone': 'No path to the issue fits any more',
  fixable: 'There is a fix, and it was to hold only while there is none',
}

export function pathWords(path: string): string {
  return path === '*' ? 'every path' : path
}
