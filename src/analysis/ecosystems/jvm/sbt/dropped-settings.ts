import type { Unresolved } from '#analysis/dependency-graph.ts'
import type { Statement } from './scala/syntax.ts'
import { readTokens, type SentFile, type Token } from './scala/tokens.ts'
import { type SourcePosition, toUnknown, toUnresolved } from './values.ts'

/** Keys whose settings say what a project is made of. */
const KEYS = new Set(['libraryDependencies', 'dependencyOverrides', 'unmanagedJars', 'unmanagedBase'])

/** True for a key whose value is a list of packages or jars. */
export function listsPackages(key: string): boolean {
  return KEYS.has(key)
}

const ASSIGNMENT = /^(?::|\+|\+\+|~|<\+|<\+\+|<<)=$/
/** Tokens between a key and what sets it: `libraryDependencies in (ThisBuild, Compile) +=`. */
const MAX_BETWEEN = 12

/** The lines of a file in which one of those keys is set, wherever that is and whether it is understood or not. */
export function findAssignments(text: string, file: SentFile): readonly number[] {
  if (![...KEYS].some((key) => text.includes(key))) return []
  const tokens = readTokens(text, file)
  return tokens.flatMap(({ kind, value }, at) =>
    kind === 'name' && KEYS.has(value) ? (assignmentAfter(tokens, at)?.line ?? []) : [],
  )
}

function assignmentAfter(tokens: readonly Token[], at: number): Token | undefined {
  const next = tokens.slice(at + 1, at + 1 + MAX_BETWEEN)
  const end = next.findIndex(
    ({ kind, value, isFirst }) => isFirst || (kind === 'sign' ? ';{}'.includes(value) : ASSIGNMENT.test(value)),
  )
  return next[end]?.kind === 'operator' ? next[end] : undefined
}

export interface AssigningFile {
  readonly file: SentFile
  readonly statements: readonly Statement[]
  readonly assigned: readonly number[]
}

/**
 * Names settings that no project got: they stand in what is not read, such as a method that only sbt calls. Those of
 * branches that were not taken are meant to be left out.
 */
export function findDropped(
  { file, statements, assigned }: AssigningFile,
  followed: readonly SourcePosition[],
): Unresolved[] {
  if (assigned.length === 0) return []
  const lines = new Set(followed.flatMap((place) => (place.file === file ? place.line : [])))
  const inBranches = new Set<number>()
  for (const statement of statements) addBranches(statement, { lines: inBranches, isBranch: false })
  const left = new Set(assigned.filter((line) => !lines.has(line) && !inBranches.has(line)))
  return [...left].map((line) =>
    toUnresolved(toUnknown('no project is known to get this setting', { file, line }), 'settings'),
  )
}

/** Adds the lines of all operators that stand in a branch of a condition or a choice. */
function addBranches(node: unknown, collector: { readonly lines: Set<number>; readonly isBranch: boolean }): void {
  if (typeof node !== 'object' || node === null) return
  const { kind, operator, line } = node as { kind?: unknown; operator?: unknown; line?: unknown }
  if (collector.isBranch && kind === 'infix' && ASSIGNMENT.test(String(operator))) collector.lines.add(Number(line))
  for (const [name, inner] of Object.entries(node)) {
    const begins = (kind === 'if' && name !== 'condition') || (kind === 'match' && name === 'cases')
    addBranches(inner, { lines: collector.lines, isBranch: collector.isBranch || begins })
  }
}
