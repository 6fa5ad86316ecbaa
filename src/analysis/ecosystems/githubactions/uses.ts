import type { Node } from 'js-yaml'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { parseYamlNodes } from '#analysis/documents/yaml.ts'
import { findRelease } from '#analysis/versions/actions.ts'

/** A `uses` of a step or of a job. */
export interface Uses {
  readonly text: string
  /** Counted from 1. */
  readonly line: number
  /** The comment behind it. */
  readonly comment: string
  /** Offsets of a tag of a version, or of a commit with its comment; undefined for other references. */
  readonly reference?: { readonly start: number; readonly end: number }
}

export interface Workflow {
  readonly name: string
  readonly uses: readonly Uses[]
}

/** GitHub accepts half of it. */
const MAX_CHARACTERS = 1_000_000

/** Parses the `uses` of a workflow's jobs and steps, or of an action's steps. */
export function parseWorkflow(written: string): Workflow {
  if (written.length > MAX_CHARACTERS) throw new Unreadable(`The file exceeds ${MAX_CHARACTERS} characters`)
  // The parser counts offsets without it.
  const mark: number = written.charCodeAt(0) === 0xfeff ? 1 : 0
  const text = written.slice(mark)
  const lines = text.split('\n')
  const starts = lines.map(() => mark)
  for (let at = 1; at < lines.length; at++) starts[at] = starts[at - 1]! + lines[at - 1]!.length + 1
  const { root, lineOf, resolve } = parseYamlNodes(text)
  const uses: Uses[] = []
  const jobs = memberOf(root, 'jobs')
  if (jobs !== undefined) for (const { value } of mappingOf(jobs, 'jobs')) visit(value, 'a job')
  else visit(memberOf(root, 'runs'), 'runs')
  const name = memberOf(root, 'name')
  return { name: name?.kind === 'scalar' ? name.value : '', uses }

  function visit(node: Node | undefined, what: string): void {
    if (node === undefined) return
    mappingOf(node, what)
    add(memberOf(node, 'uses'))
    const steps = memberOf(node, 'steps')
    if (steps === undefined) return
    const list = resolve(steps)
    if (list.kind !== 'sequence') throw new Unreadable('"steps" is not a list', { file: 'target', line: lineOf(list) })
    for (const step of list.items) {
      mappingOf(step, 'a step')
      add(memberOf(step, 'uses'))
    }
  }

  function add(node: Node | undefined): void {
    if (node === undefined) return
    if (node.kind !== 'scalar') throw new Unreadable('"uses" is not a text', { file: 'target', line: lineOf(node) })
    const line = lineOf(node)
    const content = lines[line - 1] ?? ''
    const { value } = node
    const key = /\buses["']?[ \t]*:[ \t]*(?:&\S+[ \t]+)?["']?/.exec(content)
    const at = key === null ? 0 : key.index + key[0].length
    if (key === null || !content.startsWith(value, at)) {
      uses.push({ text: value, line, comment: '' })
      return
    }
    const end = at + value.length
    const comment = /^["']?[ \t]+#[ \t]*(.*?)[ \t\r]*$/.exec(content.slice(end))?.[1] ?? ''
    const from = at + value.indexOf('@') + 1
    const isQuoted = /^["']/.test(content.slice(end))
    const reference = content.slice(from, end)
    const isWithComment = !isQuoted && isCommit(reference) && findRelease(comment) !== undefined
    const isRelease = isWithComment || findRelease(reference) === reference
    const start = starts[line - 1]!
    const range = { start: start + from, end: start + (isWithComment ? content.trimEnd().length : end) }
    uses.push({ text: value, line, comment, ...(isRelease && { reference: range }) })
  }

  function mappingOf(node: Node, what: string) {
    const mapping = resolve(node)
    if (mapping.kind === 'mapping') {
      const merge = mapping.items.find(({ key }) => key.kind === 'scalar' && key.value === '<<')
      if (merge === undefined) return mapping.items
      throw new Unreadable('GitHub reads no merge keys (<<)', { file: 'target', line: lineOf(merge.key) })
    }
    throw new Unreadable(`${what} is not a map`, { file: 'target', line: lineOf(node) })
  }

  function memberOf(node: Node | undefined, key: string): Node | undefined {
    const mapping = node && resolve(node)
    if (mapping?.kind !== 'mapping') return undefined
    const member = mapping.items.find((item) => item.key.kind === 'scalar' && item.key.value === key)
    return member && resolve(member.value)
  }
}

/** Returns true for the full digest of a commit, which GitHub requires. */
export function isCommit(reference: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(reference)
}
