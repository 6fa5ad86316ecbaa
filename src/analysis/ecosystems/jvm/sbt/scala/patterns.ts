import { NotUnderstood, type TokenCursor } from './cursor.ts'
import type { Expression, Pattern } from './syntax.ts'

const any: Pattern = { kind: 'any' }
const MAX_DEPTH = 50

/** Parses the kinds of patterns (SLS 8) that occur in build definitions. */
export function parsePattern(cursor: TokenCursor): Pattern {
  const first = parseJoined(cursor)
  if (!cursor.isOperator('|')) return first
  const of = [first]
  while (cursor.isOperator('|')) {
    cursor.next()
    of.push(parseJoined(cursor))
  }
  return { kind: 'either', of }
}

/** Parses `a -> b` and `head :: tail`. */
function parseJoined(cursor: TokenCursor): Pattern {
  const left = parseSimple(cursor)
  const operator = ['->', '::'].find((each) => cursor.isOperator(each))
  if (operator === undefined) return left
  cursor.next()
  const parts = [left, parseNested(cursor, parseJoined)]
  return operator === '->' ? { kind: 'extract', name: '', parts } : { kind: 'extract', name: '::', parts }
}

function parseNested(cursor: TokenCursor, read: (cursor: TokenCursor) => Pattern): Pattern {
  if (cursor.depth >= MAX_DEPTH) throw new NotUnderstood(`Patterns are nested deeper than ${MAX_DEPTH}`)
  cursor.depth++
  try {
    return read(cursor)
  } finally {
    cursor.depth--
  }
}

function parseSimple(cursor: TokenCursor): Pattern {
  const token = cursor.next()
  if (token === undefined) throw cursor.tooShort()
  const { kind, value, line } = token
  if (kind === 'sign' && value === '(') return { kind: 'extract', name: '', parts: parseParts(cursor) }
  if (kind === 'text' || kind === 'character') return equal({ kind: 'text', value, line })
  if (kind === 'number') return equal({ kind: 'number', value: Number(value), line })
  if (kind !== 'name') throw new NotUnderstood(`${value} is not expected in a pattern`)
  if (value === 'true' || value === 'false') return equal({ kind: 'boolean', value: value === 'true', line })
  if (value === '_') {
    if (cursor.isOperator('*')) cursor.next()
    return typed(cursor, any)
  }
  if (cursor.isOperator('@')) {
    cursor.next()
    return { kind: 'bind', name: value, to: parseNested(cursor, parseSimple) }
  }
  if (/^[\p{Ll}_$]/u.test(value) && !cursor.isSign('.') && !cursor.isSign('(')) {
    return typed(cursor, { kind: 'bind', name: value, to: any })
  }
  return parseStable(cursor, { kind: 'name', name: value, line })
}

/** Parses `Name`, `a.Name`, and their arguments. */
function parseStable(cursor: TokenCursor, first: Expression): Pattern {
  let to = first
  let name = first.kind === 'name' ? first.name : ''
  while (cursor.isSign('.')) {
    const { line } = cursor.next()!
    name = cursor.next()?.value ?? ''
    to = { kind: 'select', of: to, name, line }
  }
  if (!cursor.isSign('(')) return equal(to)
  cursor.next()
  return { kind: 'extract', name, parts: parseParts(cursor) }
}

function parseParts(cursor: TokenCursor): Pattern[] {
  const parts: Pattern[] = []
  while (!cursor.isSign(')')) {
    parts.push(parseNested(cursor, parsePattern))
    if (cursor.isSign(',')) cursor.next()
    else if (!cursor.isSign(')')) throw new NotUnderstood('A pattern is not read')
  }
  cursor.next()
  return parts
}

/** Skips a type ascription, which is assumed to match. */
function typed(cursor: TokenCursor, pattern: Pattern): Pattern {
  if (!cursor.isOperator(':')) return pattern
  cursor.next()
  cursor.skipType()
  return pattern
}

function equal(to: Expression): Pattern {
  return { kind: 'equal', to }
}
