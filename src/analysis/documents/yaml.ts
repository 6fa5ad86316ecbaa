import { type Alias, type Document, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml'
import { readPlainYaml, type YamlMap } from './plain-yaml.ts'
import { Unreadable } from './unreadable.ts'

/** The full parser takes a third of a second for so many. */
const MAX_CHARACTERS = 1_000_000
/** More than people write; each level of nesting takes the parser's stack. */
const MAX_DEPTH = 100
/** The parser looks through the file for each. */
const MAX_ALIASES = 100

/**
 * Parses the map of a YAML 1.2 file with every scalar as text, so that `1.10` is no number. Throws Unreadable for other
 * text, duplicate keys, several documents, deep nesting, many aliases, and for more than 1,000,000 characters of YAML
 * that package managers do not write.
 */
export function parseYaml(written: string, file: 'target' | number): YamlMap {
  const text = written.charCodeAt(0) === 0xfeff ? written.slice(1) : written
  if (text.trim() === '') throw new Unreadable('The file is empty', { file, line: 1 })
  return readPlainYaml(text) ?? parseFully(text, file)
}

function parseFully(text: string, file: 'target' | number): YamlMap {
  if (text.length > MAX_CHARACTERS) {
    const message = `The file is written in YAML that its tool does not write, and longer than the ${MAX_CHARACTERS} characters that are read of it`
    throw new Unreadable(message, { file })
  }
  const { document } = parseYamlDocument(text, file)
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    if (isMap(value)) return value
  } catch (error) {
    // Too many aliases.
    if (!(error instanceof ReferenceError)) throw error
    throw toUnreadable(error.message, file, undefined, error)
  }
  throw new Unreadable('The file holds no map of YAML', { file, line: 1 })
}

/**
 * Parses one YAML document into its nodes, for readers that tell lines. Throws Unreadable for other text, duplicate keys,
 * several documents, deep nesting and many aliases; the caller limits the length.
 */
export function parseYamlDocument(
  text: string,
  file: 'target' | number = 'target',
): { document: Document.Parsed; lineAt(offset: number): number } {
  if (nestsDeep(text)) throw new Unreadable(`The file nests deeper than ${MAX_DEPTH} levels`, { file })
  const lines = new LineCounter()
  const lineAt = (offset: number) => lines.linePos(offset).line
  try {
    const document = parseDocument(text, {
      schema: 'failsafe',
      // pnpm's parser knows merge keys too.
      merge: true,
      prettyErrors: false,
      // The parser compares each key with all before it.
      uniqueKeys: false,
      logLevel: 'error',
      lineCounter: lines,
    })
    const [fault] = document.errors
    if (fault !== undefined) throw toUnreadable(fault.message, file, lineAt(fault.pos[0]))
    const refused = findRefused(document)
    if (refused !== undefined) throw toUnreadable(refused.message, file, lineAt(refused.node.range?.[0] ?? 0))
    return { document, lineAt }
  } catch (error) {
    // Deep nesting.
    if (!(error instanceof RangeError)) throw error
    throw toUnreadable(error.message, file, undefined, error)
  }
}

/** Finds a key that its map has twice, except for merge keys, and the first alias beyond the limit. */
function findRefused(document: Document.Parsed): { readonly message: string; readonly node: Node } | undefined {
  let found: { readonly message: string; readonly node: Node } | undefined
  let aliases = 0
  visit(document, {
    Map(_, map) {
      const keys = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key) || key.value === '<<') continue
        if (keys.has(key.value)) found = { message: 'Map keys must be unique', node: key }
        keys.add(key.value)
      }
      return found && visit.BREAK
    },
    Alias(_, node: Alias) {
      if (++aliases > MAX_ALIASES) found = { message: `It has more than ${MAX_ALIASES} aliases`, node }
      return found && visit.BREAK
    },
  })
  return found
}

/** Counts brackets, and indentation as far as each level takes one space. */
function nestsDeep(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    if (depth > MAX_DEPTH) return true
  }
  return /^(?: |- |\? ){101}/m.test(text) || /(?:[-?] ){101}/.test(text)
}

function toUnreadable(message: string, file: 'target' | number, line?: number, cause?: unknown): Unreadable {
  const [reason = ''] = message.split('\n', 1)
  return new Unreadable(`The file is not YAML: ${reason.slice(0, 200)}`, { file, line, cause })
}

function isMap(value: unknown): value is YamlMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
