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
  readonly text: string
  readonly frames: Frame[]
  open: Open | undefined
  /** A key written as `? key`, whose value follows after a colon. */
  explicitKey: string | undefined
  /** The header of a literal block, whose text follows on the next lines. */
  literal: string | undefined
}

/** A piece of the text on one line, without spaces at its end. */
interface Piece {
  readonly start: number
  readonly end: number
}

const MAX_DEPTH = 50
/**
 * Creates maps that share a hidden class: those on the second level, and those on one line, whose keys repeat.
 * `Object.create(null)` would make each one a hash table.
 */
function RepeatedMap(this: YamlMap): void {}
RepeatedMap.prototype = Object.freeze(Object.create(null))

function newMap(): YamlMap {
  return new (RepeatedMap as unknown as new () => YamlMap)()
}

/** The merge key, whose value is another map. */
const MERGE = '<<'
const [SPACE, QUOTE, HASH, APOSTROPHE, HYPHEN, COLON, QUESTION, BAR] = [32, 34, 35, 39, 45, 58, 63, 124]
const [OPENING, BACKSLASH, OPENING_BRACE, RETURN] = [91, 92, 123, 13]
/** Matches most lockfiles, in half the time of `UNREAD`. */
const ASCII = /^[\n -~]*$/
/** Tabs, control characters and lone carriage returns. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const UNREAD = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)/

/**
 * Reads the part of YAML that package managers write: block maps and lists, scalars on one line, literal blocks of
 * text, and flow collections on one line. Returns undefined for anything else, including duplicate keys, which the full
 * parser judges (yaml.ts). Takes a tenth of that parser's time, because it copies only keys and values out of the text.
 */
export function readPlainYaml(text: string): YamlMap | undefined {
  if (!ASCII.test(text) && UNREAD.test(text)) return undefined
  const root: YamlMap = Object.create(null)
  const state: State = {
    text,
    frames: [{ indent: 0, into: root }],
    open: undefined,
    explicitKey: undefined,
    literal: undefined,
  }
  for (let at = 0, next = 0; at < text.length; at = next) {
    next = endOfLine(text, at) + 1
    const start = endOfSpaces(text, at)
    const end = trimmedEnd(text, start, next - 1)
    if (start >= end || text.charCodeAt(start) === HASH) continue
    if (!readContent(state, start - at, { start, end })) return undefined
    if (state.literal === undefined) continue
    const lines = linesOfLiteral(text, next, state.frames.at(-1)!.indent)
    const value = toLiteral(lines, state.literal)
    if (value === undefined) return undefined
    put(state.open!, value)
    state.open = undefined
    state.literal = undefined
    for (const line of lines) next += line.length + 1
  }
  if (state.explicitKey !== undefined) return undefined
  if (state.open !== undefined) put(state.open, '')
  return Object.keys(root).length === 0 ? undefined : root
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end === -1 ? text.length : end
}

function endOfSpaces(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) === SPACE) at++
  return at
}

/** Returns the end of a line without trailing spaces and the carriage return. */
function trimmedEnd(text: string, start: number, lineEnd: number): number {
  let end = lineEnd
  while (end > start && (text.charCodeAt(end - 1) === SPACE || text.charCodeAt(end - 1) === RETURN)) end--
  return end
}

/** Reads the content of a line that begins in the column `indent`; false for unsupported content. */
function readContent(state: State, indent: number, content: Piece): boolean {
  if (!enter(state, indent, content)) return false
  const { text } = state
  const { start, end } = content
  const { into } = state.frames.at(-1)!
  if (Array.isArray(into)) return readItem(state, { indent, content, into })
  if (state.explicitKey !== undefined) {
    const key = state.explicitKey
    if (!beginsWith(text, COLON, content)) return false
    state.explicitKey = undefined
    return readInline(state, { indent, isItem: false, into, key }, { start: start + 2, end })
  }
  if (start + 1 < end && beginsWith(text, QUESTION, content)) {
    const key = toWholeScalar(text, { start: start + 2, end })
    if (key === undefined || key === MERGE || has(into, key)) return false
    state.explicitKey = key
    return true
  }
  const keyEnd = endOfKey(text, content)
  const key = toKey(text, start, keyEnd)
  if (key === undefined || has(into, key)) return false
  return readValue(state, { indent, isItem: false, into, key }, { start: endOfSpaces(text, keyEnd + 1), end })
}

/** Returns true if the piece begins with the sign, followed by a space or nothing. */
function beginsWith(text: string, sign: number, { start, end }: Piece): boolean {
  return text.charCodeAt(start) === sign && (start + 1 === end || text.charCodeAt(start + 1) === SPACE)
}

/** Finds the collection of a line: a new one, or an open one in this column. */
function enter(state: State, indent: number, content: Piece): boolean {
  const { frames, open } = state
  const isItem = beginsWith(state.text, HYPHEN, content)
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

/**
 * Returns true if a line ends the collection. A list may begin in the column of its key; the next key there ends it.
 */
function isLeft(frame: Frame, indent: number, isItem: boolean): boolean {
  return frame.indent > indent || (frame.indent === indent && Array.isArray(frame.into) && !isItem)
}

function readItem(
  state: State,
  { indent, content, into }: { indent: number; content: Piece; into: YamlValue[] },
): boolean {
  if (!beginsWith(state.text, HYPHEN, content)) return false
  const key = into.push('') - 1
  return readInline(state, { indent, isItem: true, into, key }, { start: content.start + 2, end: content.end })
}

/** Reads the text after a hyphen or a lone colon, which may begin a collection on the same line. */
function readInline(state: State, open: Open, { start, end }: Piece): boolean {
  const { text } = state
  const content = { start: endOfSpaces(text, start), end }
  const isKey = content.start < end && toKey(text, content.start, endOfKey(text, content)) !== undefined
  const beginsItem = content.start + 1 < end && beginsWith(text, HYPHEN, content)
  if (!isKey && !beginsItem) return readValue(state, open, content)
  state.open = open
  return readContent(state, open.indent + 2 + (content.start - start), content)
}

function readValue(state: State, open: Open, piece: Piece): boolean {
  const { text } = state
  const { start, end } = piece
  if (start >= end) state.open = open
  else if (text.charCodeAt(start) === BAR && /^[|][+-]?$/.test(text.slice(start, end))) {
    state.open = open
    state.literal = text.slice(start, end)
  } else {
    const value = toFlowOrScalar(text, piece)
    if (value === undefined) return false
    put(open, value)
  }
  return true
}

/** Returns true if the map has the key. No value is undefined, and a read takes half the time of `in`. */
function has(map: YamlMap, key: string): boolean {
  return map[key] !== undefined
}

function put({ into, key }: Open, value: YamlValue): void {
  if (Array.isArray(into)) into[key as number] = value
  else into[key as string] = value
}

/** Returns the offset of the colon after a key; -1 without one. */
function endOfKey(text: string, piece: Piece): number {
  const { start, end } = piece
  const at = endOfScalar(text, piece, IN_BLOCK)
  const isKey = at > start && at < end && text.charCodeAt(at) === COLON && text.charCodeAt(at - 1) !== SPACE
  return isKey && (at + 1 === end || text.charCodeAt(at + 1) === SPACE) ? at : -1
}

function toKey(text: string, start: number, end: number): string | undefined {
  const key = end === -1 ? undefined : toScalar(text, start, end)
  return key === MERGE ? undefined : key
}

/** Returns the offset after the scalar at the beginning, if there is one. */
function endOfScalar(text: string, piece: Piece, mayEnd: Uint8Array): number {
  return endOfQuoted(text, piece) ?? endOfPlain(text, piece, mayEnd)
}

/** Returns the offset after a quoted scalar at the beginning; undefined without one. */
function endOfQuoted(text: string, { start, end }: Piece): number | undefined {
  const first = text.charCodeAt(start)
  if (first !== QUOTE && first !== APOSTROPHE) return undefined
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH && first === QUOTE) at++
    else if (code !== first) continue
    else if (first === QUOTE || text.charCodeAt(at + 1) !== APOSTROPHE) return at + 1
    else at++
  }
  return undefined
}

/** Matches beginnings of anything other than a plain scalar. */
const SPECIAL = /^[-?:](?:\s|$)|^[,[\]{}#&*!|>'"%@`]|^(?:---|\.\.\.)(?: |$)/

/** Returns a table by character code: 1 for ASCII characters that match the pattern. */
function toTable(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0))
}

/** Characters that begin a plain scalar. */
const isOrdinary = toTable(/[\w^~<=/(+$]/)
/** Characters at which a plain scalar may end, on a line and in a flow collection. */
const IN_BLOCK = toTable(/[ :]/)
const IN_FLOW = toTable(/[ :,[\]{}]/)

/** Returns the end of a plain scalar: a colon after a key, a space before a comment, or a flow's bracket or comma. */
function endOfPlain(text: string, { start, end }: Piece, mayEnd: Uint8Array): number {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (mayEnd[code] !== 1) continue
    const next = at + 1 === end ? SPACE : text.charCodeAt(at + 1)
    if (code === COLON ? next === SPACE : code !== SPACE || next === HASH) return at
  }
  return end
}

/** Reads a scalar that fills the whole piece; undefined for anything else. */
function toWholeScalar(text: string, piece: Piece): string | undefined {
  const { start, end } = piece
  return endOfScalar(text, piece, IN_BLOCK) === end ? toScalar(text, start, end) : undefined
}

/** Reads the scalar whose end `endOfScalar` found; undefined for anything else. */
function toScalar(text: string, start: number, end: number): string | undefined {
  const first = text.charCodeAt(start)
  if (isOrdinary[first] === 1) return text.charCodeAt(end - 1) === COLON ? undefined : text.slice(start, end)
  const scalar = text.slice(start, end)
  if (endOfQuoted(text, { start, end }) === end) return unquoted(scalar)
  return SPECIAL.test(scalar) || scalar.endsWith(':') ? undefined : scalar
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

function toFlowOrScalar(text: string, piece: Piece): YamlValue | undefined {
  if (!beginsFlow(text, piece.start)) return toWholeScalar(text, piece)
  const flow = readFlow(text, piece, 1)
  return flow !== undefined && flow.end === piece.end ? flow.value : undefined
}

function beginsFlow(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === OPENING || code === OPENING_BRACE
}

/** Reads a flow collection at the beginning of a piece. */
function readFlow(text: string, piece: Piece, depth: number): { value: YamlValue; end: number } | undefined {
  if (depth > MAX_DEPTH) return undefined
  const { start, end } = piece
  const isMap = text.charCodeAt(start) === OPENING_BRACE
  const close = isMap ? '}' : ']'
  const into: YamlMap | YamlValue[] = isMap ? newMap() : []
  let at = endOfSpaces(text, start + 1)
  if (text[at] === close) return { value: into, end: at + 1 }
  for (;;) {
    let key: string | undefined
    if (isMap) {
      const found = readFlowScalar(text, { start: at, end })
      if (found === undefined || found.value === MERGE) return undefined
      if (text[found.end] !== ':' || text[found.end + 1] !== ' ') return undefined
      key = found.value
      at = endOfSpaces(text, found.end + 2)
    }
    const rest = { start: at, end }
    const found = beginsFlow(text, at) ? readFlow(text, rest, depth + 1) : readFlowScalar(text, rest)
    if (found === undefined || (key !== undefined && has(into as YamlMap, key))) return undefined
    if (Array.isArray(into)) into.push(found.value)
    else into[key!] = found.value
    at = endOfSpaces(text, found.end)
    if (text[at] === close) return { value: into, end: at + 1 }
    if (text[at] !== ',' || text[at + 1] !== ' ') return undefined
    at = endOfSpaces(text, at + 2)
  }
}

/** Reads a scalar up to a comma, a bracket or a colon followed by a space. */
function readFlowScalar(text: string, piece: Piece): { value: string; end: number } | undefined {
  const { start } = piece
  if (start >= piece.end) return undefined
  const end = endOfScalar(text, piece, IN_FLOW)
  const value = toScalar(text, start, trimmedEnd(text, start, end))
  return value === undefined || end === start ? undefined : { value, end }
}

/** Returns the lines of a block of text, which are indented more than its key. */
function linesOfLiteral(text: string, start: number, indent: number): string[] {
  const lines: string[] = []
  for (let at = start; at < text.length; ) {
    const line = text.slice(at, endOfLine(text, at))
    if (line.trim() !== '' && line.search(/[^ ]/) <= indent) break
    lines.push(line)
    at += line.length + 1
  }
  return lines
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
