import { hasExpression } from '#analysis/ecosystems/jvm/interpolation.ts'
import type { PomReads } from '#analysis/ecosystems/jvm/pom-reads.ts'
import type { Problem } from '#analysis/ecosystems/jvm/version-choice.ts'
import type { Declared, RichVersion } from '../facts.ts'
import { isDynamic, isRange, matchesSelector } from './selectors.ts'
import { compareGradleVersions } from './version-order.ts'
import type { Choice, Demand, ManagedVersion, Module } from './walk.ts'

/** Rules that apply besides the requested versions. */
export interface Rules {
  readonly constraints: readonly Declared[]
  readonly forced: readonly Declared[]
  /** Returns the managed version of a module, which applies unless the project states its own (Spring's plugin). */
  findManaged(module: Module): string | undefined
}

/**
 * Gradle's conflict resolution: a forced version, else the project's strict one, else the highest of all requested
 * versions, including constraints and platforms. A range accepts a requested version within it. Strict versions of
 * others must be met, or no version is chosen.
 */
export function createChoice(reads: PomReads, rules: Rules) {
  const nameOf = ({ group, artifact }: Module) => `${group}:${artifact}`
  const forcedByName = Map.groupBy(rules.forced, nameOf)
  const constraintsByName = Map.groupBy(rules.constraints, nameOf)

  async function toVersions(module: Module, selector: string, rejects: readonly string[]): Promise<string[] | Problem> {
    if (hasExpression(selector)) return problem('not-static', `Undefined property in ${selector}`)
    if (!isDynamic(selector)) return [selector]
    const answer = await reads.versions(module)
    if ('code' in answer) return answer
    const fitting = answer.versions.versions.filter(
      (version) => matchesSelector(version, selector) && !isRejected(version, rejects),
    )
    const newest = highest(fitting)
    return newest === undefined ? problem('no-matching-version', 'No published version fits') : [newest]
  }

  async function fromSelectors(module: Module, selectors: readonly string[], rejects: readonly string[]) {
    const distinct = [...new Set(selectors)]
    const all = await Promise.all(distinct.map((selector) => toVersions(module, selector, rejects)))
    const versions = withoutMetRanges(distinct, all)
    const highestVersion = highest(versions)
    if (highestVersion !== undefined && isRejected(highestVersion, rejects))
      return problem('no-matching-version', `Version ${highestVersion} is rejected`)
    const open = all.find((answer, index): answer is Problem => {
      const selector = distinct[index]!
      const isMet = isRange(selector) && versions.some((version) => matchesSelector(version, selector))
      // Any version is newer than an unresolved expression.
      return 'code' in answer && !isMet && (highestVersion === undefined || !hasExpression(selector))
    })
    return highestVersion === undefined
      ? open
      : toChoice(highestVersion, open && withSelector(open, distinct[all.indexOf(open)]!))
  }

  return async (module: Module, demands: readonly Demand[], managed: readonly ManagedVersion[]): Promise<Choice> => {
    const { group, artifact } = module
    if (!group || !artifact || hasExpression(group + artifact)) {
      return problem('not-static', 'The coordinates are not known')
    }
    const name = nameOf(module)
    const forced = (forcedByName.get(name) ?? []).flatMap(({ version }) => version.requires ?? version.strictly ?? [])
    forced.push(...managed.filter(({ isEnforced }) => isEnforced).flatMap(({ rich }) => requestedVersion(rich) ?? []))
    const own = demands.filter(({ isDirect }) => isDirect).map(({ dependency }) => dependency.rich)
    const constraints = (constraintsByName.get(name) ?? []).map(({ version }) => version)
    const bySpring = own.some((rich) => requestedVersion(rich)) ? undefined : rules.findManaged(module)
    if (bySpring !== undefined) forced.push(bySpring)
    if (forced.length > 0) return (await fromSelectors(module, forced.slice(0, 1), [])) ?? none
    const rich = [
      ...demands.map(({ dependency }) => dependency.rich),
      ...constraints,
      ...managed.map((version) => version.rich),
    ]
    const rejects = rich.flatMap((version) => version.rejects)
    const strict = [...own, ...constraints].find(({ strictly }) => strictly !== undefined)
    if (strict !== undefined) {
      const met = (await fromSelectors(module, [requestedVersion(strict)!], rejects)) ?? none
      return 'code' in met
        ? met
        : toChoice(met.version, met.doubt ?? findContradiction(met.version, [...own, ...constraints]))
    }
    const required = rich.flatMap((version) => requestedVersion(version) ?? [])
    const preferred = rich.flatMap(({ prefers }) => prefers ?? [])
    const choice =
      (await fromSelectors(module, required, rejects)) ?? (await fromSelectors(module, preferred, rejects)) ?? none
    const unmet = 'code' in choice ? undefined : findUnmet(choice.version, rich)
    return unmet === undefined ? choice : unmet
  }
}

function toChoice(version: string, doubt: Problem | undefined): Choice {
  return { version, ...(doubt && { doubt }) }
}

/** Adds the conflicting selector to the problem. */
function withSelector({ code, reason }: Problem, selector: string): Problem {
  return problem(code, `${selector} is required too: ${reason}`)
}

/** Returns requests of the project that contradict its strict version; Gradle then finds no version. */
function findContradiction(version: string, rich: readonly RichVersion[]): Problem | undefined {
  const isMet = (selector: string) =>
    isDynamic(selector) ? matchesSelector(version, selector) : compareGradleVersions(selector, version) <= 0
  const other = rich.find(
    (richVersion) => richVersion.strictly !== undefined && !matchesSelector(version, richVersion.strictly),
  )
  const unmet =
    other?.strictly ?? rich.flatMap((version) => requestedVersion(version) ?? []).find((selector) => !isMet(selector))
  return unmet === undefined
    ? undefined
    : problem('no-matching-version', `The project requires strictly ${version}, and also ${unmet}`)
}

/** Returns the effective request: a preferred version counts within its range. */
function requestedVersion({ strictly, requires, prefers }: RichVersion): string | undefined {
  const requested = strictly ?? requires
  if (requested === undefined || prefers === undefined || !isDynamic(requested)) return requested
  return matchesSelector(prefers, requested) ? prefers : requested
}

function findUnmet(version: string, rich: readonly RichVersion[]): Problem | undefined {
  const strictly = rich
    .flatMap((version) => version.strictly ?? [])
    .find((selector) => !matchesSelector(version, selector))
  if (strictly === undefined) return undefined
  return problem(
    'no-matching-version',
    `Version ${version} is required, but another package requires strictly ${strictly}`,
  )
}

/** Returns requested versions and ranges that contain no other requested version; narrow ranges first. */
function withoutMetRanges(selectors: readonly string[], all: readonly (readonly string[] | Problem)[]): string[] {
  const answers = selectors.map((selector, index) => {
    const answer = all[index]!
    return { selector, versions: 'code' in answer ? [] : (answer as readonly string[]) }
  })
  const candidates = answers.filter(({ selector }) => !isRange(selector)).flatMap(({ versions }) => versions)
  const newest = answers
    .filter(({ selector }) => isRange(selector))
    .toSorted((a, b) => {
      return compareGradleVersions(a.versions[0] ?? '', b.versions[0] ?? '')
    })
  for (const { selector, versions } of newest) {
    if (!candidates.some((candidate) => matchesSelector(candidate, selector))) candidates.push(...versions)
  }
  return candidates
}

const none = problem('no-matching-version', 'No version is declared, and no platform, constraint or lock sets one')

function problem(code: Problem['code'], reason: string): Problem {
  return { code, reason }
}

function isRejected(version: string, rejects: readonly string[]): boolean {
  return rejects.some((reject) => reject === version || (isDynamic(reject) && matchesSelector(version, reject)))
}

function highest(versions: readonly string[]): string | undefined {
  let highestVersion: string | undefined
  for (const version of versions)
    if (highestVersion === undefined || compareGradleVersions(version, highestVersion) > 0) highestVersion = version
  return highestVersion
}
