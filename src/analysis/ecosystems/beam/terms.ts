/** A literal of Elixir or Erlang. */
export type Term =
  | { readonly kind: 'text' | 'atom'; readonly text: string; readonly start: number; readonly end: number }
  | { readonly kind: 'tuple' | 'list'; readonly items: readonly Term[]; readonly start: number; readonly end: number }
  | {
      readonly kind: 'map'
      readonly entries: readonly (readonly [Term, Term])[]
      readonly start: number
      readonly end: number
    }
  /** An expression that is no literal. */
  | { readonly kind: 'expression'; readonly start: number; readonly end: number }

export class TermFault extends Error {
  readonly at: number
  constructor(at: number) {
    super('Invalid term')
    this.at = at
  }
}

interface Reader {
  readonly text: string
  readonly comment: '#' | '%'
  at: number
  depth: number
}

const MAX_DEPTH = 50
const CLOSERS = { '{': '}', '[': ']', '(': ')' } as const
const KEYWORD = /(?:([a-z_]\w*[?!]?)|"((?:[^"\\#]|\\.)*)"):(?=\s)/iy
const ATOM = /:(?:([a-z_]\w*[?!]?)|"((?:[^"\\#]|\\.)*)")/iy
const WORD = /[a-z_]\w*/y
const BINARY = /<<\s*"((?:[^"\\]|\\.)*)"(?:\/utf8)?\s*>>/y
const STRING = /"((?:[^"\\]|\\.)*)"/y
const NUMBER = /-?\d[\d_]*(?:\.\d+)?/y

/**
 * Parses the term at an offset. In Elixir, `:a` is an atom, keywords are pairs in a list, and expressions of any kind
 * are skipped; in Erlang, words are atoms. Throws `TermFault`.
 */
export function parseTerm(text: string, at: number, language: 'elixir' | 'erlang'): Term {
  const reader: Reader = { text, comment: language === 'elixir' ? '#' : '%', at, depth: 0 }
  const term = readTerm(reader)
  skip(reader)
  return term
}

/** Returns the offset after white space and comments. */
export function skipBlanks(text: string, at: number, language: 'elixir' | 'erlang'): number {
  const reader: Reader = { text, comment: language === 'elixir' ? '#' : '%', at, depth: 0 }
  skip(reader)
  return reader.at
}

function readTerm(reader: Reader): Term {
  skip(reader)
  const { text, at: start } = reader
  const isElixir = reader.comment === '#'
  if (++reader.depth > MAX_DEPTH) throw new TermFault(start)
  const term = readLiteral(reader, start, isElixir)
  reader.depth--
  skip(reader)
  const isEnd = reader.at >= text.length || ',}])|'.includes(text[reader.at]!) || text.startsWith('=>', reader.at)
  // At the top, other text may follow.
  if (term !== undefined && (isEnd || reader.depth === 0)) return term
  if (!isElixir) throw new TermFault(reader.at)
  reader.at = start
  skipExpression(reader)
  return { kind: 'expression', start, end: reader.at }
}

function readLiteral(reader: Reader, start: number, isElixir: boolean): Term | undefined {
  const { text } = reader
  const first = text[start]
  if (first === undefined) throw new TermFault(start)
  if (isElixir && text.startsWith('%{', start)) return readMap(reader, start)
  if (first === '{' || first === '[') return readItems(reader, start, first)
  if (first === '"') {
    const inner = match(reader, STRING)
    return inner === undefined || (isElixir && inner.includes('#{')) ? undefined : toText('text', inner, reader, start)
  }
  if (!isElixir && first === '<') {
    const inner = match(reader, BINARY)
    return inner === undefined ? undefined : toText('text', inner, reader, start)
  }
  const atom = match(reader, isElixir ? ATOM : WORD) ?? (isElixir ? undefined : match(reader, NUMBER))
  if (atom !== undefined) return toText('atom', atom, reader, start)
  const word = /(?:true|false|nil)\b/y
  const literal = isElixir ? (match(reader, word) ?? match(reader, NUMBER)) : undefined
  return literal === undefined ? undefined : toText('atom', literal, reader, start)
}

function toText(kind: 'text' | 'atom', written: string, { at }: Reader, start: number): Term {
  return { kind, text: written.replace(/\\(.)/g, '$1'), start, end: at }
}

/** Reads a tuple or list. Keywords at the end of a tuple are one list, as in Elixir. */
function readItems(reader: Reader, start: number, opening: '{' | '['): Term {
  const items: Term[] = []
  const pairs: Term[] = []
  reader.at++
  for (skip(reader); reader.text[reader.at] !== CLOSERS[opening]; skip(reader)) {
    const at = reader.at
    const key = reader.comment === '#' ? match(reader, KEYWORD) : undefined
    const value = readTerm(reader)
    if (key === undefined) items.push(value)
    else {
      const atom: Term = { kind: 'atom', text: key, start: at, end: at + key.length }
      pairs.push({ kind: 'tuple', items: [atom, value], start: at, end: value.end })
    }
    skipComma(reader, CLOSERS[opening])
  }
  const end = ++reader.at
  if (pairs.length === 0 || opening === '[') {
    return { kind: opening === '{' ? 'tuple' : 'list', items: [...items, ...pairs], start, end }
  }
  const list: Term = { kind: 'list', items: pairs, start: pairs[0]!.start, end }
  return { kind: 'tuple', items: [...items, list], start, end }
}

function readMap(reader: Reader, start: number): Term {
  const entries: [Term, Term][] = []
  reader.at += 2
  for (skip(reader); reader.text[reader.at] !== '}'; skip(reader)) {
    const at = reader.at
    const keyword = match(reader, KEYWORD)
    const key: Term =
      keyword === undefined ? readTerm(reader) : { kind: 'atom', text: keyword, start: at, end: reader.at }
    skip(reader)
    if (keyword === undefined) {
      if (!reader.text.startsWith('=>', reader.at)) throw new TermFault(reader.at)
      reader.at += 2
    }
    entries.push([key, readTerm(reader)])
    skipComma(reader, '}')
  }
  return { kind: 'map', entries, start, end: ++reader.at }
}

function skipComma(reader: Reader, closer: string): void {
  skip(reader)
  if (reader.text[reader.at] === ',') reader.at++
  else if (reader.text[reader.at] !== closer) throw new TermFault(reader.at)
}

/** Skips an expression up to the comma or bracket behind it. */
function skipExpression(reader: Reader): void {
  const { text } = reader
  const open: string[] = []
  for (; reader.at < text.length; reader.at++) {
    const char = text[reader.at]!
    if (char === '#') skip(reader)
    if (char === '"') {
      if (match(reader, STRING) === undefined) throw new TermFault(reader.at)
      reader.at--
    } else if (char in CLOSERS) open.push(CLOSERS[char as keyof typeof CLOSERS])
    else if (char === ',' && open.length === 0) return
    else if ('}])'.includes(char)) {
      if (open.length === 0) return
      if (open.pop() !== char) throw new TermFault(reader.at)
    }
  }
  throw new TermFault(reader.at)
}

function skip(reader: Reader): void {
  const { text, comment } = reader
  for (;;) {
    while (' \t\r\n'.includes(text[reader.at] ?? 'x')) reader.at++
    if (text[reader.at] !== comment) return
    const end = text.indexOf('\n', reader.at)
    reader.at = end < 0 ? text.length : end
  }
}

/** Returns the first group of a match at the reader's place, and moves behind it. */
function match(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at
  const result = pattern.exec(reader.text)
  if (result === null) return undefined
  reader.at = pattern.lastIndex
  return result.slice(1).find((group) => group !== undefined) ?? result[0]
}

/** Returns the items of a tuple or list; none for other terms. */
export function itemsOf(term: Term | undefined): readonly Term[] {
  return term?.kind === 'tuple' || term?.kind === 'list' ? term.items : []
}

export function textOf(term: Term | undefined): string | undefined {
  return term?.kind === 'text' || term?.kind === 'atom' ? term.text : undefined
}

/** Returns the value of a pair in a list. */
export function pairValue(list: Term | undefined, key: string): Term | undefined {
  return itemsOf(list).flatMap((pair) => (textOf(itemsOf(pair)[0]) === key ? [itemsOf(pair)[1]] : []))[0]
}
