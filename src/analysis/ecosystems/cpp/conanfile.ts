import { linesOf } from '#analysis/documents/text-lines.ts'
import type { DependencyKind } from '../../dependency-graph.ts'
import { type ConanReference, parseReference } from './conan-reference.ts'

/** A line of a conanfile.txt that requires a package. */
export interface ConanRequirement {
  readonly text: string
  /** Undefined for a text that is no reference. */
  readonly reference: ConanReference | undefined
  readonly kind: DependencyKind
  /** Counted from 1. */
  readonly line: number
}

const KINDS: Readonly<Record<string, DependencyKind>> = {
  requires: 'prod',
  build_requires: 'dev',
  tool_requires: 'dev',
  test_requires: 'dev',
}

/** Reads the requirements of a conanfile.txt. Tools and tests are for development. */
export function parseConanfile(text: string, file: 'target' | number): ConanRequirement[] {
  let kind: DependencyKind | undefined
  return linesOf(text, file).flatMap((written, at) => {
    const line = written.trim()
    const [, section] = /^\[(\w+)\]/.exec(line) ?? []
    if (section !== undefined) kind = Object.hasOwn(KINDS, section) ? KINDS[section] : undefined
    if (section !== undefined || kind === undefined || line === '' || line.startsWith('#')) return []
    const reference = line.replace(/\s+#.*$/, '')
    return [{ text: reference, reference: parseReference(reference), kind, line: at + 1 }]
  })
}
