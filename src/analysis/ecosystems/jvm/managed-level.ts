import { hasExpression } from './interpolation.ts'
import type { Pom, PomDependency } from './pom.ts'
import { keyOf } from './profiles.ts'

/** One POM's own dependency management, indexed. */
export interface ManagedLevel {
  readonly imports: readonly PomDependency[]
  /** The first entry of each literal key. */
  readonly byKey: ReadonlyMap<string, PomDependency>
  /** Entries whose key contains expressions, in order. */
  readonly withExpressions: readonly PomDependency[]
}

const levels = new WeakMap<Pom, ManagedLevel>()

/** Derived once per POM: all children query a parent's management. */
export function managedIn(pom: Pom): ManagedLevel {
  const before = levels.get(pom)
  if (before !== undefined) return before
  const isImport = ({ scope, type }: PomDependency) => scope === 'import' && type === 'pom'
  const entries = pom.managed
    .filter((dependency) => !isImport(dependency))
    .map((dependency) => [keyOf(dependency), dependency] as const)
  const level = {
    imports: pom.managed.filter(isImport),
    byKey: new Map(entries.filter(([key]) => !hasExpression(key)).toReversed()),
    withExpressions: entries.flatMap(([key, dependency]) => (hasExpression(key) ? [dependency] : [])),
  }
  levels.set(pom, level)
  return level
}
