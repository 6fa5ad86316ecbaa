import type { EffectivePom } from '../maven/effective-pom.ts'
import type { Asked, Demand, Module } from '../maven/highest-wins.ts'
import { hasExpression } from '../maven/interpolation.ts'
import type { PomReads } from '../maven/pom-reads.ts'
import type { Problem } from '../maven/version-choice.ts'
import type { Declared, RichVersion } from './declared.ts'
import { isDynamic, matchesSelector } from './selectors.ts'
import { compareGradleVersions } from './version-order.ts'

export interface GradleDependency extends Asked {
  readonly rich: RichVersion
}

/** What holds besides what is asked for. */
export interface Rules {
  readonly constraints: readonly Declared[]
  readonly platforms: readonly { readonly pom: EffectivePom; readonly isEnforced: boolean }[]
  readonly forced: readonly Declared[]
  /** Versions that hold for all but what the project asks for with a version (Spring's plugin). */
  findManaged(module: Module): string | undefined
}

/**
 * Gradle's conflict resolution: what is forced, else what the project strictly wants, else the highest version of all
 * that are asked for, constraints and platforms among them.
 */
export function createChoice(reads: PomReads, rules: Rules) {
  async function toVersions(module: Module, selector: string, rejects: readonly string[]): Promise<string[] | Problem> {
    if (hasExpression(selector)) return problem('not-static', `Nothing that was published sets ${selector}`)
    if (!isDynamic(selector)) return [selector]
    const answer = await reads.versions(module)
    if ('code' in answer) return answer
    const fitting = answer.found.versions.filter(
      (each) => matchesSelector(each, selector) && !isRejected(each, rejects),
    )
    const newest = highest(fitting)
    return newest === undefined ? problem('no-matching-version', 'No published version fits') : [newest]
  }

  async function fromSelectors(module: Module, selectors: readonly string[], rejects: readonly string[]) {
    const all = await Promise.all([...new Set(selectors)].map((each) => toVersions(module, each, rejects)))
    const found = highest(all.flatMap((each) => ('code' in each ? [] : each)))
    if (found !== undefined && isRejected(found, rejects))
      return problem('no-matching-version', `Version ${found} is rejected`)
    if (found !== undefined) return { version: found }
    return all.find((each) => 'code' in each) ?? undefined
  }

  return async (module: Module, asked: readonly Demand<GradleDependency>[]): Promise<{ version: string } | Problem> => {
    const { group, artifact } = module
    if (!group || !artifact || hasExpression(group + artifact)) {
      return problem('not-static', 'What this package is called is not known')
    }
    const isMeant = (each: Declared) => each.group === group && each.artifact === artifact
    const forced = rules.forced.filter(isMeant).flatMap(({ version }) => version.requires ?? version.strictly ?? [])
    const key = `${group}:${artifact}:jar`
    const ofPlatforms = rules.platforms.flatMap(({ pom, isEnforced }) => {
      const version = pom.findManaged(key)?.version
      return version === undefined ? [] : [{ version, isEnforced }]
    })
    forced.push(...ofPlatforms.filter(({ isEnforced }) => isEnforced).map(({ version }) => version))
    const own = asked.filter(({ isDirect }) => isDirect).map(({ dependency }) => dependency.rich)
    const constraints = rules.constraints.filter(isMeant).map(({ version }) => version)
    const managed = own.some(({ requires, strictly }) => requires ?? strictly) ? undefined : rules.findManaged(module)
    if (managed !== undefined) forced.push(managed)
    const rich = [...asked.map(({ dependency }) => dependency.rich), ...constraints]
    const rejects = rich.flatMap((each) => each.rejects)
    const strict = [...own, ...constraints].find(({ strictly }) => strictly !== undefined)
    if (forced.length > 0) return (await fromSelectors(module, forced.slice(0, 1), [])) ?? none
    if (strict !== undefined) {
      const wanted =
        strict.prefers !== undefined && matchesSelector(strict.prefers, strict.strictly!)
          ? strict.prefers
          : strict.strictly!
      return (await fromSelectors(module, [wanted], rejects)) ?? none
    }
    const required = [
      ...rich.flatMap(({ requires, strictly }) => requires ?? strictly ?? []),
      ...ofPlatforms.map(({ version }) => version),
    ]
    const found = await fromSelectors(module, required, rejects)
    return (
      found ??
      (await fromSelectors(
        module,
        rich.flatMap(({ prefers }) => prefers ?? []),
        rejects,
      )) ??
      none
    )
  }
}

const none = problem('no-matching-version', 'No version is given, and no platform, constraint or lock gives one')

function problem(code: Problem['code'], reason: string): Problem {
  return { code, reason }
}

function isRejected(version: string, rejects: readonly string[]): boolean {
  return rejects.some((each) => each === version || (isDynamic(each) && matchesSelector(version, each)))
}

function highest(versions: readonly string[]): string | undefined {
  let found: string | undefined
  for (const each of versions) if (found === undefined || compareGradleVersions(each, found) > 0) found = each
  return found
}
