import {
  compareNormalized,
  isBranch,
  MAX_NUMBER,
  MODIFIERS,
  normalizeVersion,
  orderNormalized,
  STABILITIES,
  trimPhp,
} from './composer-version.ts'
import { compareNaturals, toNatural, toNextNatural } from './naturals.ts'
import { refusedFirst } from './refused-first.ts'
import type { VersionScheme } from './version-scheme.ts'

interface Constraint {
  readonly operator: string
  /** Normalized. */
  readonly version: string
}

/** No composer.json needs longer constraints; their parts are split in quadratic time. */
const MAX_RANGE_LENGTH = 4096

/**
 * Composer's versions and constraints, by composer/semver and PHP's `version_compare`: four numbers, stabilities, `dev`.
 * A branch such as `dev-main` is not a version, since it is in no order, but it satisfies a range that names it.
 */
export const composerVersions: VersionScheme = {
  id: 'composer',
  isValid: (version) => parse(version) !== undefined,
  compare: refusedFirst(parse, orderNormalized),
  satisfies(text, range) {
    const version = normalizeVersion(text)
    if (version === undefined) return false
    return parseConstraints(range)?.some((all) => all.every((one) => isMet(one, version))) ?? false
  },
  isRange: (range) => parseConstraints(range) !== undefined,
}

function parse(text: string): string | undefined {
  const normalized = normalizeVersion(text)
  return normalized === undefined || isBranch(normalized) ? undefined : normalized
}

function isMet({ operator, version: bound }: Constraint, version: string): boolean {
  const isNamed = isBranch(version) || isBranch(bound)
  if (operator === '*') return true
  if (operator === '!=' || operator === '<>')
    return isNamed ? version !== bound : compareNormalized(version, bound) !== 0
  if (isNamed) return isEqual(operator) && version === bound
  const difference = compareNormalized(version, bound)
  if (operator === '>') return difference > 0
  if (operator === '>=') return difference >= 0
  if (operator === '<') return difference < 0
  if (operator === '<=') return difference <= 0
  return difference === 0
}

function isEqual(operator: string): boolean {
  return operator === '=' || operator === '=='
}

const AND = /(?<!^|as|[=>< ,]) *(?<!-)[, ](?!-) *(?!,|as|$)/

/** Returns alternatives of constraints that must all be met. */
function parseConstraints(range: string): Constraint[][] | undefined {
  if (range.length > MAX_RANGE_LENGTH) return undefined
  const alternatives: Constraint[][] = []
  for (const alternative of trimPhp(range).split(/[\t-\r ]*\|\|?[\t-\r ]*/)) {
    const constraints: Constraint[] = []
    for (const part of alternative.split(AND)) {
      const parsed = parseConstraint(part)
      if (parsed === undefined) return undefined
      constraints.push(...parsed)
    }
    alternatives.push(constraints)
  }
  return alternatives
}

const ALIAS = /^([^,\t-\r ]+) +as +([^,\t-\r ]+)$/
const FLAG = new RegExp(`^([^,\\t-\\r ]*?)@(${STABILITIES})$`, 'i')
const REFERENCE = /^(dev-[^,\t-\r @]+?|[^,\t-\r @]+?\.x-dev)#.+$/i

function parseConstraint(text: string): Constraint[] | undefined {
  const [, aliased = text] = ALIAS.exec(text) ?? []
  const [, flagged, flag] = FLAG.exec(aliased) ?? []
  const whole = flagged === undefined ? aliased : flagged || '*'
  const written = REFERENCE.exec(whole)?.[1] ?? whole
  const any = /^(v)?[x*](\.[x*])*$/i.exec(written)
  if (any !== null)
    return [any[1] || any[2] ? { operator: '>=', version: '0.0.0.0-dev' } : { operator: '*', version: '' }]
  const range = parseTilde(written) ?? parseCaret(written) ?? parseWildcard(written) ?? parseHyphen(written)
  if (range === 'refused') return undefined
  return range ?? parseComparator(written, flag === 'stable' ? undefined : flag)
}

/** Groups: four numbers, a stability, its numbers, `dev`, `x-dev`. */
const VERSION = String.raw`v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.(\d+))?(?:${MODIFIERS}|\.([xX*][.-]?dev))(?:\+[^\t-\r ]+)?`
const TILDE = new RegExp(`^~>?${VERSION}\\n?$`, 'i')
const CARET = new RegExp(`^\\^${VERSION}\\n?$`, 'i')
const HYPHEN = new RegExp(`^(${VERSION}) +- +(${VERSION})\\n?$`, 'i')
const WILDCARD = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.[xX*])+\n?$/

type Parsed = Constraint[] | 'refused'

/** `~1.2` allows the versions before 2, `~1.2.3` those before 1.3. */
function parseTilde(text: string): Parsed | undefined {
  const [whole, ...groups] = TILDE.exec(text) ?? []
  if (whole === undefined) return undefined
  if (whole.startsWith('~>')) return 'refused'
  const position = Math.max(1, groups.slice(0, 4).findLastIndex(Boolean) + 1 + (groups[7] ? 1 : 0) - 1)
  return between(lowerBound(whole, groups), nextOf(groups, position))
}

/** Allows the versions with the same leftmost number that is not zero. */
function parseCaret(text: string): Parsed | undefined {
  const [whole, ...groups] = CARET.exec(text) ?? []
  if (whole === undefined) return undefined
  const [major, minor, patch] = groups
  const position = major !== '0' || minor === undefined ? 1 : minor !== '0' || patch === undefined ? 2 : 3
  return between(lowerBound(whole, groups), nextOf(groups, position))
}

function lowerBound(text: string, [, , , , stability, , dev, branch]: readonly (string | undefined)[]) {
  return normalizeVersion(`${text}${stability || dev || branch ? '' : '-dev'}`.slice(1))
}

function parseWildcard(text: string): Parsed | undefined {
  const [whole, ...groups] = WILDCARD.exec(text) ?? []
  if (whole === undefined) return undefined
  const position = groups.filter(Boolean).length
  const lower = `${numbersTo(groups, position)}-dev`
  const upper = nextOf(groups, position)
  if (lower === '0.0.0.0-dev' && upper !== undefined) return [{ operator: '<', version: upper }]
  return between(lower, upper)
}

function parseHyphen(text: string): Parsed | undefined {
  const [whole, from, ...groups] = HYPHEN.exec(text) ?? []
  if (whole === undefined) return undefined
  const [lower, to, upper] = [groups.slice(0, 8), groups[8], groups.slice(9)]
  const start = normalizeVersion(from!)
  const end = normalizeVersion(to!)
  if (start === undefined || end === undefined) return 'refused'
  const [, , , , stability, , dev, branch] = lower
  const first = `${start}${stability || dev || branch ? '' : '-dev'}`
  const [, minor, patch, , ...modifiers] = upper
  if ((minor && patch) || modifiers[0] || modifiers[2] || modifiers[3]) {
    return [
      { operator: '>=', version: first },
      { operator: '<=', version: end },
    ]
  }
  return between(first, nextOf(upper, minor ? 2 : 1))
}

function between(lower: string | undefined, upper: string | undefined): Parsed {
  if (lower === undefined || upper === undefined) return 'refused'
  return [
    { operator: '>=', version: lower },
    { operator: '<', version: upper },
  ]
}

/** Returns the development version after all with the same numbers up to a position, counted from 1. */
function nextOf(groups: readonly (string | undefined)[], position: number): string | undefined {
  const number = toNatural(groups[position - 1] ?? '')
  // Composer writes larger numbers as floating-point numbers, which are no version.
  if (compareNaturals(number, MAX_NUMBER) >= 0) return undefined
  return `${numbersTo([...groups.slice(0, position - 1), toNextNatural(number)], position)}-dev`
}

function numbersTo(groups: readonly (string | undefined)[], position: number): string {
  return Array.from({ length: 4 }, (_, at) => (at < position ? (groups[at] ?? '') : '0')).join('.')
}

const WRITTEN_STABILITY = new RegExp(`-${MODIFIERS}$`)

function parseComparator(text: string, flag: string | undefined): Constraint[] | undefined {
  const [, operator = '=', bound = ''] = /^(<>|!=|>=?|<=?|==?)?[\t-\r ]*(.*)/.exec(text) ?? []
  const isBranchName = bound.endsWith('-dev') && /^[0-9a-zA-Z-./]+$/.test(bound)
  const version = normalizeVersion(bound) ?? (isBranchName ? `dev-${bound.slice(0, -4)}` : undefined)
  if (version === undefined) return undefined
  if (!isEqual(operator) && flag !== undefined && isStable(version))
    return [{ operator, version: `${version}-${flag}` }]
  const takesDev = (operator === '<' || operator === '>=') && !WRITTEN_STABILITY.test(bound.toLowerCase())
  return [{ operator, version: takesDev && !bound.startsWith('dev-') ? `${version}-dev` : version }]
}

function isStable(version: string): boolean {
  return !isBranch(version) && /^[\d.]+(?:-patch[\d.-]*)?$/.test(version)
}
