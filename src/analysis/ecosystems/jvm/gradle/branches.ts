import type { Declared } from './declared.ts'
import type { Call } from './language/expressions.ts'
import type { ScriptContext, ScriptFacts } from './script.ts'

/** One side of a condition. */
export interface Branch {
  /** Token index of the condition in its script. */
  readonly condition: string
  readonly side: 'first' | 'other'
}

/** Returns the context within one branch, if the call is a condition. */
export function branchOf({ names, tokens }: Call, side: Branch['side'], context: ScriptContext): ScriptContext {
  if (names.at(-1) !== 'if') return context
  const branch = { condition: `${context.file}:${tokens.from}`, side }
  return { ...context, branches: [...(context.branches ?? []), branch] }
}

/** Reports modules for which the branches of a condition require different versions: the version in use is unknown. */
export function reportContradictions({ dependencies, unread }: ScriptFacts) {
  const inBranches = dependencies.filter(({ branches, kind }) => branches !== undefined && kind === 'dependency')
  for (const same of Map.groupBy(inBranches, ({ group, artifact }) => `${group}:${artifact}`).values()) {
    const versions = findContradiction(same)
    if (versions === undefined) continue
    const { group, artifact, place, isDev } = same[0]!
    const reason = 'Which of the branches counts, with which version, is only known by running the script'
    const range = versions.join(' or ')
    unread.push({ name: `${group}:${artifact}`, range, code: 'not-static', reason, place, isDev })
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
