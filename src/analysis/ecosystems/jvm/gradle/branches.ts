import type { Call } from './language/expressions.ts'
import { type Branch, type Declared, reportUnread, type ScriptContext, type ScriptFacts } from './facts.ts'

/** Returns the context within one branch, if the call is a condition. */
export function branchOf({ names, tokens }: Call, side: Branch['side'], context: ScriptContext): ScriptContext {
  if (names.at(-1) !== 'if') return context
  const branch = { condition: `${context.file}:${tokens.from}`, side }
  return { ...context, branches: [...(context.branches ?? []), branch] }
}

/** Reports modules for which the branches of a condition require different versions: the version in use is unknown. */
export function reportContradictions(facts: ScriptFacts) {
  const inBranches = facts.dependencies.filter(({ branches, kind }) => branches !== undefined && kind === 'dependency')
  for (const same of Map.groupBy(inBranches, ({ group, artifact }) => `${group}:${artifact}`).values()) {
    const versions = findContradiction(same)
    if (versions === undefined) continue
    const { group, artifact, place, isDev } = same[0]!
    reportUnread(facts, { name: `${group}:${artifact}`, range: versions.join(' or '), place, isDev })
  }
}

/** Returns the versions of both branches if they differ. */
function findContradiction(same: readonly Declared[]): string[] | undefined {
  const sides = new Map<string, { readonly first: Set<string>; readonly other: Set<string> }>()
  for (const each of same) {
    for (const { condition, side } of each.branches ?? []) {
      const both = sides.get(condition) ?? { first: new Set(), other: new Set() }
      both[side].add(versionOf(each))
      sides.set(condition, both)
    }
  }
  const found = [...sides.values()].find(({ first, other }) => {
    return first.size > 0 && other.size > 0 && first.symmetricDifference(other).size > 0
  })
  return found && [...found.first.union(found.other)]
}

function versionOf({ version }: Declared): string {
  return version.strictly ?? version.requires ?? version.prefers ?? ''
}
