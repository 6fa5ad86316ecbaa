import { findJsonFault, nestsDeeperThan } from './json-fault.ts'
import { Unreadable } from './unreadable.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** One of the sent files. */
export interface Source {
  readonly file: 'target' | number
  readonly text: string
}

const maxDepth = 1_000
/** Below this size even deeply nested text parses in a quarter of a second. */
const depthMattersAboveLength = 3_000_000

/**
 * Parses the object of a JSON file. Like npm, skips a byte order mark and takes the last of several equal keys. Keys
 * such as `__proto__` are plain own members: read them with `Object.entries` or `Object.hasOwn`, never by merging.
 */
export function parseJsonObject({ file, text }: Source): JsonObject {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (json.trim() === '') throw new Unreadable('The file is empty', { file, line: 1 })
  if (json.length > depthMattersAboveLength && nestsDeeperThan(json, maxDepth)) {
    throw new Unreadable(`Depth limit of ${maxDepth} exceeded`, { file })
  }
  const value = parse(json, file)
  if (isObject(value)) return value
  throw new Unreadable(`Expected an object, not ${nameOf(value)}`, { file, line: 1 })
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the member's text; undefined if it is absent, empty or not a string. */
export function textOf(object: JsonObject, key: string): string | undefined {
  const value = ownValue(object, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function ownValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Returns the member as an object; undefined if absent, null or an empty array (which old tools wrote for "none"). */
export function objectAt(object: JsonObject, key: string, where: Where): JsonObject | undefined {
  const value = ownValue(object, key)
  if (isObject(value)) return value
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return undefined
  throw new Unreadable(`${describe(where, key)} must be an object, not ${nameOf(value)}`, { file: where.file })
}

const NO_RANGES: [string, string][] = []

/** Returns name and range of each dependency in the member. */
export function rangesAt(object: JsonObject, key: string, where: Where): readonly [string, string][] {
  const ranges = objectAt(object, key, where)
  if (ranges === undefined) return NO_RANGES
  return Object.entries(ranges).map(([name, range]) => {
    if (typeof range === 'string') return [name, range]
    throw new Unreadable(`${describe(where, key)} must give a range for "${shorten(name)}", not ${nameOf(range)}`, {
      file: where.file,
    })
  })
}

/** A place in a file, for messages. */
export interface Where {
  readonly file: 'target' | number
  /** E.g. a lockfile entry's name; empty for members of the file itself. */
  readonly entry: string
}

/** Escapes what is not ASCII, as some writers of JSON do. */
export function toAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Shortens untrusted text for a message to one line. */
export function shorten(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 117)}…`
}

function parse(json: string, file: 'target' | number): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    const offset = findJsonFault(json) ?? json.length
    const before = json.slice(0, offset)
    const line = before.split('\n').length
    const column = offset - before.lastIndexOf('\n')
    const what = offset >= json.length ? 'unexpected end of the text' : `unexpected ${JSON.stringify(json[offset])}`
    throw new Unreadable(`Invalid JSON: ${what} at line ${line}, column ${column}`, { file, line, cause })
  }
}

function describe({ entry }: Where, key: string): string {
  return entry === '' ? `"${key}"` : `"${key}" of "${shorten(entry)}"`
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
