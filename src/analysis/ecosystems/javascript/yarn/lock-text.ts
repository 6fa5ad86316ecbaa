import { shorten } from '#analysis/documents/json-document.ts'
import { linesOf } from '#analysis/documents/text-lines.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'

export type Member = string | Block
export type Block = ReadonlyMap<string, Member>

/** A block at the left margin. */
export interface TopBlock {
  /** The written text; in Berry's form several descriptors in one. */
  readonly keys: readonly string[]
  readonly members: Block
  readonly line: number
}

const maxDepth = 8
const [TAB, SPACE, QUOTE, HASH, COMMA, COLON, BACKSLASH] = [9, 32, 34, 35, 44, 58, 92]
/** First characters of other YAML syntax. */
const refusedFirst = new Set(Array.from("'[{&*!|>%@`", (character) => character.charCodeAt(0)))

/**
 * Parses both kinds of yarn.lock into nested names and texts, in the forms that Yarn writes: two spaces per level; bare
 * or JSON-quoted names and values; block names end with a colon. A value follows its name after a space (v1), or after
 * a colon and a space (berry, a subset of YAML with long names as `? name`). Refuses other syntax with its line. Of
 * duplicate names the last counts, as in Yarn.
 */
export function readBlocks(text: string, syntax: 'v1' | 'berry', file: 'target' | number): TopBlock[] {
  const isBerry = syntax === 'berry'
  const blocks: TopBlock[] = []
  const stack: Map<string, Member>[] = []
  let longName: string | undefined
  let number = 0
  for (const line of linesOf(text, file)) {
    number++
    let indent = 0
    while (line.charCodeAt(indent) === SPACE) indent++
    const content = line.slice(indent).trimEnd()
    if (content === '' || content.charCodeAt(0) === HASH) continue
    if (indent === 0 && /^(?:<{7}|={7}|>{7})/.test(content)) throw fault('unresolved merge conflict')
    const depth = indent / 2
    if (depth % 1 !== 0 || depth > stack.length || content.charCodeAt(0) === TAB) throw fault('wrong indentation')
    if (depth > maxDepth) throw fault(`depth limit of ${maxDepth} exceeded`)
    stack.length = depth
    if (isBerry && longName === undefined && content.startsWith('? ')) longName = content.slice(2)
    else {
      readLine(longName === undefined ? content : longName + content, stack.at(-1))
      longName = undefined
    }
  }
  return blocks

  function readLine(content: string, into: Map<string, Member> | undefined): void {
    const keys: string[] = []
    for (let at = 0; ; ) {
      const end = endOfName(content, at)
      const name = toText(content.slice(at, end))
      if (end === content.length - 1 && content.charCodeAt(end) === COLON) {
        const members = new Map<string, Member>()
        if (into === undefined) blocks.push({ keys: [...keys, name], members, line: number })
        else into.set(name, members)
        stack.push(members)
        return
      }
      if (into === undefined) {
        if (isBerry || !content.startsWith(', ', end)) throw unexpected(content)
        keys.push(name)
        at = end + 2
        continue
      }
      const start = isBerry ? end + 1 : end
      if (content.charCodeAt(start) !== SPACE || start >= content.length) throw unexpected(content)
      into.set(name, toText(content.slice(start + 1).trimStart()))
      return
    }
  }

  function endOfName(content: string, start: number): number {
    const end = content.charCodeAt(start) === QUOTE ? endOfQuoted(content, start) : endOfBare(content, start)
    if (end === start) throw unexpected(content)
    return end
  }

  function endOfQuoted(content: string, start: number): number {
    for (let at = start + 1; at < content.length; at++) {
      const code = content.charCodeAt(at)
      if (code === BACKSLASH) at++
      else if (code === QUOTE) return at + 1
    }
    throw fault('unterminated string')
  }

  function endOfBare(content: string, start: number): number {
    for (let at = start; at < content.length; at++) {
      const code = content.charCodeAt(at)
      if (code === COLON && (!isBerry || at === content.length - 1 || content.charCodeAt(at + 1) === SPACE)) return at
      if (!isBerry && (code === SPACE || code === TAB || code === COMMA)) return at
    }
    return content.length
  }

  function toText(token: string): string {
    if (token.charCodeAt(0) !== QUOTE) {
      if (isBerry && refusedFirst.has(token.charCodeAt(0))) throw unexpected(token)
      return token
    }
    if (!token.includes('\\') && token.indexOf('"', 1) === token.length - 1) return token.slice(1, -1)
    try {
      return JSON.parse(token) as string
    } catch (cause) {
      throw fault(`unexpected ${shorten(token)}`, cause)
    }
  }

  function unexpected(content: string): Unreadable {
    return fault(`unexpected "${shorten(content)}"`)
  }

  function fault(what: string, cause?: unknown): Unreadable {
    return new Unreadable(`Invalid yarn.lock: ${what} at line ${number}`, { file, line: number, cause })
  }
}

/** Returns the member's text; undefined if it is absent, empty or a block. */
export function textAt(block: Block, name: string): string | undefined {
  const member = block.get(name)
  return typeof member === 'string' && member !== '' ? member : undefined
}

/** Returns the member's block; empty if it is absent or a text. */
export function blockAt(block: Block, name: string): Block {
  const member = block.get(name)
  return member === undefined || typeof member === 'string' ? nothing : member
}

const nothing: Block = new Map()
