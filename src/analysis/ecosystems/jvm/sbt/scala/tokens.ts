import { Unreadable } from '#analysis/documents/unreadable.ts'

export type SentFile = 'target' | number

/** A token of Scala text, as far as build definitions are read. */
export interface Token {
  readonly kind: 'name' | 'operator' | 'text' | 'interpolated' | 'number' | 'character' | 'xml' | 'sign'
  /** The unescaped text; of an interpolated text the raw content. */
  readonly value: string
  /** Counted from 1. */
  readonly line: number
  /** True if a newline precedes this token. */
  readonly isFirst: boolean
  /** For an interpolated text the prefix before its quote. */
  readonly interpolator?: string
}

const MAX_TOKENS = 200_000
const space = /[ \t\r\f\u00a0]+/y
const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy
const operator = /[!#%&*+/:<=>?@\\^|~-]+/y
const number = /(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)[lLfFdD]?/y
const character = /'(?:\\u[\da-fA-F]{4}|\\.|[^\\'\n])'/y
const xmlStart = /<[A-Za-z_](?:[\w:.-]*)(?=[\s/>])/y
const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
])

interface Cursor {
  readonly text: string
  readonly file: SentFile
  at: number
  line: number
}

/**
 * Reads tokens of Scala 2 and 3 (Scala Language Specification, chapter 1). Symbols (`'name`) are read as names, octal
 * escapes literally. Throws `Unreadable` for unterminated text.
 */
export function readTokens(text: string, file: SentFile, firstLine = 1): Token[] {
  const cursor: Cursor = { text, file, at: text.charCodeAt(0) === 0xfeff ? 1 : 0, line: firstLine }
  const tokens: Token[] = []
  for (let isFirst = true; ; ) {
    const before = cursor.line
    skipSpace(cursor)
    isFirst ||= cursor.line > before
    if (cursor.at >= text.length) return tokens
    if (tokens.length === MAX_TOKENS) {
      throw new Unreadable(`The file exceeds the limit of ${MAX_TOKENS} tokens`, { file })
    }
    const { line } = cursor
    tokens.push({ ...nextToken(cursor, tokens.at(-1)), line, isFirst })
    isFirst = false
  }
}

/** Skips spaces, newlines and nested comments. */
function skipSpace(cursor: Cursor): void {
  const { text } = cursor
  for (;;) {
    const first = text[cursor.at]
    if (first === '\n') {
      cursor.line++
      cursor.at++
    } else if (first === '/' && text[cursor.at + 1] === '/') {
      const end = text.indexOf('\n', cursor.at)
      cursor.at = end === -1 ? text.length : end
    } else if (first === '/' && text[cursor.at + 1] === '*') skipComment(cursor)
    else if (match(cursor, space) === undefined) return
  }
}

function skipComment(cursor: Cursor): void {
  const { text, line } = cursor
  const marks = /\/\*|\*\/|\n/g
  marks.lastIndex = cursor.at
  let depth = 0
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '\n') cursor.line++
    else depth += mark[0] === '/*' ? 1 : -1
    if (depth > 0) continue
    cursor.at = marks.lastIndex
    return
  }
  throw unended('comment', { ...cursor, line })
}

type Bare = Omit<Token, 'line' | 'isFirst'>

function nextToken(cursor: Cursor, before: Token | undefined): Bare {
  const first = cursor.text[cursor.at]!
  if (first === '"') return readText(cursor)
  if (first === '`') return quotedName(cursor)
  const name = match(cursor, word)
  if (name !== undefined) {
    if (cursor.text[cursor.at] === '"') {
      const { value } = readText(cursor, { isRaw: name === 'raw', isInterpolated: true })
      return { kind: 'interpolated', value, interpolator: name }
    }
    return { kind: 'name', value: name }
  }
  const digits = match(cursor, number)
  if (digits !== undefined) return { kind: 'number', value: digits.replace(/[_lLfFdD]/g, '') }
  const quoted = match(cursor, character)
  if (quoted !== undefined) return { kind: 'character', value: quoted.slice(1, -1) }
  if (first === '<' && mayBeginXml(before) && isAt(cursor, xmlStart)) return skipXml(cursor)
  const signs = match(cursor, operator)
  if (signs === undefined) {
    cursor.at += first.codePointAt(0)! > 0xffff ? 2 : 1
    return { kind: 'sign', value: first }
  }
  const comment = signs.search(/\/[/*]/)
  if (comment <= 0) return { kind: 'operator', value: signs }
  cursor.at -= signs.length - comment
  return { kind: 'operator', value: signs.slice(0, comment) }
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const text = pattern.exec(cursor.text)?.[0]
  if (text !== undefined) cursor.at += text.length
  return text
}

function isAt(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.at
  return pattern.test(cursor.text)
}

function quotedName(cursor: Cursor): Bare {
  const end = cursor.text.indexOf('`', cursor.at + 1)
  const value = cursor.text.slice(cursor.at + 1, end)
  if (end === -1 || value.includes('\n')) throw unended('name in backquotes', cursor)
  cursor.at = end + 1
  return { kind: 'name', value }
}

interface TextStyle {
  readonly isInterpolated: boolean
  readonly isRaw: boolean
}

const plainText: TextStyle = { isInterpolated: false, isRaw: false }

function readText(cursor: Cursor, style = plainText): Bare {
  const { text } = cursor
  if (text.startsWith('"""', cursor.at)) {
    let end = text.indexOf('"""', cursor.at + 3)
    if (end === -1) throw unended('string in three quotes', cursor)
    while (text[end + 3] === '"') end++
    const value = text.slice(cursor.at + 3, end)
    cursor.line += value.split('\n').length - 1
    cursor.at = end + 3
    return { kind: 'text', value }
  }
  const parts: string[] = []
  let begin = cursor.at + 1
  for (let at = begin; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\n') break
    if (sign === '"') {
      parts.push(text.slice(begin, at))
      cursor.at = at + 1
      return { kind: 'text', value: parts.join('') }
    }
    if (sign === '$' && style.isInterpolated && text[at + 1] === '{') at = endOfInserted(cursor, at + 1)
    if (sign !== '\\' || style.isRaw) continue
    parts.push(text.slice(begin, at))
    at++
    const escaped = text[at]
    if (escaped === 'u') {
      parts.push(String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 5), 16) || 0xfffd))
      at += 4
    } else if (escaped !== undefined) parts.push(escapes.get(escaped) ?? escaped)
    begin = at + 1
  }
  throw unended('string', cursor)
}

/** Returns the position of the closing brace of an interpolation; quotes and newlines inside do not end the text. */
function endOfInserted(cursor: Cursor, open: number): number {
  let depth = 0
  let lines = 0
  for (let at = open; at < cursor.text.length; at++) {
    if (cursor.text[at] === '{') depth++
    else if (cursor.text[at] === '}') depth--
    else if (cursor.text[at] === '\n') lines++
    if (depth > 0) continue
    cursor.line += lines
    return at
  }
  throw unended('${…} in an interpolated string', cursor)
}

/** Returns true where an expression may begin: elsewhere `<` is a comparison. */
function mayBeginXml(before: Token | undefined): boolean {
  if (before === undefined) return true
  if (before.kind === 'operator') return true
  return before.kind === 'sign' && '({,;'.includes(before.value)
}

/** Skips XML, used in publisher descriptions; adjacent elements are one expression. */
function skipXml(cursor: Cursor): Bare {
  const { text, file, line } = cursor
  const marks = /\n|<!--|<\/[^<>]*>|<[A-Za-z_][^<>]*?(\/)?>/g
  marks.lastIndex = cursor.at
  let depth = 0
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '<!--') {
      const end = text.indexOf('-->', mark.index)
      if (end === -1) break
      cursor.line += text.slice(mark.index, end).split('\n').length - 1
      marks.lastIndex = end
      continue
    }
    cursor.line += mark[0].split('\n').length - 1
    if (mark[0] === '\n') continue
    if (mark[0].startsWith('</')) depth--
    else if (mark[1] === undefined) depth++
    if (depth > 0) continue
    cursor.at = marks.lastIndex
    const more = /\s*(?=<[A-Za-z_])/y
    more.lastIndex = cursor.at
    const gap = more.exec(text)?.[0]
    if (gap === undefined) return { kind: 'xml', value: '' }
    cursor.line += gap.split('\n').length - 1
    cursor.at += gap.length
    marks.lastIndex = cursor.at
  }
  throw unended('XML element', { file, line })
}

function unended(what: string, { file, line }: Pick<Cursor, 'file' | 'line'>): Unreadable {
  return new Unreadable(`Unterminated ${what}`, { file, line })
}
