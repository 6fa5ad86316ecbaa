/** A value of a TOML file with its place. Arrays and inline tables appear as their items. */
export interface TomlPlace {
  /** Keys and indexes from the root. */
  readonly path: readonly string[]
  /** Offset of the key; in an array of the item. */
  readonly at: number
  /** Offsets of the value, quotes included. */
  readonly start: number
  readonly end: number
}

const MAX_DEPTH = 20
const SPACE = /[ \t]*/y
const BLANK = /(?:\s+|#[^\n]*)*/y
const BARE_KEY = /[\w-]+/y
const BARE_VALUE = /[^,\]}\n#]*/y

/** Returns the values of a file that is known to be TOML, in order; of other text only those before the fault. */
export function placesOf(text: string): TomlPlace[] {
  return new TomlWalk(text).walk()
}

/** Returns the text of a value, if it is on one line without escapes, and its offsets. */
export function textOfPlace(text: string, { start, end }: TomlPlace) {
  const quote = text[start]
  if ((quote !== '"' && quote !== "'") || text.startsWith(quote.repeat(3), start)) return undefined
  const inner = { text: text.slice(start + 1, end - 1), start: start + 1, end: end - 1 }
  return quote === '"' && inner.text.includes('\\') ? undefined : inner
}

class TomlWalk {
  private readonly text: string
  private readonly places: TomlPlace[] = []
  /** Number of tables in each array of tables, by path. */
  private readonly counts = new Map<string, number>()
  private at: number

  constructor(text: string) {
    this.text = text
    this.at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  }

  walk(): TomlPlace[] {
    let table: readonly string[] = []
    for (this.skip(BLANK); this.at < this.text.length; this.skip(BLANK)) {
      if (this.text[this.at] === '[') {
        const header = this.header()
        if (header === undefined) break
        table = header
      } else if (!this.pair(table, 0)) break
    }
    return this.places
  }

  private header(): readonly string[] | undefined {
    const isArray = this.text.startsWith('[[', this.at)
    this.at += isArray ? 2 : 1
    const keys = this.keys()
    if (keys === undefined || !this.take(isArray ? ']]' : ']')) return undefined
    const path = this.withIndexes(isArray ? keys.slice(0, -1) : keys)
    if (!isArray) return path
    const whole = [...path, keys.at(-1)!]
    const key = JSON.stringify(whole)
    const index = this.counts.get(key) ?? 0
    this.counts.set(key, index + 1)
    return [...whole, String(index)]
  }

  /** Adds the index of the current table to the names of arrays of tables. */
  private withIndexes(keys: readonly string[]): string[] {
    const path: string[] = []
    for (const key of keys) {
      path.push(key)
      const count = this.counts.get(JSON.stringify(path))
      if (count !== undefined) path.push(String(count - 1))
    }
    return path
  }

  /** Reads `key = value`; false for anything else. */
  private pair(table: readonly string[], depth: number): boolean {
    const at = this.at
    const keys = this.keys()
    if (keys === undefined || !this.take('=')) return false
    this.skip(SPACE)
    return this.value([...table, ...keys], at, depth)
  }

  private keys(): string[] | undefined {
    const keys: string[] = []
    do {
      this.skip(SPACE)
      const key = this.key()
      if (key === undefined) return undefined
      keys.push(key)
      this.skip(SPACE)
    } while (this.take('.'))
    return keys
  }

  private key(): string | undefined {
    const quote = this.text[this.at]
    if (quote === '"' || quote === "'") {
      const start = this.at
      this.at = this.endOfText()
      const inner = this.text.slice(start + 1, this.at - 1)
      return quote === '"' && inner.includes('\\') ? toKey(inner) : inner
    }
    BARE_KEY.lastIndex = this.at
    const [key] = BARE_KEY.exec(this.text) ?? []
    this.at += key?.length ?? 0
    return key
  }

  private value(path: readonly string[], at: number, depth: number): boolean {
    const start = this.at
    const first = this.text[start]
    if (depth > MAX_DEPTH || first === undefined) return false
    if (first === '[') return this.array(path, depth)
    if (first === '{') return this.inlineTable(path, depth)
    if (first === '"' || first === "'") this.at = this.endOfText()
    else this.skip(BARE_VALUE)
    if (this.at === start) return false
    this.places.push({ path, at, start, end: this.at })
    return true
  }

  private array(path: readonly string[], depth: number): boolean {
    this.at++
    for (let index = 0; ; index++) {
      this.skip(BLANK)
      if (this.take(']')) return true
      if (!this.value([...path, String(index)], this.at, depth + 1)) return false
      this.skip(BLANK)
      if (!this.take(',')) return this.take(']')
    }
  }

  private inlineTable(path: readonly string[], depth: number): boolean {
    this.at++
    for (;;) {
      this.skip(BLANK)
      if (this.take('}')) return true
      if (!this.pair(path, depth + 1)) return false
      this.skip(BLANK)
      if (!this.take(',')) return this.take('}')
    }
  }

  /** Returns the offset after the closing quotes. */
  private endOfText(): number {
    const { text, at } = this
    const quote = text[at]!
    const closing = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote
    for (let end = at + closing.length; end < text.length; end++) {
      if (quote === '"' && text[end] === '\\') end++
      else if (text.startsWith(closing, end)) {
        end += closing.length
        // Up to two quotes may stand before the closing ones.
        while (closing.length === 3 && text[end] === quote) end++
        return end
      } else if (text[end] === '\n' && closing.length === 1) return end
    }
    return text.length
  }

  private take(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false
    this.at += sign.length
    return true
  }

  private skip(pattern: RegExp): void {
    pattern.lastIndex = this.at
    this.at += pattern.exec(this.text)?.[0].length ?? 0
  }
}

function toKey(inner: string): string {
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return inner
  }
}
