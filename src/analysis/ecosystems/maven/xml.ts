import { Unreadable } from '../ecosystem.ts'

/** An element with its children; `text` is its own character data, trimmed. */
export interface XmlElement {
  readonly name: string
  readonly children: readonly XmlElement[]
  readonly text: string
  /** The start tag after the name, as it is written; see `attributeOf`. */
  readonly tag: string
  /** Counted from 1. */
  readonly line: number
  /** Offsets of what is between the tags. */
  readonly inner: readonly [start: number, end: number]
}

export interface XmlSource {
  readonly file: 'target' | number
  readonly text: string
}

/** An element that is complete once its end tag was read. */
interface OpenElement extends XmlElement {
  children: XmlElement[]
  text: string
  inner: [start: number, end: number]
}

/** The children of elements that have none, which are most. */
const NO_CHILDREN: XmlElement[] = []

const [QUOTE, APOSTROPHE, GREATER] = [0x22, 0x27, 0x3e]
const MAX_DEPTH = 100
const MAX_ELEMENTS = 400_000
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

/**
 * Parses the root element of an XML 1.0 document, as far as project files use XML: elements, text, CDATA, comments,
 * processing instructions, the five predefined entities and character references. Skips a document type with its
 * declarations: other entities stay as written and are never expanded. Names keep their prefix.
 */
export function parseXml({ file, text }: XmlSource): XmlElement {
  const open: OpenElement[] = []
  let root: XmlElement | undefined
  let elements = 0
  let line = 1
  let nextBreak = text.indexOf('\n')
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0

  const lineAt = (offset: number): number => {
    for (; nextBreak >= 0 && nextBreak < offset; nextBreak = text.indexOf('\n', nextBreak + 1)) line++
    return line
  }
  const fail = (message: string, offset: number): never => {
    throw new Unreadable(`The file is not XML: ${message}`, { file, line: lineAt(offset) })
  }
  const endOf = (closing: string, from: number, what: string): number => {
    const end = text.indexOf(closing, from)
    return end < 0 ? fail(`${what} without an end`, at) : end
  }
  const add = (value: string, offset: number): void => {
    const current = open.at(-1)
    // Elements of elements have only blanks between them.
    if (current !== undefined) current.text += current.text === '' ? value.trimStart() : value
    else if (value.trim() !== '') fail('text outside of the root element', offset)
  }
  const close = (end: number): void => {
    const element = open.pop()!
    element.text = element.text.trimEnd()
    element.inner[1] = end
    const parent = open.at(-1)
    if (parent === undefined) root = element
    else if (parent.children === NO_CHILDREN) parent.children = [element]
    else parent.children.push(element)
  }

  while (at < text.length) {
    const next = text.indexOf('<', at)
    const upTo = next < 0 ? text.length : next
    const start = open.at(-1)?.text === '' ? endOfSpace(text, at, upTo) : at
    if (upTo > start) add(decodeEntities(text.slice(start, upTo)), start)
    at = upTo
    if (next < 0) break
    const sign = text[at + 1]
    if (sign === '/') {
      const end = endOf('>', at, 'an end tag')
      const name = text.slice(at + 2, end).trim()
      const current = open.at(-1)
      if (current === undefined) fail(`</${shorten(name)}> ends nothing`, at)
      else if (current.name !== name) {
        fail(`</${shorten(name)}> where <${shorten(current.name)}> of line ${current.line} is open`, at)
      }
      close(at)
      at = end + 1
    } else if (sign !== '!' && sign !== '?') {
      const end = endOfTag(text, at + 1)
      if (end < 0) fail('a tag without an end', at)
      const isEmpty = text[end - 1] === '/'
      const name = nameOf(text, at + 1, isEmpty ? end - 1 : end)
      if (name === '') fail('a tag without a name', at)
      if (root !== undefined) fail('a second root element', at)
      if (open.length === MAX_DEPTH) fail(`elements nest deeper than ${MAX_DEPTH} levels`, at)
      if (++elements > MAX_ELEMENTS) fail(`it has more than ${MAX_ELEMENTS} elements`, at)
      const tag = text.slice(at + 1 + name.length, isEmpty ? end - 1 : end)
      open.push({ name, children: NO_CHILDREN, text: '', tag, line: lineAt(at), inner: [end + 1, end + 1] })
      if (isEmpty) close(end + 1)
      at = end + 1
    } else if (sign === '?') at = endOf('?>', at + 2, 'a processing instruction') + 2
    else if (text.startsWith('<!--', at)) at = endOf('-->', at + 4, 'a comment') + 3
    else if (text.startsWith('<![CDATA[', at)) {
      const end = endOf(']]>', at + 9, 'a CDATA section')
      add(text.slice(at + 9, end), at)
      at = end + 3
    } else {
      const end = text.startsWith('<!DOCTYPE', at) && open.length === 0 ? endOfDocumentType(text, at) : -1
      if (end < 0) fail('a declaration where none belongs, or without an end', at)
      at = end + 1
    }
  }
  const unclosed = open.at(-1)
  if (unclosed !== undefined)
    return fail(`<${shorten(unclosed.name)}> of line ${unclosed.line} has no end`, text.length)
  return root ?? fail('it has no elements', text.length)
}

/** Returns the first child of that name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name)
}

/** Returns the named children of a list element. */
export function listOf(element: XmlElement | undefined, list: string, name: string): readonly XmlElement[] {
  return childOf(element, list)?.children.filter((child) => child.name === name) ?? []
}

/** Returns the child's text; undefined if the child is missing or empty. */
export function textOf(element: XmlElement | undefined, name: string): string | undefined {
  const text = childOf(element, name)?.text
  return text === '' ? undefined : text
}

/** Returns the value of an attribute; undefined if the element has none of that name. */
export function attributeOf({ tag }: XmlElement, name: string): string | undefined {
  for (let at = 0; ; ) {
    const equals = tag.indexOf('=', at)
    if (equals < 0) return undefined
    let start = equals + 1
    while (isSpace(tag.charCodeAt(start))) start++
    const quote = tag[start]
    const end = quote === '"' || quote === "'" ? tag.indexOf(quote, start + 1) : -1
    if (end < 0) return undefined
    if (tag.slice(at, equals).trim() === name) return decodeEntities(tag.slice(start + 1, end))
    at = end + 1
  }
}

/** Shortens untrusted text for a message to one line. */
export function shorten(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 117)}…`
}

/** Returns the position of the tag's `>`, skipping attribute values. */
function endOfTag(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === GREATER) return at
    if (code !== QUOTE && code !== APOSTROPHE) continue
    at = text.indexOf(code === QUOTE ? '"' : "'", at + 1)
    if (at < 0) return -1
  }
  return -1
}

function endOfSpace(text: string, start: number, end: number): number {
  let at = start
  while (at < end && isSpace(text.charCodeAt(at))) at++
  return at
}

/** Returns the position of the `>` that ends a document type, skipping declarations, quoted texts and comments. */
function endOfDocumentType(text: string, start: number): number {
  let isInside = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '>' && !isInside) return at
    if (character === '[') isInside = true
    else if (character === ']') isInside = false
    else if (text.startsWith('<!--', at)) at = text.indexOf('-->', at + 4)
    else if (character === '"' || character === "'") at = text.indexOf(character, at + 1)
    if (at < 0) return -1
  }
  return -1
}

function nameOf(text: string, start: number, end: number): string {
  let at = start
  while (at < end && !isSpace(text.charCodeAt(at))) at++
  return text.slice(start, at)
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x?)?([0-9A-Za-z]{1,10});/g, (whole, prefix: string | undefined, name: string) => {
    if (prefix === undefined) return ENTITIES.get(name) ?? whole
    const code = Number.parseInt(name, prefix === '#x' ? 16 : 10)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
