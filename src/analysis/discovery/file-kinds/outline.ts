import { type JsonObject, parseJsonObject } from '#analysis/documents/json-document.ts'
import { childOf, parseXml, type XmlElement } from '#analysis/documents/xml.ts'

/** Lazy views of a file's text for detectors. */
export interface Outline {
  /** Without a byte order mark. */
  readonly text: string
  /** The beginning, up to the end of a line; detectors search only here. */
  readonly head: string
  /** The notation of the first character. */
  readonly form: 'blank' | 'json' | 'xml' | 'text'
  /** Parses a JSON object; undefined for other JSON and invalid text. */
  json(): JsonObject | undefined
  /** Parses the root element; undefined if malformed. */
  xml(): XmlElement | undefined
  /** Returns the root element's start tag with attributes; empty if there is none. */
  rootTag(): string
}

const HEAD_CHARACTERS = 32_000

export function toOutline(written: string): Outline {
  const text = written.charCodeAt(0) === 0xfeff ? written.slice(1) : written
  const head = headOf(text)
  return {
    text,
    head,
    form: formOf(text),
    json: once(() => parseJson(text)),
    xml: once(() => parseRoot(text)),
    rootTag: once(() => /<[A-Za-z_][\w:.-]*(?:\s[^<>]{0,4000}|\/)?>/.exec(head)?.[0] ?? ''),
  }
}

function headOf(text: string): string {
  if (text.length <= HEAD_CHARACTERS) return text
  const end = text.lastIndexOf('\n', HEAD_CHARACTERS)
  return text.slice(0, end > 0 ? end : HEAD_CHARACTERS)
}

function formOf(text: string): Outline['form'] {
  const first = /\S/.exec(text)?.[0]
  if (first === undefined) return 'blank'
  if (first === '{') return 'json'
  return first === '<' && !text.trimStart().startsWith('<<<<') ? 'xml' : 'text'
}

function parseJson(text: string): JsonObject | undefined {
  try {
    return parseJsonObject({ file: 'target', text })
  } catch {
    return undefined
  }
}

function parseRoot(text: string): XmlElement | undefined {
  try {
    return parseXml({ file: 'target', text })
  } catch {
    return undefined
  }
}

export function hasChild(root: XmlElement, ...names: readonly string[]): boolean {
  return names.some((name) => childOf(root, name) !== undefined)
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
