import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { actionsVersions, findRelease } from '#analysis/versions/actions.ts'
import type { GraphNode, Unresolved } from '../../dependency-graph.ts'
import type { Manifest, Reading, ReadOptions } from '../ecosystem.ts'
import { isCommit, parseWorkflow, type Uses } from './uses.ts'

/** Reads the actions and reusable workflows that a workflow or a composite action uses. */
export function readWorkflow(manifest: Manifest, { limits: { maxNodes } }: ReadOptions): Reading {
  const [{ kind, text }] = identifyFiles('githubactions', manifest)
  const fileName = manifest.places?.target.replace(/^.*\//, '') ?? kind
  const { name, uses } = parseWorkflow(text)
  const root: GraphNode = { package: { name, version: '' }, edges: [] }
  const nodes = [root]
  const indexes = new Map<string, number>()
  /** By name and reference, so that each is reported once. */
  const unresolved = new Map<string, Unresolved>()
  const movable = new Set<string>()
  const skipped = new Set<string>()
  for (const one of uses) {
    if (isSkipped(one.text)) {
      skipped.add(one.text)
      continue
    }
    const used = toUsed(one)
    if ('problem' in used) {
      const { label, range, problem, code } = used
      const report = { name: label, range, code, reason: problem, requiredBy: fileName, line: one.line }
      const reportKey = `${label}@${range}`
      if (!unresolved.has(reportKey)) unresolved.set(reportKey, report)
      continue
    }
    if (used.commit === undefined) movable.add(`${used.name}@${used.range}`)
    const key = `${used.name}@${used.version}@${used.commit ?? ''}`
    const to = indexes.get(key) ?? nodes.length
    indexes.set(key, to)
    if (to < nodes.length) continue
    nodes.push(toNode(used))
    root.edges.push({ to, range: used.range, kind: 'prod', declaredAt: { file: 'target', line: one.line } })
  }
  if (nodes.length > maxNodes + 1)
    throw new Unreadable(`The workflow uses more than ${maxNodes} actions, the limit`, { file: 'target' })
  return {
    graph: { nodes },
    unresolved: [...unresolved.values()],
    filesRead: [fileName],
    locked: true,
    excluded: skipped.size === 0 ? [] : [{ reason: 'not-a-package', packages: skipped.size }],
    boundsMet: movable.size === 0 ? [] : [describeMovable([...movable])],
  }
}

/** Returns true for images of Docker, and for actions of the same repository. */
function isSkipped(text: string): boolean {
  return /^(?:docker:\/\/|\.\/|\$\/)/.test(text)
}

interface UsedPackage {
  /** Owner and repository, which is what advisories name. */
  readonly name: string
  readonly version: string
  readonly range: string
  readonly commit?: string
}

interface NotTested {
  readonly label: string
  readonly range: string
  readonly problem: string
  readonly code: Unresolved['code']
}

function toUsed({ text, comment }: Uses): UsedPackage | NotTested {
  const [, name, reference] = /^\s*(\w[\w-]*\/[\w.-]+)(?:\/[^@]*)?@(.+?)\s*$/.exec(text) ?? []
  if (name === undefined || reference === undefined || text.includes('${{')) {
    const problem = `"${shorten(text)}" names no action: GitHub expects owner/name@reference, without expressions`
    return { label: shorten(text), range: '', problem, code: 'not-static' }
  }
  const label = name
  const range = shorten(reference)
  if (isCommit(reference)) {
    const version = findRelease(comment)
    if (version !== undefined && isVersion(version))
      return { name, version: toPlain(version), range: version, commit: reference }
    const problem = `The version of this commit is unknown. Write the tag behind it: ${name}@${range} # v1.2.3`
    return { label, range, problem, code: 'version-unknown' }
  }
  if (findRelease(reference) === reference && isVersion(reference))
    return { name, version: toPlain(reference), range: reference }
  const problem = `"${range}" is a branch or tag that moves, so the version that runs is unknown. Pin it to a commit, with its version in a comment`
  return { label, range, problem, code: 'version-unknown' }
}

function isVersion(text: string): boolean {
  return actionsVersions.isValid(text)
}

function toPlain(version: string): string {
  return version.replace(/^v/, '')
}

function toNode({ name, version, commit }: UsedPackage): GraphNode {
  return { package: { name, version }, edges: [], ...(commit !== undefined && { commit }) }
}

function describeMovable(labels: readonly string[]): string {
  const many = labels.length === 1 ? '1 action is' : `${labels.length} actions are`
  const shown = `${labels.slice(0, 5).join(', ')}${labels.length > 5 ? ', …' : ''}`
  return `${many} named by a tag, which its owner can move to other code: ${shown}`
}
