/** A value of YAML whose scalars are all texts (the failsafe schema of YAML 1.2). */
export type YamlValue = string | YamlValue[] | YamlMap
export interface YamlMap {
  [key: string]: YamlValue
}

/** A map or list whose entries begin in one column. */
interface Frame {
  readonly indent: number
  readonly into: YamlMap | YamlValue[]
}

/** A key or list item whose value follows on the next lines. */
interface Open {
  /** The column of the key, or of the item's hyphen. */
  readonly indent: number
  readonly isItem: boolean
  /** The place of the value. */
  readonly into: YamlMap | YamlValue[]
  readonly key: string | number
}

interface State {
  readonly frames: Frame[]
  open: Open | undefined
  /** A key written as `? key`, whose value follows after a colon. */
  explicitKey: string | undefined
  /** The header of a block of text that the next lines hold. */
  literal: string | undefined
}

const MAX_DEPTH = 50
/**
 * Maps whose keys repeat: those in the second level, and those on one line. Unlike `Object.create(null)`, which makes a
 * hash table of each, the engine keeps their keys once for all of them.
 */
function RepeatedMap(this: YamlMap): void {}
RepeatedMap.prototype = Object.freeze(Object.create(null))

function newMap(): YamlMap {
  return new (RepeatedMap as unknown as new () => YamlMap)()
}

/** The key that takes in other maps. */
const MERGE = '<<'
const [SPACE, QUOTE, HASH, APOSTROPHE, HYPHEN, COLON, BAR] = [32, 34, 35, 39, 45, 58, 124]
/** Tabs, control characters and lone carriage returns. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNREAD = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)/

/**
 * Reads the part of YAML that package managers write: block maps and lists, scalars on one line, literal blocks of text,
 * and flow collections on one line. Returns undefined for anything else, also for duplicate keys: the full parser judges
 * them (yaml.ts). It reads a lockfile of 2,000 packages in a tenth of that parser's time.
 */
export function readPlainYaml(text: string): YamlMap | undefined {
  if (UNREAD.test(text)) return undefined
  const lines = text.split('\n')
  const root: YamlMap = Object.create(null)
  const state: State = {
    frames: [{ indent: 0, into: root }],
    open: undefined,
    explicitKey: undefined,
    literal: undefined,
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trimEnd()
    let indent = 0
    while (line.charCodeAt(indent) === SPACE) indent++
    if (indent === line.length || line[indent] === '#') continue
    if (!readContent(state, indent, line.slice(indent))) return undefined
    if (state.literal === undefined) continue
    const end = endOfLiteral(lines, at + 1, state.frames.at(-1)!.indent)
    const value = toLiteral(lines.slice(at + 1, end), state.literal)
    if (value === undefined) return undefined
    put(state.open!, value)
    state.open = undefined
    state.literal = undefined
    at = end - 1
  }
  if (state.explicitKey !== undefined) return undefined
  if (state.open !== undefined) put(state.open, '')
  return Object.keys(root).length === 0 ? undefined : root
}

/** Reads the content of a line that begins in the column `indent`; false if it is none that is read here. */
function readContent(state: State, indent: number, content: string): boolean {
  if (!enter(state, indent, content)) return false
  const { into } = state.frames.at(-1)!
  if (Array.isArray(into)) return readItem(state, { indent, content, into })
  if (state.explicitKey !== undefined) {
    const key = state.explicitKey
    if (content !== ':' && !content.startsWith(': ')) return false
    state.explicitKey = undefined
    return readInline(state, { indent, isItem: false, into, key }, content.slice(2))
  }
  if (content.startsWith('? ')) {
    const key = toScalar(content.slice(2))
    if (key === undefined || key === MERGE || key in into) return false
    state.explicitKey = key
    return true
  }
  const entry = splitKey(content)
  if (entry === undefined || entry.key in into) return false
  return readValue(state, { indent, isItem: false, into, key: entry.key }, entry.rest)
}

/** Finds the collection that a line belongs to: one that begins here, or an open one of this column. */
function enter(state: State, indent: number, content: string): boolean {
  const { frames, open } = state
  const isItem = content.charCodeAt(0) === HYPHEN && (content.length === 1 || content.charCodeAt(1) === SPACE)
  if (open !== undefined) {
    state.open = undefined
    const isInside = indent > open.indent || (indent === open.indent && isItem && !open.isItem)
    if (isInside) {
      const into: YamlMap | YamlValue[] = isItem
        ? []
        : frames.length === 2
          ? newMap()
          : (Object.create(null) as YamlMap)
      put(open, into)
      frames.push({ indent, into })
      return frames.length <= MAX_DEPTH
    }
    put(open, '')
  }
  while (frames.length > 1 && isLeft(frames.at(-1)!, indent, isItem)) {
    if (state.explicitKey !== undefined) return false
    frames.pop()
  }
  return frames.at(-1)!.indent === indent
}

/** A list may begin in the column of its key; the next key of that column ends it. */
function isLeft(frame: Frame, indent: number, isItem: boolean): boolean {
  return frame.indent > indent || (frame.indent === indent && Array.isArray(frame.into) && !isItem)
}

function readItem(
  state: State,
  { indent, content, into }: { indent: number; content: string; into: YamlValue[] },
): boolean {
  if (content !== '-' && !content.startsWith('- ')) return false
  const key = into.push('') - 1
  return readInline(state, { indent, isItem: true, into, key }, content.slice(2))
}

/** Reads what stands behind a hyphen or a lone colon, which may begin a collection on the same line. */
function readInline(state: State, open: Open, rest: string): boolean {
  const content = rest.trimStart()
  if (content === '') return readValue(state, open, '')
  const indent = open.indent + 2 + (rest.length - content.length)
  const beginsCollection = content.startsWith('- ') || splitKey(content) !== undefined
  if (!beginsCollection) return readValue(state, open, content)
  state.open = open
  return readContent(state, indent, content)
}

function readValue(state: State, open: Open, text: string): boolean {
  if (text === '') state.open = open
  else if (text.charCodeAt(0) === BAR && /^[|][+-]?$/.test(text)) {
    state.open = open
    state.literal = text
  } else {
    const value = toFlowOrScalar(text)
    if (value === undefined) return false
    put(open, value)
  }
  return true
}

function put({ into, key }: Open, value: YamlValue): void {
  if (Array.isArray(into)) into[key as number] = value
  else into[key as string] = value
}

/** Splits `key: value`; the value is empty if nothing follows. */
function splitKey(content: string): { key: string; rest: string } | undefined {
  const quoted = endOfQuoted(content)
  let end = quoted
  if (quoted === undefined) {
    end = content.endsWith(':') ? content.length - 1 : -1
    const colon = content.indexOf(': ')
    if (colon !== -1) end = colon
  }
  if (end === undefined || end <= 0 || content[end] !== ':' || content[end - 1] === ' ') return undefined
  if (end + 1 < content.length && content[end + 1] !== ' ') return undefined
  const key = toScalar(content.slice(0, end))
  return key === undefined || key === MERGE ? undefined : { key, rest: content.slice(end + 1).trim() }
}

/** Returns the offset behind a quoted scalar at the beginning; undefined without one. */
function endOfQuoted(text: string, start = 0): number | undefined {
  const first = text.charCodeAt(start)
  if (first !== QUOTE && first !== APOSTROPHE) return undefined
  if (first === APOSTROPHE) {
    for (let at = start + 1; at < text.length; at++) {
      if (text[at] !== "'") continue
      if (text[at + 1] !== "'") return at + 1
      at++
    }
  }
  if (first === QUOTE) {
    for (let at = start + 1; at < text.length; at++) {
      if (text[at] === '\\') at++
      else if (text[at] === '"') return at + 1
    }
  }
  return undefined
}

/** Characters that begin something else than a plain scalar. */
const SPECIAL = /^[-?:](?:\s|$)|^[,[\]{}#&*!|>'"%@`]|^(?:---|\.\.\.)(?: |$)/
/** One for the codes of characters that begin a plain scalar. */
const isOrdinary = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w^~<=/(+$]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/** Reads a scalar that takes the whole text; undefined if it is none. */
function toScalar(text: string): string | undefined {
  const end = endOfQuoted(text)
  if (end !== undefined) return end === text.length ? unquoted(text) : undefined
  if (isOrdinary[text.charCodeAt(0)] !== 1 && SPECIAL.test(text)) return undefined
  return isPlain(text) ? text : undefined
}

/** Returns false for text with a comment, or with a colon that ends a key. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COLON && (at + 1 === text.length || text.charCodeAt(at + 1) === SPACE)) return false
    if (code === SPACE && text.charCodeAt(at + 1) === HASH) return false
  }
  return true
}

function unquoted(text: string): string | undefined {
  if (text[0] === "'") return text.slice(1, -1).replaceAll("''", "'")
  // Only the escapes that JSON has too.
  if (/\\[^"\\/bfnrt]/.test(text.replaceAll('\\\\', ''))) return undefined
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}

function toFlowOrScalar(text: string): YamlValue | undefined {
  if (text[0] !== '{' && text[0] !== '[') return toScalar(text)
  const flow = readFlow(text, 0, 1)
  return flow !== undefined && flow.end === text.length ? flow.value : undefined
}

/** Reads a flow collection that begins at an offset. */
function readFlow(text: string, start: number, depth: number): { value: YamlValue; end: number } | undefined {
  if (depth > MAX_DEPTH) return undefined
  const isMap = text[start] === '{'
  const close = isMap ? '}' : ']'
  const into: YamlMap | YamlValue[] = isMap ? newMap() : []
  let at = start + 1
  while (text[at] === ' ') at++
  if (text[at] === close) return { value: into, end: at + 1 }
  for (;;) {
    let key: string | undefined
    if (isMap) {
      const found = readFlowScalar(text, at)
      if (found === undefined || found.value === MERGE) return undefined
      if (text[found.end] !== ':' || text[found.end + 1] !== ' ') return undefined
      key = found.value
      at = found.end + 2
      while (text[at] === ' ') at++
    }
    const isFlow = text[at] === '{' || text[at] === '['
    const found = isFlow ? readFlow(text, at, depth + 1) : readFlowScalar(text, at)
    if (found === undefined || (key !== undefined && key in into)) return undefined
    if (Array.isArray(into)) into.push(found.value)
    else into[key!] = found.value
    at = found.end
    while (text[at] === ' ') at++
    if (text[at] === close) return { value: into, end: at + 1 }
    if (text[at] !== ',' || text[at + 1] !== ' ') return undefined
    at += 2
    while (text[at] === ' ') at++
  }
}

const FLOW_END = /[,[\]{}]| ?:(?= )/g

/** Reads a scalar up to a comma, a bracket or a colon with a space behind it. */
function readFlowScalar(text: string, start: number): { value: string; end: number } | undefined {
  const quoted = endOfQuoted(text, start)
  FLOW_END.lastIndex = start
  const end = quoted ?? FLOW_END.exec(text)?.index ?? text.length
  const value = toScalar(text.slice(start, end).trimEnd())
  return value === undefined || (quoted === undefined && value === '') ? undefined : { value, end }
}

/** Returns the line behind a block of text whose lines are indented more than its key. */
function endOfLiteral(lines: readonly string[], start: number, indent: number): number {
  let end = start
  while (end < lines.length) {
    const line = lines[end]!
    if (line.trim() !== '' && line.search(/[^ ]/) <= indent) break
    end++
  }
  return end
}

/** Joins a literal block; undefined if its lines are not indented alike. */
function toLiteral(lines: readonly string[], header: string): string | undefined {
  const first = lines.find((line) => line.trim() !== '')
  if (first === undefined || lines.some((line) => line.includes('\r'))) return undefined
  const indent = first.search(/[^ ]/)
  const shown: string[] = []
  for (const line of lines) {
    const isBlank = line.trim() === ''
    if (!isBlank && line.search(/[^ ]/) < indent) return undefined
    if (isBlank && line.length > indent) return undefined
    shown.push(isBlank ? '' : line.slice(indent))
  }
  const text = `${shown.join('\n')}\n`
  if (header === '|+') return undefined
  const trimmed = text.replace(/\n+$/, '')
  return header === '|-' ? trimmed : `${trimmed}\n`
}
