import { TomlDate, type TomlTable, type TomlValue } from 'smol-toml'

/** Control characters, which TOML forbids, and carriage returns. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNREAD = /[\u0000-\u0008\u000b-\u001f\u007f]/
const MAX_DEPTH = 20
/** Characters of most names; addresses and digests have more. */
const LONGEST_SHARED = 40
const MOST_SHARED = 100_000
const BARE_KEY = /[\w-]+/y
const INTEGER = /(?:0|[1-9]\d{0,14})(?=[\s,\]}]|$)/y
const DATE =
  /\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]0\d:[0-5]\d)?)?(?=[\s,\]}]|$)/y
/** Escapes that JSON spells and means alike. */
const ESCAPE = /\\(?:"|\\|b|f|n|r|t)/g

const [TAB, LINE_FEED, SPACE, QUOTE, HASH, APOSTROPHE] = [9, 10, 32, 34, 35, 39]
const [COMMA, EQUALS, OPENING, BACKSLASH, CLOSING, OPENING_BRACE, CLOSING_BRACE] = [44, 61, 91, 92, 93, 123, 125]

/** Every date: readers of lockfiles only have to tell them from texts. */
const SOME_DATE = new TomlDate('1970-01-01')

/** The end of what is read here. */
class Unread extends Error {}

/**
 * Reads the part of TOML that package managers write: tables, arrays of tables, plain keys, texts on one line, arrays
 * without comments, inline tables, integers, booleans and dates, whose time is not kept. Returns undefined for anything
 * else, also for what is defined twice: the full parser judges it (toml.ts). It reads a lockfile of 2,000 packages in a
 * fraction of that parser's time. Members with a name in `unread` are left out of inline tables.
 */
export function readPlainToml(written: string, unread: ReadonlySet<string> = new Set()): TomlTable | undefined {
  const text = written.includes('\r') ? written.replaceAll('\r\n', '\n') : written
  if (UNREAD.test(text)) return undefined
  try {
    return new Reader(text, unread).read()
  } catch (error) {
    if (error instanceof Unread) return undefined
    throw error
  }
}

class Reader {
  private readonly text: string
  private readonly unread: ReadonlySet<string>
  private at: number
  /** Keys and short texts, which are mostly names. */
  private readonly texts = new Map<string, string>()
  private readonly root: TomlTable = Object.create(null)
  /** Tables and arrays that headers made: only those are extended by others. */
  private readonly open = new Set<TomlValue>()

  constructor(text: string, unread: ReadonlySet<string>) {
    this.text = text
    this.unread = unread
    this.at = text.charCodeAt(0) === 0xfeff ? 1 : 0
    this.open.add(this.root)
  }

  read(): TomlTable {
    let table = this.root
    for (;;) {
      this.skipBlankLines()
      if (this.at >= this.text.length) return this.root
      if (this.text.charCodeAt(this.at) === OPENING) table = this.header()
      else this.pair(table, 0)
      this.endLine()
    }
  }

  private header(): TomlTable {
    const isArray = this.text.charCodeAt(++this.at) === OPENING
    if (isArray) this.at++
    const path = [this.key()]
    while (this.take('.')) path.push(this.key())
    if (!this.take(isArray ? ']]' : ']')) throw new Unread()
    const last = path.pop()!
    const owner = path.reduce((table, key) => this.enter(table, key), this.root)
    const table: TomlTable = Object.create(null)
    this.open.add(table)
    const known = owner[last]
    if (!isArray) this.define(owner, last, table)
    else if (known === undefined) {
      const list = [table]
      this.open.add(list)
      owner[last] = list
    } else if (Array.isArray(known) && this.open.has(known)) known.push(table)
    else throw new Unread()
    return table
  }

  /** Returns the table of a name on the way to another: the last one of an array, or a new one. */
  private enter(table: TomlTable, key: string): TomlTable {
    const known = table[key]
    if (known === undefined) {
      const made: TomlTable = Object.create(null)
      this.open.add(made)
      table[key] = made
      return made
    }
    if (!this.open.has(known)) throw new Unread()
    return (Array.isArray(known) ? known.at(-1) : known) as TomlTable
  }

  private define(table: TomlTable, key: string, value: TomlValue): void {
    if (key in table) throw new Unread()
    table[key] = value
  }

  private pair(table: TomlTable, depth: number): void {
    const key = this.key()
    this.skipSpace()
    if (this.text.charCodeAt(this.at++) !== EQUALS) throw new Unread()
    this.skipSpace()
    const value = this.value(depth)
    if (depth === 0 || !this.unread.has(key)) this.define(table, key, value)
  }

  private key(): string {
    const first = this.text.charCodeAt(this.at)
    if (first === QUOTE || first === APOSTROPHE) return this.string(first)
    BARE_KEY.lastIndex = this.at
    if (!BARE_KEY.test(this.text)) throw new Unread()
    const key = this.text.slice(this.at, BARE_KEY.lastIndex)
    this.at = BARE_KEY.lastIndex
    return this.shared(key)
  }

  /** Returns the first of equal texts: one text is found in tables and maps sooner than its equals are. */
  private shared(text: string): string {
    const known = this.texts.get(text)
    if (known !== undefined) return known
    if (this.texts.size < MOST_SHARED) this.texts.set(text, text)
    return text
  }

  private value(depth: number): TomlValue {
    if (depth > MAX_DEPTH) throw new Unread()
    const first = this.text.charCodeAt(this.at)
    if (first === QUOTE || first === APOSTROPHE) return this.string(first)
    if (first === OPENING) return this.array(depth)
    if (first === OPENING_BRACE) return this.inlineTable(depth)
    if (this.take('true')) return true
    if (this.take('false')) return false
    return this.numberOrDate()
  }

  private numberOrDate(): TomlValue {
    INTEGER.lastIndex = this.at
    const [number] = INTEGER.exec(this.text) ?? []
    if (number !== undefined) {
      this.at += number.length
      return Number(number)
    }
    DATE.lastIndex = this.at
    const [date] = DATE.exec(this.text) ?? []
    if (date === undefined) throw new Unread()
    this.at += date.length
    return SOME_DATE
  }

  /** Reads a text on one line. */
  private string(quote: number): string {
    const start = this.at + 1
    const sign = quote === QUOTE ? '"' : "'"
    let end = this.text.indexOf(sign, start)
    let hasEscapes = false
    if (quote === QUOTE) {
      for (; end > start && this.isEscaped(end); end = this.text.indexOf(sign, end + 1)) hasEscapes = true
    }
    if (end === -1 || (end === start && this.text.charCodeAt(end + 1) === quote)) throw new Unread()
    this.at = end + 1
    const inner = this.text.slice(start, end)
    if (inner.includes('\n')) throw new Unread()
    if (quote === QUOTE && (hasEscapes || inner.includes('\\'))) return unescaped(inner)
    return inner.length <= LONGEST_SHARED ? this.shared(inner) : inner
  }

  private isEscaped(quote: number): boolean {
    let count = 0
    while (this.text.charCodeAt(quote - 1 - count) === BACKSLASH) count++
    return count % 2 === 1
  }

  private array(depth: number): TomlValue[] {
    const items: TomlValue[] = []
    this.at++
    for (;;) {
      this.skipBlank()
      if (this.takeSign(CLOSING)) return items
      items.push(this.value(depth + 1))
      this.skipBlank()
      if (this.takeSign(CLOSING)) return items
      if (!this.takeSign(COMMA)) throw new Unread()
    }
  }

  private inlineTable(depth: number): TomlTable {
    const table: TomlTable = Object.create(null)
    this.at++
    this.skipSpace()
    if (this.takeSign(CLOSING_BRACE)) return table
    for (;;) {
      this.pair(table, depth + 1)
      this.skipSpace()
      if (this.takeSign(CLOSING_BRACE)) return table
      if (!this.takeSign(COMMA)) throw new Unread()
      this.skipSpace()
    }
  }

  private take(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  private takeSign(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false
    this.at++
    return true
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== SPACE && code !== TAB) return
      this.at++
    }
  }

  private skipBlank(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== SPACE && code !== LINE_FEED && code !== TAB) return
      this.at++
    }
  }

  private skipBlankLines(): void {
    for (;;) {
      this.skipBlank()
      if (this.text.charCodeAt(this.at) !== HASH) return
      const end = this.text.indexOf('\n', this.at)
      this.at = end === -1 ? this.text.length : end
    }
  }

  /** Requires the end of the line, with a comment at most. */
  private endLine(): void {
    this.skipSpace()
    const code = this.text.charCodeAt(this.at)
    if (code !== LINE_FEED && code !== HASH && this.at < this.text.length) throw new Unread()
  }
}

function unescaped(inner: string): string {
  if (inner.replace(ESCAPE, '').includes('\\')) throw new Unread()
  return JSON.parse(`"${inner.replaceAll('\t', '\\t')}"`) as string
}
