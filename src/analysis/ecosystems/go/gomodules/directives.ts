import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'

/** A line of a go.mod or go.work: a verb with its arguments, also from inside a block. */
export interface Directive {
  readonly verb: string
  readonly values: readonly string[]
  /** The comment after it, without slashes. */
  readonly comment: string
  readonly line: number
}

const MAX_LINES = 200_000
/** Longer comments are cut; longer directives are refused. */
const MAX_CHARACTERS = 10_000

/** Splits a go.mod into directives (golang.org/x/mod/modfile). Throws `Unreadable` where the go command refuses. */
export function parseDirectives(text: string, file: 'target' | number = 'target'): Directive[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n', MAX_LINES + 1)
  if (lines.length > MAX_LINES) throw new Unreadable(`The file has more than ${MAX_LINES} lines`, { file })
  const directives: Directive[] = []
  let block: { readonly verb: string; readonly line: number } | undefined
  for (const [index, written] of lines.entries()) {
    const line = index + 1
    const { words, comment } = splitLine(written.replace(/\r$/, ''), { file, line })
    const [verb, ...rest] = words
    if (verb === undefined) continue
    if (block !== undefined) {
      if (verb === ')' && rest.length === 0) block = undefined
      else directives.push({ verb: block.verb, values: words, comment, line })
    } else if (rest.at(-1) === '(') {
      if (rest.length > 1) throw new Unreadable('A block has more than one name', { file, line })
      block = { verb, line }
    } else if (rest.length !== 2 || rest[0] !== '(' || rest[1] !== ')') {
      directives.push({ verb, values: rest, comment, line })
    }
  }
  if (block !== undefined) throw new Unreadable(`The block "${block.verb}" is not closed`, { file, line: block.line })
  return directives
}

interface SourcePosition {
  readonly file: 'target' | number
  readonly line: number
}

const WORD = /\s*(?:(\/\/.*)|("(?:[^"\\\n]|\\.)*")|(`[^`]*`)|([()[\]{},])|((?:(?!\/\/)[^\s()[\]{},"`])+)|(\S))/y

function splitLine(written: string, place: SourcePosition): { words: string[]; comment: string } {
  const words: string[] = []
  const text = written.slice(0, MAX_CHARACTERS)
  if (text.length < written.length && !text.includes('//')) throw new Unreadable('The line is too long', place)
  WORD.lastIndex = 0
  for (;;) {
    const [, comment, quoted, raw, punctuation, word, other] = WORD.exec(text) ?? []
    if (comment !== undefined) return { words, comment: comment.slice(2).trim() }
    if (quoted !== undefined) words.push(unquote(quoted, place))
    else if (raw !== undefined) words.push(raw.slice(1, -1))
    else if (punctuation !== undefined || word !== undefined) words.push((punctuation ?? word)!)
    else if (other !== undefined) throw new Unreadable(`Unexpected text: ${shorten(text)}`, place)
    else return { words, comment: '' }
    if (word?.includes('/*')) throw new Unreadable('A comment must begin with //', place)
  }
}

function unquote(quoted: string, place: SourcePosition): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    throw new Unreadable(`Invalid quoted string: ${shorten(quoted)}`, place)
  }
}
