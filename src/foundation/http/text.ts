import { Type } from 'typebox'
import { Problem } from '../problem.ts'

// Control characters and lone surrogates: PostgreSQL cannot store some, terminals obey others.
const oneLine = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff]*$'
const prose = '^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\n\\t])*$'

/** Messages for texts that do not match a pattern, shown instead of the pattern. */
export const patternMeanings: ReadonlyMap<unknown, string> = new Map([
  [oneLine, 'must have a visible character and no control characters'],
  [prose, 'must not contain control characters'],
])

/** A name chosen by users: one line with a visible character. */
export function nameText(maxLength: number, description: string) {
  return Type.String({ minLength: 1, maxLength, pattern: oneLine, description })
}

/** A text of any number of lines; may be empty. */
export function proseText(maxLength: number, description: string) {
  return Type.String({ maxLength, pattern: prose, description })
}

/** Refuses a body whose id differs from the path's. */
export function requirePathId(sent: string | undefined, pathId: string): void {
  if (sent === undefined || sent.toLowerCase() === pathId) return
  throw new Problem('invalid-request', '/data/id must be the id in the path', { source: { pointer: '/data/id' } })
}
