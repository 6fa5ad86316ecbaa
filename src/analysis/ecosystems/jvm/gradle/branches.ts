import { type Declared, reportUnread, type ScriptContext, type ScriptFacts } from './facts.ts'
import type { Call } from './language/expressions.ts'

/** Returns the context within the branches of the call, if it is a condition. */
export function withinCondition({ names }: Call, context: ScriptContext): ScriptContext {
  return names.at(-1) === 'if' ? { ...context, isConditional: true } : context
}

/** Reports modules that conditions require in different versions: the version in use is unknown. */
export function reportContradictions(facts: ScriptFacts) {
  const conditional = facts.dependencies.filter(({ isConditional, kind }) => isConditional && kind === 'dependency')
  for (const same of Map.groupBy(conditional, ({ group, artifact }) => `${group}:${artifact}`).values()) {
    const versions = new Set(same.map(versionOf))
    if (versions.size < 2) continue
    const { group, artifact, place, isDev } = same[0]!
    reportUnread(facts, { name: `${group}:${artifact}`, range: [...versions].join(' or '), place, isDev })
  }
}

function versionOf({ version }: Declared): string {
  return version.strictly ?? version.requires ?? version.prefers ?? ''
}
