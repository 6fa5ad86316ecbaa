import { Type } from 'typebox'
import { Problem } from '../problem.ts'

/** Unicode's Default_Ignorable_Code_Point: zero-width and bidirectional characters, fillers, variation selectors. */
const IGNORABLE =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8'
const ignorable = new RegExp(`[${IGNORABLE}]`, 'gu')

// Control characters and lone surrogates: PostgreSQL cannot store some, terminals obey others.
const oneLine = `^(?=.*[^\\s${IGNORABLE}])[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff]*$`
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

/**
 * Returns the spelling in which a name is stored and compared, so that names that look the same are the same: composed
 * (Unicode NFC), without characters that are not shown and without surrounding space.
 */
export function toStoredName(name: string): string {
  return name.replace(ignorable, '').normalize('NFC').trim()
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
