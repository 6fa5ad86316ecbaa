import { Type } from 'typebox'
import { Problem } from '../problem.ts'

// Control characters and halves of surrogate pairs: PostgreSQL cannot store some, terminals obey others.
const oneLine = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff]*$'
const prose = '^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\n\\t])*$'

/** What a text that does not fit one of the patterns is told, in place of the pattern. */
export const patternMeanings: ReadonlyMap<unknown, string> = new Map([
  [oneLine, 'must have a visible character and no control characters'],
  [prose, 'must not hold control characters'],
])

/** A name that people give to things: one line with something visible. */
export function nameText(maxLength: number, description: string) {
  return Type.String({ minLength: 1, maxLength, pattern: oneLine, description })
}

/** Text of any number of lines, or none. */
export function proseText(maxLength: number, description: string) {
  return Type.String({ maxLength, pattern: prose, description })
}

/** A changed resource may repeat its id; another one than the path's is a mistake. */
export function requirePathId(sent: string | undefined, pathId: string): void {
  if (sent === undefined || sent.toLowerCase() === pathId) return
  throw new Problem('invalid-request', '/data/id must be the id in the path', { source: { pointer: '/data/id' } })
}
