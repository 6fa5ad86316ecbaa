import { marked, type Token, type Tokens } from 'marked'
import { parseSync, Visitor, type VisitorObject } from 'rolldown/utils'

export type TextKind = 'doc comment' | 'comment' | 'string' | 'test title' | 'document' | 'heading'

/** A text of a file, with whitespace collapsed and code replaced by a space. */
export interface Text {
  readonly kind: TextKind
  readonly line: number
  readonly text: string
}

/** Returns the comments and the sentences in strings of a TypeScript file. */
export function textsOfSource(path: string, source: string): Text[] {
  const { comments, program } = parseSync(path, source)
  const lineAt = lineCounter(source)
  const texts: Text[] = comments.flatMap(({ value, start }) => {
    if (/^\s*(?:biome-ignore|@ts-|cspell|\/ <)/.test(value)) return []
    const kind = value.startsWith('*') ? 'doc comment' : 'comment'
    return [{ kind, line: lineAt(start), text: plain(value.replaceAll(/^\s*\*+ ?/gm, ' ')) }]
  })
  const add = (start: number, value: unknown) => {
    if (typeof value !== 'string' || !/[a-z’']+ [a-z]+ [a-z]/i.test(value)) return
    texts.push({ kind: 'string', line: lineAt(start), text: plain(value) })
  }
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (!/\.test\.tsx?$/.test(path) || callee.type !== 'Identifier' || callee.name !== 'test') return
      const [value, start] = beginningOf(title)
      if (value !== undefined) texts.push({ kind: 'test title', line: lineAt(start), text: plain(value) })
    },
    Literal({ start, value }) {
      add(start, value)
    },
    TemplateElement({ start, value }) {
      add(start, value.cooked)
    },
    JSXText({ start, value }) {
      add(start, value)
    },
  }).visit(program)
  return texts
}

type Call = Parameters<NonNullable<VisitorObject['CallExpression']>>[0]

/** Returns a string, or a template up to its first value, and its place. */
function beginningOf(title: Call['arguments'][number] | undefined): [value: string | undefined, start: number] {
  if (title?.type === 'Literal' && typeof title.value === 'string') return [title.value, title.start]
  if (title?.type !== 'TemplateLiteral') return [undefined, 0]
  return [title.quasis[0]!.value.cooked || undefined, title.start]
}

/** Returns the headings, paragraphs, list items and table cells of a Markdown file. */
export function textsOfMarkdown(source: string): Text[] {
  const texts: Text[] = []
  let line = 1
  for (const token of marked.lexer(source)) {
    for (const [kind, text] of proseOf(token))
      texts.push({ kind, line: lineWithin(token.raw, text, line), text: plain(text) })
    line += token.raw.split('\n').length - 1
  }
  return texts
}

function proseOf(token: Token): [TextKind, string][] {
  if (token.type === 'heading') return [['heading', token.text]]
  if (token.type === 'paragraph') return [['document', token.text]]
  if (token.type === 'list') return (token as Tokens.List).items.map(({ text }) => ['document', text])
  if (token.type === 'blockquote') return (token.tokens ?? []).flatMap(proseOf)
  if (token.type !== 'table') return []
  const { header, rows } = token as Tokens.Table
  return [header, ...rows].flatMap((cells) => cells.map(({ text }): [TextKind, string] => ['document', text]))
}

/** The line on which a block's text begins: the block's first line, or a later one for items and cells. */
function lineWithin(raw: string, text: string, first: number): number {
  const at = raw.indexOf(text.split('\n')[0]!)
  return first + (at < 0 ? 0 : raw.slice(0, at).split('\n').length - 1)
}

function plain(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/`[^`]*`/g, '`…`')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function lineCounter(source: string): (offset: number) => number {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index)
  return (offset) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}
