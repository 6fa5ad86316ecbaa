import { findSpelling } from './licence-spellings.ts'
import { findSpdxId } from './spdx-ids.ts'

/** A licence expression (SPDX specification, "License expressions"), and words in it whose meaning is not known. */
export type LicenceExpression =
  | { readonly kind: 'licence'; readonly id: string; readonly exception?: string }
  | { readonly kind: 'unknown'; readonly text: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly LicenceExpression[] }

const LONGEST = 1_000
const DEEPEST = 50

/**
 * Reads what a lockfile or a registry says of a licence: an SPDX expression in any case, the spellings of
 * licence-spellings.ts, and lists of such with a slash (any of them) or a comma (all of them, since nobody says otherwise).
 * Undefined for text that says nothing of a licence.
 */
export function parseLicence(text: string): LicenceExpression | undefined {
  if (text.length > LONGEST) return undefined
  const words = text.trim().replace(/\s+/g, ' ')
  if (words === '') return undefined
  const found = readWords(words)
  return readsTheSameAgain(found) ? found : { kind: 'unknown', text: words }
}

/** Ids are longer than some spellings, and words that mean nothing may come to mean something beside them. */
function readsTheSameAgain(found: LicenceExpression): boolean {
  const written = writeLicence(found)
  if (written.length > LONGEST) return false
  return isKnown(found) || writeLicence(readWords(written)) === written
}

function readWords(words: string): LicenceExpression {
  const strict = readExpression(words, /^(?:AND|OR|WITH)$/)
  if (strict !== undefined && isKnown(strict)) return strict
  // Parentheses may also be part of a name: The MIT License (MIT).
  const whole = findLeaf(words)
  if (whole !== undefined) return whole
  const lax = [readExpression(words, /^(?:and|or|with)$/i), readList(words, '/', 'or'), readList(words, ',', 'and')]
  return lax.find((found) => found !== undefined && isKnown(found)) ?? strict ?? { kind: 'unknown', text: words }
}

/** As SPDX writes it; what is not known as it was given. */
export function writeLicence(expression: LicenceExpression): string {
  if (expression.kind === 'unknown') return expression.text
  if (expression.kind === 'licence') {
    return expression.exception === undefined ? expression.id : `${expression.id} WITH ${expression.exception}`
  }
  const operator = expression.kind === 'and' ? ' AND ' : ' OR '
  // AND binds closer, so that only an OR inside of an AND needs parentheses.
  return expression.parts
    .map((part) => (expression.kind === 'and' && part.kind === 'or' ? `(${writeLicence(part)})` : writeLicence(part)))
    .join(operator)
}

/** Whether every word of it is a licence. */
export function isKnown(expression: LicenceExpression): boolean {
  if (expression.kind === 'unknown') return false
  return expression.kind === 'licence' || expression.parts.every(isKnown)
}

function findLeaf(text: string): LicenceExpression | undefined {
  const id = findSpdxId(text)
  if (id !== undefined) return id.includes(' ') ? readExpression(id, /^WITH$/) : { kind: 'licence', id }
  if (/^(?:DocumentRef-[\w.-]+:)?LicenseRef-[\w.-]+$/.test(text)) return { kind: 'licence', id: text }
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

function readExpression(text: string, operator: RegExp): LicenceExpression | undefined {
  const cursor = { tokens: text.match(/[()]|[^\s()]+/g) ?? [], operator, at: 0 }
  const found = readOr(cursor, 0)
  return cursor.at === cursor.tokens.length ? found : undefined
}

function readOr(cursor: Cursor, depth: number): LicenceExpression | undefined {
  return readJoined(cursor, 'or', () => readJoined(cursor, 'and', () => readTerm(cursor, depth)))
}

function readJoined(
  cursor: Cursor,
  kind: 'and' | 'or',
  readPart: () => LicenceExpression | undefined,
): LicenceExpression | undefined {
  const parts: LicenceExpression[] = []
  do {
    const part = readPart()
    if (part === undefined) return undefined
    parts.push(...(part.kind === kind ? part.parts : [part]))
  } while (take(cursor, kind))
  return parts.length === 1 ? parts[0] : { kind, parts }
}

function readTerm(cursor: Cursor, depth: number): LicenceExpression | undefined {
  if (cursor.tokens[cursor.at] !== '(') return readLicence(cursor)
  if (depth === DEEPEST) return undefined
  cursor.at++
  const inner = readOr(cursor, depth + 1)
  return cursor.tokens[cursor.at++] === ')' ? inner : undefined
}

function readLicence(cursor: Cursor): LicenceExpression | undefined {
  const text = takeWords(cursor)
  if (text === '') return undefined
  const leaf = findLeaf(text) ?? { kind: 'unknown', text }
  if (!take(cursor, 'with')) return leaf
  const exception = takeWords(cursor)
  if (leaf.kind === 'licence' && leaf.exception === undefined && /^[\w.-]+$/.test(exception))
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

function readList(text: string, separator: '/' | ',', kind: 'and' | 'or'): LicenceExpression | undefined {
  const parts = text.split(separator).map((part) => findLeaf(part.trim()))
  return parts.length > 1 && parts.every((part) => part !== undefined) ? { kind, parts } : undefined
}
