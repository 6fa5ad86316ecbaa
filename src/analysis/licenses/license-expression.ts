import { findSpelling } from './license-spellings.ts'
import { findSpdxId } from './spdx-ids.ts'

/** A license expression (SPDX specification, "License expressions"), possibly with unrecognized words. */
export type LicenseExpression =
  | { readonly kind: 'license'; readonly id: string; readonly exception?: string }
  | { readonly kind: 'unknown'; readonly text: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly LicenseExpression[] }

const LONGEST = 1_000
const DEEPEST = 50

/**
 * Parses license text of a lockfile or registry: an SPDX expression in any case, the spellings of license-spellings.ts,
 * and lists with a slash (any of them) or a comma (all of them, the safe reading). Undefined for text without a
 * license.
 */
export function parseLicense(text: string): LicenseExpression | undefined {
  if (text.length > LONGEST) return undefined
  const words = text.trim().replace(/\s+/g, ' ')
  if (words === '') return undefined
  const expression = readWords(words)
  return readsTheSameAgain(expression) ? expression : { kind: 'unknown', text: words }
}

/**
 * Checks that the written form parses to the same: ids are longer than some spellings, and unrecognized words may
 * combine.
 */
function readsTheSameAgain(expression: LicenseExpression): boolean {
  const written = writeLicense(expression)
  if (written.length > LONGEST) return false
  return isKnown(expression) || writeLicense(readWords(written)) === written
}

function readWords(words: string): LicenseExpression {
  const strict = readExpression(words, /^(?:AND|OR|WITH)$/)
  if (strict !== undefined && isKnown(strict)) return strict
  // Parentheses may belong to a name: The MIT License (MIT).
  const whole = findLeaf(words)
  if (whole !== undefined) return whole
  const lax = [readExpression(words, /^(?:and|or|with)$/i), readList(words, '/', 'or'), readList(words, ',', 'and')]
  return (
    lax.find((expression) => expression !== undefined && isKnown(expression)) ??
    strict ?? { kind: 'unknown', text: words }
  )
}

/** Formats an expression as SPDX does; unrecognized words stay unchanged. */
export function writeLicense(expression: LicenseExpression): string {
  if (expression.kind === 'unknown') return expression.text
  if (expression.kind === 'license') {
    return expression.exception === undefined ? expression.id : `${expression.id} WITH ${expression.exception}`
  }
  const operator = expression.kind === 'and' ? ' AND ' : ' OR '
  // AND binds more tightly, so only an OR within an AND needs parentheses.
  return expression.parts
    .map((part) => (expression.kind === 'and' && part.kind === 'or' ? `(${writeLicense(part)})` : writeLicense(part)))
    .join(operator)
}

/** Returns true if every word is a recognized license. */
export function isKnown(expression: LicenseExpression): boolean {
  if (expression.kind === 'unknown') return false
  return expression.kind === 'license' || expression.parts.every(isKnown)
}

function findLeaf(text: string): LicenseExpression | undefined {
  const id = findSpdxId(text)
  if (id !== undefined) return id.includes(' ') ? readExpression(id, /^WITH$/) : { kind: 'license', id }
  if (/^(?:DocumentRef-[\w.-]+:)?LicenseRef-[\w.-]+$/.test(text)) return { kind: 'license', id: text }
  const spelling = findSpelling(text)
  if (spelling === undefined) return undefined
  if (spelling.includes(' ')) return readExpression(spelling, /^(?:AND|OR|WITH)$/)
  const spelled = findSpdxId(spelling)
  return spelled === undefined ? undefined : findLeaf(spelled)
}

interface Cursor {
  readonly tokens: readonly string[]
  readonly operator: RegExp
  at: number
}

function readExpression(text: string, operator: RegExp): LicenseExpression | undefined {
  const cursor = { tokens: text.match(/[()]|[^\s()]+/g) ?? [], operator, at: 0 }
  const expression = readOr(cursor, 0)
  return cursor.at === cursor.tokens.length ? expression : undefined
}

function readOr(cursor: Cursor, depth: number): LicenseExpression | undefined {
  return readJoined(cursor, 'or', () => readJoined(cursor, 'and', () => readTerm(cursor, depth)))
}

function readJoined(
  cursor: Cursor,
  kind: 'and' | 'or',
  readPart: () => LicenseExpression | undefined,
): LicenseExpression | undefined {
  const parts: LicenseExpression[] = []
  do {
    const part = readPart()
    if (part === undefined) return undefined
    parts.push(...(part.kind === kind ? part.parts : [part]))
  } while (take(cursor, kind))
  return parts.length === 1 ? parts[0] : { kind, parts }
}

function readTerm(cursor: Cursor, depth: number): LicenseExpression | undefined {
  if (cursor.tokens[cursor.at] !== '(') return readLicense(cursor)
  if (depth === DEEPEST) return undefined
  cursor.at++
  const inner = readOr(cursor, depth + 1)
  return cursor.tokens[cursor.at++] === ')' ? inner : undefined
}

function readLicense(cursor: Cursor): LicenseExpression | undefined {
  const text = takeWords(cursor)
  if (text === '') return undefined
  const leaf = findLeaf(text) ?? { kind: 'unknown', text }
  if (!take(cursor, 'with')) return leaf
  const exception = takeWords(cursor)
  if (leaf.kind === 'license' && leaf.exception === undefined && /^[\w.-]+$/.test(exception))
    return { ...leaf, exception }
  return exception === '' ? undefined : { kind: 'unknown', text: `${text} WITH ${exception}` }
}

function takeWords(cursor: Cursor): string {
  const { tokens, operator } = cursor
  const start = cursor.at
  while (cursor.at < tokens.length && !/^[()]$/.test(tokens[cursor.at]!) && !operator.test(tokens[cursor.at]!))
    cursor.at++
  return tokens.slice(start, cursor.at).join(' ')
}

function take(cursor: Cursor, word: 'and' | 'or' | 'with'): boolean {
  const token = cursor.tokens[cursor.at]
  if (token === undefined || !cursor.operator.test(token) || token.toLowerCase() !== word) return false
  cursor.at++
  return true
}

function readList(text: string, separator: '/' | ',', kind: 'and' | 'or'): LicenseExpression | undefined {
  const parts = text.split(separator).map((part) => findLeaf(part.trim()))
  return parts.length > 1 && parts.every((part) => part !== undefined) ? { kind, parts } : undefined
}
