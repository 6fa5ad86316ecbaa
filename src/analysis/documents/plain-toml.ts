import { TomlDate, type TomlTable, type TomlValue } from 'smol-toml'
import { TomlScanner, Unread } from './toml-scanner.ts'
import { UsualFiles } from './usual-files.ts'

const MAX_DEPTH = 20
const [COMMA, DOT, OPENING, CLOSING, OPENING_BRACE] = [44, 46, 91, 93, 123]

/** Stands for every date: readers of lockfiles only need to distinguish dates from strings. */
const SOME_DATE = new TomlDate('1970-01-01')

/**
 * Creates tables that share a hidden class, because lockfiles repeat their keys; `Object.create(null)` would make each
 * one a hash table.
 */
function RepeatedTable(this: TomlTable): void {}
export const repeatedTablePrototype: object = Object.freeze(Object.create(null))
RepeatedTable.prototype = repeatedTablePrototype

function newTable(): TomlTable {
  return new (RepeatedTable as unknown as new () => TomlTable)()
}

/** The parts of a file that the reader omits. */
export interface LeftOut {
  /** Names of members of inline tables. */
  readonly members: ReadonlySet<string>
  /** Names of members that list the files of a package; files with usual names are omitted (usual-files.ts). */
  readonly files: ReadonlySet<string>
}

const NOTHING: LeftOut = { members: new Set(), files: new Set() }

/**
 * Reads the part of TOML that package managers write: tables, arrays of tables, plain keys, texts on one line, arrays
 * without comments, inline tables, integers, booleans and dates, whose time is not kept. Returns undefined for anything
 * else, including duplicate definitions, which the full parser judges (toml.ts). Takes a fraction of that parser's
 * time.
 */
export function readPlainToml(written: string, leftOut: LeftOut = NOTHING): TomlTable | undefined {
  const text = written.includes('\r') ? written.replaceAll('\r\n', '\n') : written
  try {
    return new Reader(new TomlScanner(text), leftOut).read()
  } catch (error) {
    if (error instanceof Unread) return undefined
    throw error
  }
}

class Reader {
  private readonly scanner: TomlScanner
  private readonly leftOut: LeftOut
  private readonly usualFiles: UsualFiles
  private readonly root: TomlTable = Object.create(null)
  /** Tables and arrays created by headers, the only ones that other headers may extend. */
  private readonly open = new Set<TomlValue>()
  /** The table whose pairs are being read, if it is an entry of an array of tables at the root. */
  private entry: TomlTable | undefined

  constructor(scanner: TomlScanner, leftOut: LeftOut) {
    this.scanner = scanner
    this.leftOut = leftOut
    this.usualFiles = new UsualFiles(scanner, leftOut.members)
    this.open.add(this.root)
  }

  read(): TomlTable {
    const { scanner } = this
    let table = this.root
    for (;;) {
      scanner.skipBlankLines()
      if (scanner.at >= scanner.text.length) return this.root
      if (scanner.codes[scanner.at] === OPENING) table = this.header()
      else this.pair(table, 0)
      scanner.endLine()
    }
  }

  private header(): TomlTable {
    const { scanner } = this
    const isArray = scanner.codes[++scanner.at] === OPENING
    if (isArray) scanner.at++
    const path = [scanner.key()]
    while (scanner.takeSign(DOT)) path.push(scanner.key())
    if (path.length > MAX_DEPTH) throw new Unread()
    if (!scanner.take(isArray ? ']]' : ']')) throw new Unread()
    const last = path.pop()!
    const owner = path.reduce((table, key) => this.enter(table, key), this.root)
    const table = isArray ? newTable() : (Object.create(null) as TomlTable)
    this.open.add(table)
    this.entry = isArray && owner === this.root ? table : undefined
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

  /** Returns the table of a key on the path to another table: the last one of an array, or a new one. */
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
    const key = this.scanner.keyBefore()
    const { members, files } = this.leftOut
    if (depth > 0 && members.has(key)) this.skipValue(depth)
    else if (table === this.entry && files.has(key)) this.define(table, key, this.filesOf(table))
    else this.define(table, key, this.value(depth))
  }

  private value(depth: number): TomlValue {
    const { scanner } = this
    if (depth > MAX_DEPTH) throw new Unread()
    const quote = scanner.quote()
    if (quote !== undefined) return scanner.string(quote)
    const first = scanner.codes[scanner.at]
    if (first === OPENING) return this.array(depth)
    if (first === OPENING_BRACE) return this.inlineTable(depth)
    if (scanner.take('true')) return true
    if (scanner.take('false')) return false
    const integer = scanner.integer()
    if (integer !== undefined) return integer
    if (!scanner.date()) throw new Unread()
    return SOME_DATE
  }

  /** Skips a value; skipped strings may contain any characters. */
  private skipValue(depth: number): void {
    const quote = this.scanner.quote()
    if (quote !== undefined) this.scanner.endOfString(quote)
    else this.value(depth)
  }

  private array(depth: number, read: 'all' | 'unusual files' = 'all'): TomlValue[] {
    const { scanner } = this
    const items: TomlValue[] = []
    scanner.at++
    for (;;) {
      scanner.skipBlank()
      if (scanner.takeSign(CLOSING)) return items
      const item = read === 'all' ? this.value(depth + 1) : this.unusualFile()
      if (item !== undefined) items.push(item)
      scanner.skipBlank()
      if (scanner.takeSign(CLOSING)) return items
      if (!scanner.takeSign(COMMA)) throw new Unread()
    }
  }

  private inlineTable(depth: number): TomlTable {
    const table = newTable()
    if (!this.scanner.enterTable()) return table
    do this.pair(table, depth + 1)
    while (this.scanner.nextMember())
    return table
  }

  /** Reads the files of a package without the usual ones; a single usual file becomes an empty table. */
  private filesOf(entry: TomlTable): TomlValue {
    if (!this.usualFiles.expect(entry)) return this.value(0)
    return this.scanner.codes[this.scanner.at] === OPENING
      ? this.array(0, 'unusual files')
      : (this.unusualFile() ?? newTable())
  }

  /** Reads a file of a package; skips a usual one and returns undefined. */
  private unusualFile(): TomlValue | undefined {
    return this.usualFiles.skip() ? undefined : this.value(1)
  }
}
