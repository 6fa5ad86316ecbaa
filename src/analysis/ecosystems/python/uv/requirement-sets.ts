import { toEnvironment } from '../packaging/environment.ts'
import { evaluateMarker, type Marker, type MarkerEnvironment } from '../packaging/marker.ts'
import { allowsPython, toDeclaredPython } from '../packaging/python-of-files.ts'

/** A requirement of a pyproject.toml or of a uv.lock, in one form for both. */
export interface ComparedRequirement {
  /** Normalized. */
  readonly name: string
  /** Normalized and sorted. */
  readonly extras: readonly string[]
  /** Undefined for packages from another source than an index. */
  readonly range: string | undefined
  readonly marker: Marker | undefined
  /** True for a dependency of one of the project's extras; in a lock, its marker tells. */
  readonly isOptional?: boolean
}

/** A requirement that one side has and the other lacks. */
export interface Difference {
  readonly name: string
  readonly range: string
  readonly side: 'asked' | 'locked'
}

/** Compares what is asked for with what a lock was written for. */
export type CompareRequirements = (
  declared: readonly ComparedRequirement[],
  locked: readonly ComparedRequirement[],
) => Difference[]

/** The usual ones first, to which files with very many markers are limited. */
const pythons = ['3.13', '3.12', '3.14', '3.11', '3.10', '3.15', '3.9', '3.8']
/** Evaluations of markers in one comparison, about half a second. */
const MAX_EVALUATIONS = 100_000

/**
 * Returns a comparison of names, extras, specifiers and markers. uv writes markers anew, so they are compared by the
 * environments in which they hold: of the Pythons that the lock allows on the usual systems.
 */
export function createComparison(requiresPython: string | undefined): CompareRequirements {
  const all = environmentsFor(requiresPython)
  return (declared, locked) => {
    const markers = [...declared, ...locked].filter(({ marker }) => marker !== undefined).length
    const environments = all.slice(0, Math.max(1, Math.floor(MAX_EVALUATIONS / (2 * markers))))
    const [declaredByName, theirs] = [groupByName(declared), groupByName(locked)]
    return [...new Set([...declaredByName.keys(), ...theirs.keys()])].flatMap((name) => {
      const sides = { declared: declaredByName.get(name) ?? [], locked: theirs.get(name) ?? [] }
      return differenceIn(name, sides, environments) ?? []
    })
  }
}

function groupByName(list: readonly ComparedRequirement[]): Map<string, ComparedRequirement[]> {
  return Map.groupBy(list, ({ name }) => name)
}

function environmentsFor(requiresPython: string | undefined): MarkerEnvironment[] {
  const declared = toDeclaredPython('uv.lock', requiresPython)
  const allowed = pythons.filter((version) => declared === undefined || allowsPython(declared, version))
  return allowed.flatMap((version) => {
    const [linux, macos, windows] = (['linux', 'macos', 'windows'] as const).map(
      (platform) => toEnvironment({ version, platform }).markers,
    )
    const pypy = { implementation_name: 'pypy', platform_python_implementation: 'PyPy' }
    return [
      linux!,
      macos!,
      windows!,
      { ...linux!, platform_machine: 'aarch64' },
      { ...macos!, platform_machine: 'x86_64' },
      { ...linux!, ...pypy },
    ]
  })
}

interface Sides {
  readonly declared: readonly ComparedRequirement[]
  readonly locked: readonly ComparedRequirement[]
}

function differenceIn(
  name: string,
  { declared, locked }: Sides,
  environments: readonly MarkerEnvironment[],
): Difference | undefined {
  const hasConditionalSource = [declared, locked].some(isFromBoth)
  const toKey = ({ extras, range = 'elsewhere' }: ComparedRequirement) =>
    `${extras.join(',')} ${hasConditionalSource ? '' : toComparable(range)}`
  const [declaredByKey, theirs] = [declared, locked].map((list) => Map.groupBy(list, toKey))
  for (const [key, list] of declaredByKey!) {
    const other = theirs!.get(key)
    if (other === undefined || placesOf(list, environments) !== placesOf(other, environments))
      return { name, range: list[0]!.range ?? '', side: 'asked' }
  }
  const [left] = [...theirs!].filter(([key]) => !declaredByKey!.has(key))
  return left && { name, range: left[1][0]!.range ?? '', side: 'locked' }
}

/** Returns true if a marker decides between an index and another source, of which pyproject.ts reads the first. */
function isFromBoth(list: readonly ComparedRequirement[]): boolean {
  return new Set(list.map(({ range }) => range === undefined)).size > 1
}

/** Returns a text that tells where at least one of the requirements applies, without and with the project's extras. */
function placesOf(list: readonly ComparedRequirement[], environments: readonly MarkerEnvironment[]): string {
  const isPlain = list.every(({ marker }) => marker === undefined)
  const isAsked = (environment: MarkerEnvironment, extras: { hasAnyExtra?: true }) =>
    list.some(
      ({ marker, isOptional }) =>
        (extras.hasAnyExtra || isOptional !== true) &&
        (marker === undefined || evaluateMarker(marker, { ...environment, ...extras }, '') !== false),
    )
  const flags = (isPlain ? environments.slice(0, 1) : environments).map(
    (environment) => `${isAsked(environment, {}) ? 1 : 0}${isAsked(environment, { hasAnyExtra: true }) ? 1 : 0}`,
  )
  return new Set(flags).size === 1 ? flags[0]! : flags.join('')
}

/** Returns a text that is equal for equal specifiers; uv writes numbers without leading zeros. */
function toComparable(range: string): string {
  return range
    .split(',')
    .map((part) => part.replace(/\s+/g, '').replace(/(^|[^\d])0+(?=\d)/g, '$1'))
    .filter((part) => part !== '')
    .sort()
    .join(',')
}
