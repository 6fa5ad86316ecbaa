import { compareNaturals, compareText, isNumeric, toNextNatural, trimWhere } from './naturals.ts'
import { refusedFirst } from './refused-first.ts'
import { compareIdentifiers, compareNumbers, parseSemanticVersion, type SemanticVersion } from './semver2.ts'
import type { VersionScheme } from './version-scheme.ts'

interface Condition {
  readonly operator: string
  readonly version: SemanticVersion
  /** The first version that `~>` excludes. */
  readonly upper: SemanticVersion
}

const LEADING_ZERO = /(?:^|[.-])0\d+(?:$|[.+-])/
const SPACE = 0x20
const NUMBER_WITH_ZERO = /^0\d+$/
const TOKENS = /(>=|<=|~>|==|!=|>|<|!| or | and )/
/** A version without its patch, which only `~>` accepts. */
const SHORT = /^(\d+\.\d+)((?:[-+].*)?)$/

/**
 * Versions of Hex in the order of Elixir's `Version`, strict SemVer 2.0.0 without an order of builds, and its
 * requirements: conditions joined by `and`, which binds closer, and `or`. `~> 1.2` allows neither 2.0.0 nor its
 * pre-releases.
 */
export const hexVersions: VersionScheme = {
  id: 'hex',
  isValid: (version) => parse(version) !== undefined,
  compare: refusedFirst(parse, order),
  satisfies,
  isRange: (range) => parseRequirement(range) !== undefined,
}

function parse(text: string): SemanticVersion | undefined {
  const version = parseSemanticVersion(text)
  if (version === undefined || LEADING_ZERO.test(text.slice(0, text.search(/[-+]|$/)))) return undefined
  return version.pre.some((identifier) => NUMBER_WITH_ZERO.test(identifier)) ? undefined : version
}

function order(a: SemanticVersion, b: SemanticVersion): number {
  const difference = compareNumbers(a, b)
  if (difference !== 0) return difference
  if ((a.pre.length === 0) !== (b.pre.length === 0)) return b.pre.length - a.pre.length
  return compareIdentifiers(a.pre, b.pre, compareOne)
}

function compareOne(a: string, b: string): number {
  if (isNumeric(a) && isNumeric(b)) return compareNaturals(a, b)
  if (isNumeric(a) !== isNumeric(b)) return isNumeric(a) ? -1 : 1
  return compareText(a, b)
}

function satisfies(text: string, requirement: string): boolean {
  const version = parse(text)
  const alternatives = parseRequirement(requirement)
  if (version === undefined || alternatives === undefined) return false
  return alternatives.some((conditions) => conditions.every((condition) => meets(version, condition)))
}

function meets(version: SemanticVersion, { operator, version: bound, upper }: Condition): boolean {
  const difference = order(version, bound)
  switch (operator) {
    case '!':
    case '!=':
      return difference !== 0
    case '>':
      return difference > 0
    case '<':
      return difference < 0
    case '>=':
      return difference >= 0
    case '<=':
      return difference <= 0
    case '~>':
      return difference >= 0 && order(version, upper) < 0
    default:
      return difference === 0
  }
}

/** Returns alternatives of conditions; undefined for text that `Version.parse_requirement` refuses. */
function parseRequirement(text: string): Condition[][] | undefined {
  const alternatives: Condition[][] = [[]]
  let operator: string | undefined
  let isExpected = true
  for (const part of text.split(TOKENS)) {
    const token = trimWhere(part, (code) => code === SPACE)
    if (token === '') continue
    if (part === ' or ' || part === ' and ') {
      if (isExpected) return undefined
      if (token === 'or') alternatives.push([])
      isExpected = true
    } else if (TOKENS.test(token)) {
      if (operator !== undefined || !isExpected) return undefined
      operator = token
    } else {
      const condition = isExpected ? toCondition(operator ?? '==', token) : undefined
      if (condition === undefined) return undefined
      alternatives.at(-1)!.push(condition)
      operator = undefined
      isExpected = false
    }
  }
  return isExpected || operator !== undefined ? undefined : alternatives
}

function toCondition(operator: string, text: string): Condition | undefined {
  const [short, numbers, rest] = (operator === '~>' ? SHORT.exec(text) : null) ?? []
  const version = parse(short === undefined ? text : `${numbers}.0${rest}`)
  if (version === undefined) return undefined
  const [major, minor] = version.numbers
  const next =
    short === undefined ? ([major, toNextNatural(minor), '0'] as const) : ([toNextNatural(major), '0', '0'] as const)
  return { operator, version, upper: { numbers: next, pre: ['0'], build: [] } }
}
