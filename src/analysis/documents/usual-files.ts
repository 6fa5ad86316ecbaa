import type { TomlTable } from 'smol-toml'
import type { TomlScanner } from './toml-scanner.ts'

const [HYPHEN, DOT, UNDERSCORE, OPENING_BRACE] = [45, 46, 95, 123]
/** One for the codes of letters and digits in normalized names. */
const isInName = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0))
/** Texts of one file: a name and an address at most. */
const MAX_PLACES = 2
/** Code units of the longest name and version together whose files may be usual. */
const MAX_CODES = 500

/** The kind of a value in the table of a file. */
type Kind = 'place' | 'text' | 'plain-text' | 'integer' | 'date'

/** The way in which the last file was written, which most other files of a lockfile share. */
interface Pattern {
  readonly steps: readonly { readonly before: Uint16Array; readonly kind: Kind }[]
  readonly end: Uint16Array
}

/**
 * Goes past inline tables of files whose names are usual for their package: normalized name, hyphen and version, then a
 * dot or a hyphen. Lockfiles have thousands, and none tells more than its package does.
 */
export class UsualFiles {
  private readonly scanner: TomlScanner
  private readonly unread: ReadonlySet<string>
  private pattern: Pattern | undefined
  /** The code units with which usual names begin, before a dot or a hyphen: the first `startLength`. */
  private start = new Uint16Array(MAX_CODES)
  private startLength = 0
  private entry: TomlTable | undefined

  /** Members whose names are in `unread` may have any plain value. */
  constructor(scanner: TomlScanner, unread: ReadonlySet<string>) {
    this.scanner = scanner
    this.unread = unread
  }

  /**
   * Sets the package whose files follow. Returns false if its name is not normalized (PEP 503) or it has no version:
   * then it is not known how the names of its files begin.
   */
  expect(entry: TomlTable): boolean {
    if (entry === this.entry) return true
    const { name, version } = entry
    if (typeof name !== 'string' || typeof version !== 'string' || version === '') return false
    if (name.length + version.length >= MAX_CODES) return false
    const { start } = this
    let length = 0
    for (; length < name.length; length++) {
      const code = name.charCodeAt(length)
      const isHyphen = code === HYPHEN && start[length - 1] !== UNDERSCORE
      if (!isHyphen && isInName[code] !== 1) return false
      start[length] = isHyphen ? UNDERSCORE : code
    }
    start[length++] = HYPHEN
    for (let at = 0; at < version.length; at++) start[length++] = version.charCodeAt(at)
    this.startLength = length
    this.entry = entry
    return true
  }

  /**
   * Goes past an inline table whose texts all are, or end in, usual names. Stays and returns false at anything else,
   * also at what the full parser might refuse.
   */
  skip(): boolean {
    const { scanner } = this
    const { at } = scanner
    if (this.pattern !== undefined && this.follow(this.pattern)) return true
    scanner.at = at
    this.pattern = this.learn()
    if (this.pattern !== undefined) return true
    scanner.at = at
    return false
  }

  private follow({ steps, end }: Pattern): boolean {
    for (const { before, kind } of steps) {
      if (!this.scanner.takeCodes(before) || !this.skipValue(kind)) return false
    }
    return this.scanner.takeCodes(end)
  }

  /** Goes past a file whose way of writing is new, and returns it. */
  private learn(): Pattern | undefined {
    const { scanner } = this
    const steps: { before: Uint16Array; kind: Kind }[] = []
    let end = scanner.at
    let [places, earlier] = [0, '']
    if (scanner.codes[scanner.at] !== OPENING_BRACE || !scanner.enterTable()) return undefined
    do {
      const key = scanner.keyBefore()
      const isUnread = this.unread.has(key)
      // Three texts might have two of one key, which the full parser refuses.
      if (!isUnread && (key === earlier || ++places > MAX_PLACES)) return undefined
      if (!isUnread) earlier = key
      const isTable = isUnread && scanner.codes[scanner.at] === OPENING_BRACE
      if (isTable) {
        if (!scanner.enterTable()) return undefined
        scanner.keyBefore()
      }
      const before = scanner.codes.slice(end, scanner.at)
      const kind = isTable ? 'plain-text' : isUnread ? this.kindHere() : 'place'
      if (!this.skipValue(kind)) return undefined
      steps.push({ before, kind })
      end = scanner.at
      if (isTable && scanner.nextMember()) return undefined
    } while (scanner.nextMember())
    return { steps, end: scanner.codes.slice(end, scanner.at) }
  }

  private kindHere(): Kind {
    const { scanner } = this
    const { at } = scanner
    if (scanner.quote() !== undefined) return 'text'
    const kind = scanner.integer() === undefined ? 'date' : 'integer'
    scanner.at = at
    return kind
  }

  /** Goes past a value of this kind. Texts of unread members may have any characters. */
  private skipValue(kind: Kind): boolean {
    const { scanner } = this
    if (kind === 'place') return this.skipPlace()
    if (kind === 'plain-text') return scanner.place() !== undefined
    if (kind === 'integer') return scanner.integer() !== undefined
    if (kind === 'date') return scanner.date()
    const quote = scanner.quote()
    if (quote === undefined) return false
    scanner.endOfString(quote)
    return true
  }

  private skipPlace(): boolean {
    const { scanner } = this
    const name = scanner.place()
    if (name === undefined || !scanner.hasCodes(name, this.start, this.startLength)) return false
    const end = name + this.startLength
    const code = scanner.codes[end]
    return end < scanner.at - 1 && (code === DOT || code === HYPHEN)
  }
}
