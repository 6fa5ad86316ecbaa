import { TomlDate, type TomlTable, type TomlValue } from 'smol-toml'

const MAX_DEPTH = 20
/** Characters of most names; addresses and digests have more. */
const LONGEST_SHARED = 40
/** A power of two. */
const SHARED_TEXTS = 2 ** 14
const MOST_DIGITS = 15
/** Code units in memory that is kept for the next text: 8 MB. */
const MOST_KEPT_CODES = 2 ** 22
const DATE =
  /\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]0\d:[0-5]\d)?)?(?=[\s,\]}]|$)/y
/** Escapes that JSON spells and means alike. */
const ESCAPE = /\\(?:"|\\|b|f|n|r|t)/g

const [TAB, LINE_FEED, SPACE, QUOTE, HASH, APOSTROPHE, DELETE] = [9, 10, 32, 34, 35, 39, 127]
const [ZERO, NINE] = [48, 57]
const [COMMA, EQUALS, OPENING, BACKSLASH, CLOSING, OPENING_BRACE, CLOSING_BRACE] = [44, 61, 91, 92, 93, 123, 125]
const AFTER_VALUES = [SPACE, TAB, LINE_FEED, COMMA, CLOSING, CLOSING_BRACE]

/** One for the codes of characters that a key without quotes may have. */
const isInKey = Uint8Array.from({ length: 128 }, (_, code) => (/[\w-]/.test(String.fromCharCode(code)) ? 1 : 0))

/** Every date: readers of lockfiles only have to tell them from texts. */
const SOME_DATE = new TomlDate('1970-01-01')

/**
 * Tables whose keys repeat, as those of lockfiles do. Unlike `Object.create(null)`, which makes a hash table of each,
 * the engine keeps their keys once for all of them.
 */
function RepeatedTable(this: TomlTable): void {}
export const repeatedTablePrototype: object = Object.freeze(Object.create(null))
RepeatedTable.prototype = repeatedTablePrototype

function newTable(): TomlTable {
  return new (RepeatedTable as unknown as new () => TomlTable)()
}

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
  try {
    return new Reader(text, unread).read()
  } catch (error) {
    if (error instanceof Unread) return undefined
    throw error
  }
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= ZERO && code <= NINE
}

function isAfterValue(code: number | undefined): boolean {
  return code === undefined || AFTER_VALUES.includes(code)
}

/**
 * Returns the code units of a text, valid until the next call. Memory of its own for each text would make V8 collect all
 * garbage of the thread with every lockfile.
 */
function toCodes(text: string): Uint16Array {
  const isKept = text.length <= MOST_KEPT_CODES
  if (isKept && keptCodes.length < text.length) keptCodes = new Uint16Array(Math.min(text.length * 2, MOST_KEPT_CODES))
  const codes = isKept ? keptCodes.subarray(0, text.length) : new Uint16Array(text.length)
  Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).write(text, 'utf16le')
  return codes
}

let keptCodes = new Uint16Array(0)

class Reader {
  private readonly text: string
  /** The text's code units. */
  private readonly codes: Uint16Array
  private readonly unread: ReadonlySet<string>
  private at: number
  /** Keys and short texts, which are mostly names, each at a place that follows from its length and characters. */
  private readonly texts: string[] = new Array(SHARED_TEXTS).fill('')
  /** Texts with escapes by the way they are written: mostly conditions, which lockfiles repeat. */
  private readonly escaped = new Map<string, string>()
  private readonly places = new Int32Array(SHARED_TEXTS)
  /** The places of the next line feed and backslash that were looked for. */
  private nextLineFeed = -1
  private nextBackslash = -1
  private readonly root: TomlTable = Object.create(null)
  /** Tables and arrays that headers made: only those are extended by others. */
  private readonly open = new Set<TomlValue>()

  constructor(text: string, unread: ReadonlySet<string>) {
    this.text = text
    this.codes = toCodes(text)
    this.unread = unread
    this.at = text.charCodeAt(0) === 0xfeff ? 1 : 0
    this.open.add(this.root)
  }

  read(): TomlTable {
    let table = this.root
    for (;;) {
      this.skipBlankLines()
      if (this.at >= this.text.length) return this.root
      if (this.codes[this.at] === OPENING) table = this.header()
      else this.pair(table, 0)
      this.endLine()
    }
  }

  private header(): TomlTable {
    const isArray = this.codes[++this.at] === OPENING
    if (isArray) this.at++
    const path = [this.key()]
    while (this.take('.')) path.push(this.key())
    if (!this.take(isArray ? ']]' : ']')) throw new Unread()
    const last = path.pop()!
    const owner = path.reduce((table, key) => this.enter(table, key), this.root)
    const table = isArray ? newTable() : (Object.create(null) as TomlTable)
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
    if (table[key] !== undefined) throw new Unread()
    table[key] = value
  }

  private pair(table: TomlTable, depth: number): void {
    const key = this.key()
    this.skipSpace()
    if (this.codes[this.at++] !== EQUALS) throw new Unread()
    this.skipSpace()
    if (depth === 0 || !this.unread.has(key)) this.define(table, key, this.value(depth))
    else this.skipValue(depth)
  }

  private key(): string {
    const first = this.codes[this.at]
    if (first === QUOTE || first === APOSTROPHE) return this.string(first)
    const start = this.at
    while (isInKey[this.codes[this.at]!] === 1) this.at++
    if (this.at === start) throw new Unread()
    return this.shared(start, this.at)
  }

  /**
   * Returns a piece of the text, if possible the same as an earlier one: tables and maps find a known text sooner. It has
   * no control characters.
   */
  private shared(start: number, end: number): string {
    const { texts, codes } = this
    const length = end - start
    let hash = length
    hash = hash * 31 + codes[start]!
    hash = hash * 31 + codes[start + (length >> 1)]!
    hash = hash * 31 + codes[end - 2]!
    hash = (hash * 31 + codes[end - 1]!) | 0
    const place = hash & (SHARED_TEXTS - 1)
    const known = texts[place]!
    if (known.length === length && this.isRepeated(this.places[place]!, start, length)) return known
    const piece = this.text.slice(start, end)
    texts[place] = piece
    this.places[place] = start
    return piece
  }

  /** Returns a piece of the text without control characters, which TOML forbids. */
  private piece(start: number, end: number): string {
    for (let at = start; at < end; at++) {
      const code = this.codes[at]!
      if (code < SPACE ? code !== TAB : code === DELETE) throw new Unread()
    }
    return this.text.slice(start, end)
  }

  private isRepeated(earlier: number, start: number, length: number): boolean {
    const { codes } = this
    for (let at = 0; at < length; at++) if (codes[earlier + at] !== codes[start + at]) return false
    return true
  }

  private value(depth: number): TomlValue {
    if (depth > MAX_DEPTH) throw new Unread()
    const first = this.codes[this.at]
    if (first === QUOTE || first === APOSTROPHE) return this.string(first)
    if (first === OPENING) return this.array(depth)
    if (first === OPENING_BRACE) return this.inlineTable(depth)
    if (this.take('true')) return true
    if (this.take('false')) return false
    return this.numberOrDate()
  }

  /** Texts that are left out may have any characters. */
  private skipValue(depth: number): void {
    const first = this.codes[this.at]
    if (first === QUOTE || first === APOSTROPHE) this.endOfString(first)
    else this.value(depth)
  }

  private numberOrDate(): TomlValue {
    const integer = this.integer()
    if (integer !== undefined) return integer
    DATE.lastIndex = this.at
    const [date] = DATE.exec(this.text) ?? []
    if (date === undefined) throw new Unread()
    this.at += date.length
    return SOME_DATE
  }

  private integer(): number | undefined {
    const { codes, at: start } = this
    let value = 0
    let end = start
    for (; isDigit(codes[end]); end++) value = value * 10 + codes[end]! - ZERO
    const isPlain = end > start && end - start <= MOST_DIGITS && (codes[start] !== ZERO || end === start + 1)
    if (!isPlain || !isAfterValue(codes[end])) return undefined
    this.at = end
    return value
  }

  /** Reads a text on one line. */
  private string(quote: number): string {
    const { codes } = this
    const start = this.at + 1
    let end = start
    let code = codes[end]
    // Stops at the end of the text, at an escape, and at control characters such as line feeds.
    while (code !== quote && code !== BACKSLASH && code! >= SPACE && code !== DELETE) code = codes[++end]
    if (code !== quote) return this.unusualString(quote)
    if (end === start && codes[end + 1] === quote) throw new Unread()
    this.at = end + 1
    return end - start <= LONGEST_SHARED ? this.shared(start, end) : this.text.slice(start, end)
  }

  /** Reads a text with tabs or backslashes. */
  private unusualString(quote: number): string {
    const start = this.at + 1
    const end = this.endOfString(quote)
    const piece = this.piece(start, end)
    return quote === QUOTE && piece.includes('\\') ? this.unescaped(piece) : piece
  }

  /** Goes past a text on one line. Returns the place of the quote at its end. */
  private endOfString(quote: number): number {
    const start = this.at + 1
    const sign = quote === QUOTE ? '"' : "'"
    let end = this.text.indexOf(sign, start)
    if (this.nextBackslash < start) this.nextBackslash = this.find('\\', start)
    if (quote === QUOTE && this.nextBackslash < end) {
      while (end > start && this.isEscaped(end)) end = this.text.indexOf(sign, end + 1)
    }
    if (end === -1 || (end === start && this.codes[end + 1] === quote)) throw new Unread()
    if (this.nextLineFeed < start) this.nextLineFeed = this.find('\n', start)
    if (this.nextLineFeed < end) throw new Unread()
    this.at = end + 1
    return end
  }

  private unescaped(written: string): string {
    const known = this.escaped.get(written)
    if (known !== undefined) return known
    const text = unescaped(written)
    this.escaped.set(written, text)
    return text
  }

  private find(character: string, start: number): number {
    const found = this.text.indexOf(character, start)
    return found === -1 ? this.text.length : found
  }

  private isEscaped(quote: number): boolean {
    let count = 0
    while (this.codes[quote - 1 - count] === BACKSLASH) count++
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
    const table = newTable()
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
    if (this.codes[this.at] !== code) return false
    this.at++
    return true
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.codes[this.at]
      if (code !== SPACE && code !== TAB) return
      this.at++
    }
  }

  private skipBlank(): void {
    for (;;) {
      const code = this.codes[this.at]
      if (code !== SPACE && code !== LINE_FEED && code !== TAB) return
      this.at++
    }
  }

  private skipBlankLines(): void {
    for (;;) {
      this.skipBlank()
      if (this.codes[this.at] !== HASH) return
      const end = this.find('\n', this.at)
      this.piece(this.at, end)
      this.at = end
    }
  }

  /** Requires the end of the line, with a comment at most. */
  private endLine(): void {
    this.skipSpace()
    const code = this.codes[this.at]
    if (code !== LINE_FEED && code !== HASH && this.at < this.text.length) throw new Unread()
  }
}

function unescaped(inner: string): string {
  if (inner.replace(ESCAPE, '').includes('\\')) throw new Unread()
  return JSON.parse(`"${inner.replaceAll('\t', '\\t')}"`) as string
}
