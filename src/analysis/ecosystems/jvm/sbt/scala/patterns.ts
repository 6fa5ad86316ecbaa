import { NotUnderstood, type TokenCursor, unexpected } from './cursor.ts'
import type { Expression, Pattern } from './syntax.ts'

const MAX_DEPTH = 50

/** Parses the pattern of a case; one that is not supported decides nothing. */
export function parseCasePattern(cursor: TokenCursor): Pattern {
  const begin = cursor.at
  try {
    const pattern = parsePattern(cursor)
    if (endsCasePattern(cursor)) return pattern
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error
  }
  cursor.skipUntil(begin, () => endsCasePattern(cursor))
  return { kind: 'unread' }
}

function endsCasePattern(cursor: TokenCursor): boolean {
  return cursor.isOperator('=>') || cursor.isWord('if')
}

/** Parses the kinds of patterns (SLS 8) that decide about dependencies in build definitions. */
export function parsePattern(cursor: TokenCursor): Pattern {
  const of = [cursor.deeper(MAX_DEPTH, () => parseSimple(cursor))]
  while (cursor.isOperator('|')) {
    cursor.next()
    of.push(parseSimple(cursor))
  }
  return of.length === 1 ? of[0]! : { kind: 'either', of }
}

function parseSimple(cursor: TokenCursor): Pattern {
  const token = cursor.next()
  if (token?.kind === 'sign' && token.value === '(') return { kind: 'extract', name: '', parts: parseParts(cursor) }
  if (token?.kind === 'text') return { kind: 'equal', to: { ...token, kind: 'text' } }
  if (token?.kind === 'number') return { kind: 'equal', to: { ...token, kind: 'number', value: Number(token.value) } }
  if (token?.kind !== 'name') throw unexpected(token)
  const { value, line } = token
  if (value === 'true' || value === 'false')
    return { kind: 'equal', to: { kind: 'boolean', value: value === 'true', line } }
  if (/^[\p{Ll}_$]/u.test(value) && !cursor.isSign('.') && !cursor.isSign('(')) {
    // A type is assumed to match.
    if (cursor.isOperator(':')) {
      cursor.next()
      cursor.skipType()
    }
    return value === '_' ? { kind: 'any' } : { kind: 'bind', name: value }
  }
  return parseStable(cursor, { kind: 'name', name: value, line })
}

/** Parses `Name`, `a.Name`, and their arguments. */
function parseStable(cursor: TokenCursor, first: Expression & { readonly kind: 'name' }): Pattern {
  let to: Expression = first
  let { name } = first
  while (cursor.isSign('.')) {
    const { line } = cursor.next()!
    name = cursor.next()?.value ?? ''
    to = { kind: 'select', of: to, name, line }
  }
  if (!cursor.isSign('(')) return { kind: 'equal', to }
  cursor.next()
  return { kind: 'extract', name, parts: parseParts(cursor) }
}

function parseParts(cursor: TokenCursor): Pattern[] {
  const parts: Pattern[] = []
  while (!cursor.isSign(')')) {
    parts.push(parsePattern(cursor))
    if (cursor.isSign(',')) cursor.next()
    else if (!cursor.isSign(')')) throw unexpected(cursor.peek(), ', or )')
  }
  cursor.next()
  return parts
}
