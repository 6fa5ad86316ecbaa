import {
  constructFromEvents,
  EVENT_ID,
  type Event,
  eventsToAst,
  FAILSAFE_SCHEMA,
  mergeTag,
  type Node,
  parseEvents,
  visit,
  YAMLException,
} from 'js-yaml'
import { Unreadable } from './unreadable.ts'

/** Ten times the longest known lockfile. */
const MAX_CHARACTERS = 50_000_000
/** More than people write. */
const MAX_DEPTH = 100
const MAX_ALIASES = 100

/** Every scalar is text, so that `1.10` is no number. pnpm's parser reads merge keys too. */
const schema = FAILSAFE_SCHEMA.withTags(mergeTag)

/**
 * Parses the map of a YAML 1.2 file with every scalar as text. Throws Unreadable for other text, duplicate keys, several
 * documents, unknown tags, more than 50,000,000 characters, 100 levels and 100 expanded aliases. Maps inherit from
 * `Object.prototype`: read members with `ownValue`.
 */
export function parseYaml(text: string, file: 'target' | number): Record<string, unknown> {
  if (text.length > MAX_CHARACTERS) throw new Unreadable(`The file exceeds ${MAX_CHARACTERS} characters`, { file })
  if (text.replace('\ufeff', '').trim() === '') throw new Unreadable('The file is empty', { file, line: 1 })
  const { value } = parse(text, file)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Unreadable('Invalid YAML: expected a map', { file, line: 1 })
}

/** The nodes of a YAML file. */
export interface YamlNodes {
  /** Undefined for a file without content. */
  readonly root: Node | undefined
  /** Returns the line of a node, counted from 1. */
  lineOf(node: Node | undefined): number
  /** Follows an alias. */
  resolve(node: Node): Node
}

/** Parses a YAML file as `parseYaml` does, for readers that need line numbers. The caller limits the length. */
export function parseYamlNodes(text: string): YamlNodes {
  const { events } = parse(text, 'target')
  const [document] = eventsToAst(events, { source: text, schema })
  const lines = new Map<Node, number>()
  const anchors = new Map<string, Node>()
  const targets = new Map<Node, Node>()
  // Nodes come in the order of their events.
  const starts = events.flatMap((event) => startOf(event) ?? [])
  let [at, line] = [0, 1]
  visit(document === undefined ? [] : [document], (node) => {
    for (const start = starts[lines.size]!; at < start; at++) if (text[at] === '\n') line++
    lines.set(node, line)
    if (node.kind === 'alias') targets.set(node, anchors.get(node.anchor)!)
    else if (node.anchor !== undefined) anchors.set(node.anchor, node)
  })
  return {
    root: document?.contents ?? undefined,
    lineOf: (node) => (node && lines.get(node)) ?? 1,
    resolve: (node: Node) => targets.get(node) ?? node,
  }
}

function startOf(event: Event): number | undefined {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart
  return event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE ? event.start : undefined
}

function parse(text: string, file: 'target' | number): { readonly events: Event[]; readonly value: unknown } {
  try {
    const events = parseEvents(text, { maxDepth: MAX_DEPTH })
    limitAliases(events, text)
    const [value, second] = constructFromEvents(events, { source: text, schema })
    if (second !== undefined) throw new YAMLException('several documents')
    return { events, value }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const line = error.mark && error.mark.line + 1
    throw new Unreadable(`Invalid YAML: ${error.reason.slice(0, 200)}`, { file, line, cause: error })
  }
}

/** Refuses unknown and recursive aliases, and too many: an alias counts the aliases inside its anchor again. */
function limitAliases(events: readonly Event[], text: string): void {
  const counts = new Map<string, number>()
  const open: { readonly anchor: string; readonly before: number }[] = []
  let count = 0
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      const { anchor, before } = open.pop()!
      counts.set(anchor, count - before)
      continue
    }
    const anchor = event.type === EVENT_ID.DOCUMENT ? '' : text.slice(event.anchorStart, event.anchorEnd)
    if (event.type === EVENT_ID.ALIAS) {
      const inside = counts.get(anchor)
      if (inside === undefined) YAMLException.throwAt(text, event.anchorStart, `unresolved alias "${anchor}"`)
      count += 1 + inside
      if (count > MAX_ALIASES) YAMLException.throwAt(text, event.anchorStart, `more than ${MAX_ALIASES} aliases`)
    } else if (event.type === EVENT_ID.SCALAR) counts.set(anchor, 0)
    else {
      counts.delete(anchor)
      open.push({ anchor, before: count })
    }
  }
}
