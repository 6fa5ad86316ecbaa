import type { Unresolved } from '../../dependency-graph.ts'
import type { EffectivePom } from './effective-pom.ts'
import type { PomProfile } from './pom.ts'
import { changesDependencies } from './profiles.ts'
import { nameOf } from './sent-poms.ts'

/** Returns the profiles of a project's POM and its parents that only the build machine can decide. */
export function listUndecided({ lineage }: EffectivePom): Unresolved[] {
  return lineage.flatMap(({ pom, profiles }) =>
    pom.origin === 'project'
      ? profiles.undecided.filter(changesDependencies).map((profile) => withAdvice(toUnresolved(profile, nameOf(pom))))
      : [],
  )
}

/**
 * Does the same for a published POM. Files, which are looked for beside the POM, do not activate its profiles, and its
 * properties matter only in coordinates.
 */
export function listUndecidedOfPackage({ lineage }: EffectivePom, requiredBy: string): Unresolved[] {
  return lineage.flatMap(({ pom, profiles }) => {
    if (pom.origin === 'project') return []
    return profiles.undecided
      .filter((profile) => !profile.activation.asksForFile && changesPackage(profile, lineage))
      .map((profile) => toUnresolved(profile, requiredBy))
  })
}

function changesPackage({ dependencies, managed, properties }: PomProfile, lineage: EffectivePom['lineage']): boolean {
  if (managed.length > 0 || dependencies.some(({ scope }) => scope !== 'test' && scope !== 'provided')) return true
  if (properties.size === 0) return false
  const texts = lineage.flatMap(({ merged }) => [
    ...merged.properties.values(),
    ...[...merged.dependencies, ...merged.managed].map(
      (dependency) => `${dependency.group} ${dependency.artifact} ${dependency.version}`,
    ),
  ])
  return [...properties.keys()].some((name) => texts.some((text) => text.includes(`\${${name}}`)))
}

function toUnresolved({ id, activation: { property, asksForFile } }: PomProfile, pom: string): Unresolved {
  const condition = asksForFile || property === undefined ? 'a file of the project' : property.name.replace(/^!/, '')
  const reason = `Only the build machine can tell whether ${condition} activates this profile, which is taken to be inactive`
  return { name: `profile ${id}`, range: '', code: 'not-static', reason, requiredBy: pom }
}

/** Adds the remedy, which Maven applies to the project's own POMs only. */
function withAdvice(unresolved: Unresolved): Unresolved {
  return { ...unresolved, reason: `${unresolved.reason}. Add -P with its name to .mvn/maven.config to test it` }
}
