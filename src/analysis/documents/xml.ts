import { shorten } from './json-document.ts'
import { Unreadable } from './unreadable.ts'

/** An element with its children; `text` is its own character data, trimmed. */
export interface XmlElement {
  readonly name: string
  readonly children: readonly XmlElement[]
  readonly text: string
  /** The start tag after the name, as it is written; see `attributeOf`. */
  readonly tag: string
  /** Counted from 1. */
  readonly line: number
  /** Offsets of the content between the tags. */
  readonly innerStart: number
  readonly innerEnd: number
}

export interface XmlSource {
  readonly file: 'target' | number
  readonly text: string
}

/** An element that is complete once its end tag was read. */
type OpenElement = { -readonly [K in keyof Omit<XmlElement, 'children'>]: XmlElement[K] } & {
  readonly children: OpenElement[]
}

const [EXCLAMATION, QUOTE, APOSTROPHE, SLASH, GREATER, QUESTION] = [0x21, 0x22, 0x27, 0x2f, 0x3e, 0x3f]
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
 * declarations: other entities stay as written and are never expanded. Names keep their prefix, except that of the
 * namespace of POMs, which Maven 4 reads like names without one.
 */
export function parseXml(source: XmlSource): XmlElement {
  return withoutPomPrefix(new XmlReader(source).read())
}

const POM_NAMESPACE = /^https?:\/\/maven\.apache\.org\/POM\//

/** Removes the prefix that the root element binds to the namespace of POMs. */
function withoutPomPrefix(root: OpenElement): XmlElement {
  const length = root.name.indexOf(':') + 1
  const prefix = root.name.slice(0, length)
  if (length === 0 || !POM_NAMESPACE.test(attributeOf(root, `xmlns:${prefix.slice(0, -1)}`) ?? '')) return root
  const open = [root]
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    if (element.name.startsWith(prefix)) element.name = element.name.slice(length)
    open.push(...element.children)
  }
  return root
}

class XmlReader {
  private readonly file: XmlSource['file']
  private readonly text: string
  /** The line of the offset up to which lines were counted. */
  private line = 1
  private countedTo = 0
  /** The elements around `current`. */
  private readonly outer: OpenElement[] = []
  private current: OpenElement | undefined
  private root: OpenElement | undefined
  private elements = 0
  private at: number

  constructor({ file, text }: XmlSource) {
    this.file = file
    this.text = text
    this.at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  }

  read(): OpenElement {
    const { text } = this
    while (this.at < text.length) {
      const next = text.indexOf('<', this.at)
      this.addText(next < 0 ? text.length : next)
      if (next < 0) break
      const sign = text.charCodeAt(next + 1)
      if (sign === SLASH) this.readEndTag()
      else if (sign !== EXCLAMATION && sign !== QUESTION) this.readStartTag()
      else this.readOther(sign)
    }
    const { current } = this
    if (current !== undefined)
      this.fail(`<${shorten(current.name)}> of line ${current.line} is not closed`, text.length)
    return this.root ?? this.fail('no root element', text.length)
  }

  private fail(message: string, offset: number): never {
    throw new Unreadable(`The file is not XML: ${message}`, { file: this.file, line: this.lineAt(offset) })
  }

  /** Counts the lines up to an offset, which is never before the last one. */
  private lineAt(offset: number): number {
    for (; this.countedTo < offset; this.countedTo++) if (this.text[this.countedTo] === '\n') this.line++
    return this.line
  }

  /** Adds the text up to the next tag. */
  private addText(upTo: number): void {
    const { text } = this
    const start = this.current?.text === '' ? endOfSpace(text, this.at, upTo) : this.at
    this.at = upTo
    if (upTo > start) this.add(decodeEntities(text.slice(start, upTo)), start)
  }

  private add(value: string, offset: number): void {
    const { current } = this
    // Elements of elements have only blanks between them.
    if (current !== undefined) current.text += current.text === '' ? value.trimStart() : value
    else if (value.trim() !== '') this.fail('text outside of the root element', offset)
  }

  private readEndTag(): void {
    const { text, current, at } = this
    const end = this.endOf('>', at, 'end tag')
    const name = text.slice(at + 2, end).trim()
    if (current === undefined) this.fail(`unmatched </${shorten(name)}>`, at)
    if (current.name !== name)
      this.fail(`</${shorten(name)}> where <${shorten(current.name)}> of line ${current.line} is open`, at)
    this.close(at)
    this.at = end + 1
  }

  private close(end: number): void {
    const element = this.current!
    element.text = element.text.trimEnd()
    element.innerEnd = end
    this.current = this.outer.pop()
    if (this.current === undefined) this.root = element
    else this.current.children.push(element)
  }

  private readStartTag(): void {
    const { text, at } = this
    const end = endOfTag(text, at + 1)
    if (end < 0) this.fail('unterminated tag', at)
    const isEmpty = text.charCodeAt(end - 1) === SLASH
    const tagEnd = isEmpty ? end - 1 : end
    const name = nameOf(text, at + 1, tagEnd)
    if (name === '') this.fail("expected a name after '<'", at)
    if (this.root !== undefined) this.fail('a second root element', at)
    if (this.current !== undefined && this.outer.push(this.current) === MAX_DEPTH) {
      this.fail(`the elements exceed the depth limit of ${MAX_DEPTH}`, at)
    }
    if (++this.elements > MAX_ELEMENTS) this.fail(`more than ${MAX_ELEMENTS} elements`, at)
    const tag = text.slice(at + 1 + name.length, tagEnd)
    const inner = { innerStart: end + 1, innerEnd: end + 1 }
    this.current = { name, tag, line: this.lineAt(at), ...inner, children: [], text: '' }
    if (isEmpty) this.close(end + 1)
    this.at = end + 1
  }

  /** Reads comments, CDATA, processing instructions and document types. */
  private readOther(sign: number): void {
    const { text, at } = this
    if (sign === QUESTION) this.at = this.endOf('?>', at + 2, 'processing instruction') + 2
    else if (text.startsWith('<!--', at)) this.at = this.endOf('-->', at + 4, 'comment') + 3
    else if (text.startsWith('<![CDATA[', at)) {
      const end = this.endOf(']]>', at + 9, 'CDATA section')
      this.add(text.slice(at + 9, end), at)
      this.at = end + 3
    } else {
      const isFirst = text.startsWith('<!DOCTYPE', at) && this.current === undefined
      const end = isFirst ? endOfDocumentType(text, at) : -1
      if (end < 0) this.fail('misplaced or unterminated declaration', at)
      this.at = end + 1
    }
  }

  private endOf(closing: string, from: number, what: string): number {
    const end = this.text.indexOf(closing, from)
    return end < 0 ? this.fail(`unterminated ${what}`, this.at) : end
  }
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
    const start = endOfSpace(tag, equals + 1, tag.length)
    const quote = tag[start]
    const end = quote === '"' || quote === "'" ? tag.indexOf(quote, start + 1) : -1
    if (end < 0) return undefined
    const nameStart = endOfSpace(tag, at, equals)
    if (tag.startsWith(name, nameStart) && endOfSpace(tag, nameStart + name.length, equals) === equals)
      return decodeEntities(tag.slice(start + 1, end))
    at = end + 1
  }
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
