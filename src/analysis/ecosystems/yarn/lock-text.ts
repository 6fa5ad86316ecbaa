import { Unreadable } from '../ecosystem.ts'
import { shorten } from '../npm/json-document.ts'
import { linesOf } from '../text-lines.ts'

export type Member = string | Block
export type Block = ReadonlyMap<string, Member>

/** A block that begins at the left margin. */
export interface TopBlock {
  /** As written, in yarn's berry form several descriptors in one. */
  readonly keys: readonly string[]
  readonly members: Block
  readonly line: number
}

interface Open {
  readonly members: Map<string, Member>
  readonly depth: number
}

const maxDepth = 8

/**
 * The text of both kinds of yarn.lock as nested names and texts. Yarn writes them itself, and only in these forms:
 * two spaces for each level; names and values bare or in JSON's quotes; a block's name ends with a colon. Values follow
 * their name after a space (v1), or after a colon and a space (berry, a subset of YAML that writes names too long for a
 * simple key as `? name`). Anything else is refused with its line. Names that come twice: the last counts, as for yarn.
 */
export function readBlocks(text: string, syntax: 'v1' | 'berry', file: 'target' | number): TopBlock[] {
  const blocks: TopBlock[] = []
  const stack: Open[] = []
  let longName: string | undefined
  let number = 0
  for (const written of linesOf(text, file)) {
    number++
    const line = written.trimEnd()
    const content = line.trimStart()
    if (content === '' || content.startsWith('#')) continue
    if (/^(?:<{7}|={7}|>{7})/.test(line)) throw fault('it holds an unresolved merge conflict')
    const indent = line.length - content.length
    const depth = indent / 2
    if (depth % 1 !== 0 || depth > stack.length || line.slice(0, indent).includes('\t'))
      throw fault('wrong indentation')
    if (depth > maxDepth) throw fault(`it nests deeper than ${maxDepth} levels`)
    stack.length = depth
    if (syntax === 'berry' && longName === undefined && content.startsWith('? ')) {
      longName = content.slice(2)
      continue
    }
    const whole: string = longName === undefined ? content : `${longName}${content}`
    longName = undefined
    const { names, value } = split(whole)
    if (value === undefined) {
      const opened: Open = { members: new Map(), depth }
      if (depth === 0) blocks.push({ keys: names, members: opened.members, line: number })
      else for (const name of names) stack.at(-1)!.members.set(name, opened.members)
      stack.push(opened)
    } else if (depth === 0) {
      throw fault(`unexpected "${shorten(content)}"`)
    } else for (const name of names) stack.at(-1)!.members.set(name, value)
  }
  return blocks

  function split(content: string): { names: string[]; value: string | undefined } {
    const names: string[] = []
    for (let at = 0; ; ) {
      const end = endOfName(content, at)
      names.push(toText(content.slice(at, end)))
      const rest = content.slice(end)
      if (rest === ':') return { names, value: undefined }
      if (syntax === 'v1' && rest.startsWith(', ')) {
        at = end + 2
        continue
      }
      const separator = syntax === 'v1' ? ' ' : ': '
      if (!rest.startsWith(separator)) throw fault(`unexpected "${shorten(content)}"`)
      return { names, value: toText(rest.slice(separator.length).trim()) }
    }
  }

  function endOfName(content: string, start: number): number {
    if (content[start] === '"') return endOfQuoted(content, start)
    const bare = syntax === 'v1' ? /[\s:,]|$/g : /:(?= |$)|$/g
    bare.lastIndex = start
    const end = bare.exec(content)!.index
    if (end === start) throw fault(`unexpected "${shorten(content)}"`)
    return end
  }

  function endOfQuoted(content: string, start: number): number {
    for (let at = start + 1; at < content.length; at++) {
      if (content[at] === '\\') at++
      else if (content[at] === '"') return at + 1
    }
    throw fault('a quote is not closed')
  }

  function toText(token: string): string {
    if (!token.startsWith('"')) {
      if (syntax === 'berry' && /^['[{&*!|>%@`]/.test(token)) throw fault(`unexpected "${shorten(token)}"`)
      return token
    }
    try {
      return JSON.parse(token) as string
    } catch (cause) {
      throw fault(`unexpected ${shorten(token)}`, cause)
    }
  }

  function fault(what: string, cause?: unknown): Unreadable {
    return new Unreadable(`The file is not a yarn.lock: ${what} at line ${number}`, { file, line: number, cause })
  }
}

/** The member's text; undefined when it is absent, empty or a block. */
export function textAt(block: Block, name: string): string | undefined {
  const member = block.get(name)
  return typeof member === 'string' && member !== '' ? member : undefined
}

/** The member's block; an empty one when it is absent or a text. */
export function blockAt(block: Block, name: string): Block {
  const member = block.get(name)
  return member === undefined || typeof member === 'string' ? nothing : member
}

const nothing: Block = new Map()
