/** Characters of most names; addresses and digests have more. */
const LONGEST_SHARED = 40
/** A power of two. */
const SHARED_TEXTS = 2 ** 14
const MAX_DIGITS = 15
/** Code units in memory that is kept for the next text: 8 MB. */
const MAX_KEPT_CODES = 2 ** 22
const DATE =
  /\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]0\d:[0-5]\d)?)?(?=[\s,\]}]|$)/y
/** Escapes that JSON spells and means alike. */
const ESCAPE = /\\(?:"|\\|b|f|n|r|t)/g

const [TAB, LINE_FEED, SPACE, QUOTE, HASH, APOSTROPHE, DELETE] = [9, 10, 32, 34, 35, 39, 127]
const [COMMA, SLASH, ZERO, NINE, EQUALS, QUESTION] = [44, 47, 48, 57, 61, 63]
const [BACKSLASH, CLOSING, CLOSING_BRACE] = [92, 93, 125]
/** From this sign on, no character but a question mark or backslash has a meaning of its own in addresses or texts. */
const FIRST_IN_PLACE = 40
const AFTER_VALUES = [SPACE, TAB, LINE_FEED, COMMA, CLOSING, CLOSING_BRACE]

/** One for the codes of characters that a key without quotes may have. */
const isInKey = Uint8Array.from({ length: 128 }, (_, code) => (/[\w-]/.test(String.fromCharCode(code)) ? 1 : 0))

/** The end of what the short reader of TOML reads. */
export class Unread extends Error {}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= ZERO && code <= NINE
}

function isAfterValue(code: number | undefined): boolean {
  return code === undefined || AFTER_VALUES.includes(code)
}

/**
 * Returns the code units of a text, valid until the next call. Memory of its own for each text would make V8 collect
 * all garbage of the thread with every lockfile.
 */
function toCodes(text: string): Uint16Array {
  const isKept = text.length <= MAX_KEPT_CODES
  if (isKept && keptCodes.length < text.length) keptCodes = new Uint16Array(Math.min(text.length * 2, MAX_KEPT_CODES))
  const codes = isKept ? keptCodes.subarray(0, text.length) : new Uint16Array(text.length)
  Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).write(text, 'utf16le')
  return codes
}

let keptCodes = new Uint16Array(0)

/** Goes through the part of TOML that package managers write. Throws `Unread` for anything else. */
export class TomlScanner {
  /** The place of the next character. */
  at: number
  readonly text: string
  /** The text's code units. */
  readonly codes: Uint16Array
  /** Keys and short texts, which are mostly names, each at a place that follows from its length and characters. */
  private readonly texts: string[] = new Array(SHARED_TEXTS).fill('')
  /** Texts with escapes by the way they are written: mostly conditions, which lockfiles repeat. */
  private readonly escaped = new Map<string, string>()
  private readonly places = new Int32Array(SHARED_TEXTS)
  /** The places of the next line feed and backslash that were looked for. */
  private nextLineFeed = -1
  private nextBackslash = -1

  constructor(text: string) {
    this.text = text
    this.codes = toCodes(text)
    this.at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  }

  key(): string {
    const first = this.codes[this.at]
    if (first === QUOTE || first === APOSTROPHE) return this.string(first)
    const start = this.at
    while (isInKey[this.codes[this.at]!] === 1) this.at++
    if (this.at === start) throw new Unread()
    return this.shared(start, this.at)
  }

  /**
   * Returns a piece of the text, if possible the same as an earlier one: tables and maps find a known text sooner. It
   * has no control characters.
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

  private isRepeated(earlier: number, start: number, length: number): boolean {
    const { codes } = this
    for (let at = 0; at < length; at++) if (codes[earlier + at] !== codes[start + at]) return false
    return true
  }

  /** Returns a piece of the text without control characters, which TOML forbids. */
  private piece(start: number, end: number): string {
    for (let at = start; at < end; at++) {
      const code = this.codes[at]!
      if (code < SPACE ? code !== TAB : code === DELETE) throw new Unread()
    }
    return this.text.slice(start, end)
  }

  /** Returns the quote with which a text begins here. */
  quote(): number | undefined {
    const first = this.codes[this.at]
    return first === QUOTE || first === APOSTROPHE ? first : undefined
  }

  /** Reads a text on one line. */
  string(quote: number): string {
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

  /** Goes past a text on one line, which may have any characters. Returns the place of the quote at its end. */
  endOfString(quote: number): number {
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

  /**
   * Goes past a text that is a plain address, path or name of a file. Returns where the name at its end begins;
   * undefined for anything else.
   */
  place(): number | undefined {
    const { codes } = this
    const quote = this.quote()
    if (quote === undefined) return undefined
    const start = this.at + 1
    let end = start
    let code = codes[end]!
    while (code >= FIRST_IN_PLACE && code < DELETE && code !== QUESTION && code !== BACKSLASH) code = codes[++end]!
    if (code !== quote) return undefined
    this.at = end + 1
    while (end > start && codes[end - 1] !== SLASH) end--
    return end
  }

  /** Returns true if the first `length` code units of `expected` stand there. */
  hasCodes(start: number, expected: Uint16Array, length = expected.length): boolean {
    for (let at = 0; at < length; at++) if (this.codes[start + at] !== expected[at]) return false
    return true
  }

  takeCodes(expected: Uint16Array): boolean {
    if (!this.hasCodes(this.at, expected)) return false
    this.at += expected.length
    return true
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

  /** Reads an integer; undefined if there is none. */
  integer(): number | undefined {
    const { codes, at: start } = this
    let value = 0
    let end = start
    for (; isDigit(codes[end]); end++) value = value * 10 + codes[end]! - ZERO
    const isPlain = end > start && end - start <= MAX_DIGITS && (codes[start] !== ZERO || end === start + 1)
    if (!isPlain || !isAfterValue(codes[end])) return undefined
    this.at = end
    return value
  }

  /** Goes past a date; false if there is none. */
  date(): boolean {
    DATE.lastIndex = this.at
    if (!DATE.test(this.text)) return false
    this.at = DATE.lastIndex
    return true
  }

  /** Reads a key and the sign after it. */
  keyBefore(): string {
    const key = this.key()
    this.skipSpace()
    if (!this.takeSign(EQUALS)) throw new Unread()
    this.skipSpace()
    return key
  }

  /** Goes to the first member of an inline table; past its end and false if there is none. */
  enterTable(): boolean {
    this.at++
    this.skipSpace()
    return !this.takeSign(CLOSING_BRACE)
  }

  /** Goes to the next member of an inline table; past its end and false if there is none. */
  nextMember(): boolean {
    this.skipSpace()
    if (this.takeSign(CLOSING_BRACE)) return false
    if (!this.takeSign(COMMA)) throw new Unread()
    this.skipSpace()
    return true
  }

  take(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  takeSign(code: number): boolean {
    if (this.codes[this.at] !== code) return false
    this.at++
    return true
  }

  skipSpace(): void {
    for (;;) {
      const code = this.codes[this.at]
      if (code !== SPACE && code !== TAB) return
      this.at++
    }
  }

  skipBlank(): void {
    for (;;) {
      const code = this.codes[this.at]
      if (code !== SPACE && code !== LINE_FEED && code !== TAB) return
      this.at++
    }
  }

  skipBlankLines(): void {
    for (;;) {
      this.skipBlank()
      if (this.codes[this.at] !== HASH) return
      const end = this.find('\n', this.at)
      this.piece(this.at, end)
      this.at = end
    }
  }

  /** Requires the end of the line, with a comment at most. */
  endLine(): void {
    this.skipSpace()
    const code = this.codes[this.at]
    if (code !== LINE_FEED && code !== HASH && this.at < this.text.length) throw new Unread()
  }
}

function unescaped(inner: string): string {
  if (inner.replace(ESCAPE, '').includes('\\')) throw new Unread()
  return JSON.parse(`"${inner.replaceAll('\t', '\\t')}"`) as string
}
