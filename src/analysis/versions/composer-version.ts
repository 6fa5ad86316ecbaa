import { compareNaturals, compareText, isNumeric, type Natural, toNatural, trimWhere } from './naturals.ts'

/** A stability with its numbers, and `-dev`; two groups of the stability and one of `dev` (`VersionParser`). */
export const MODIFIERS = String.raw`[._-]?(?:(stable|beta|b|RC|alpha|a|patch|pl|p)(\d*(?:[.-]\d+)*))?([.-]?dev)?`
export const STABILITIES = 'stable|RC|beta|alpha|dev'

const CLASSIC = new RegExp(String.raw`^v?(\d{1,5})(\.\d+)?(\.\d+)?(\.\d+)?${MODIFIERS}\n?$`, 'i')
const DATE = new RegExp(String.raw`^v?(\d{4}(?:[.:-]?\d{2}){1,6}(?:[.:-]?\d{1,3})?)${MODIFIERS}\n?$`, 'i')
const ALIAS = /^([^,\t-\r ]+) +as +([^,\t-\r ]+)$/
const STABILITY_FLAG = new RegExp(`@(?:${STABILITIES})$`, 'i')
const NUMBERED_BRANCH = /^v?(\d+)(\.(?:\d+|[x*]))?(\.(?:\d+|[x*]))?(\.(?:\d+|[x*]))?$/i
const FULL_NAMES: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', p: 'patch', pl: 'patch', rc: 'RC' }
/** The number in place of the `x` of a branch. */
const HEAD = '9999999'

/**
 * Returns the form in which Composer compares a version (`VersionParser::normalize` of composer/semver): four numbers or
 * a date, a stability, `-dev`; `dev-` and a name for branches. Undefined for text that it refuses.
 */
export function normalizeVersion(text: string): string | undefined {
  const trimmed = trimPhp(text)
  const [, branch = trimmed] = ALIAS.exec(trimmed) ?? []
  const written = branch.replace(STABILITY_FLAG, '')
  if (/^(?:master|trunk|default)$/.test(written)) return `dev-${written}`
  if (/^dev-/i.test(written)) return `dev-${written.slice(4)}`
  const [, version = written] = /^([^,\t-\r +]+)\+[^\t-\r ]+$/.exec(written) ?? []
  return normalizeClassic(version) ?? normalizeDate(version) ?? normalizeBranch(version)
}

/** Trims as PHP's `trim`. */
export function trimPhp(text: string): string {
  return trimWhere(text, (code) => code === 0x20 || code === 0 || (code >= 0x09 && code <= 0x0d && code !== 0x0c))
}

/** Returns true for a branch that has no numbers: only its own name equals it. */
export function isBranch(normalized: string): boolean {
  return normalized.startsWith('dev-')
}

function normalizeClassic(text: string): string | undefined {
  const [, major, minor = '.0', patch = '.0', build = '.0', ...modifiers] = CLASSIC.exec(text) ?? []
  return major === undefined ? undefined : `${major}${minor}${patch}${build}${normalizeModifiers(modifiers)}`
}

function normalizeDate(text: string): string | undefined {
  const [, date, ...modifiers] = DATE.exec(text) ?? []
  return date === undefined ? undefined : `${date.replace(/\D/g, '.')}${normalizeModifiers(modifiers)}`
}

function normalizeModifiers([stability, numbers = '', dev]: readonly (string | undefined)[]): string {
  if (stability === 'stable') return ''
  const lower = stability?.toLowerCase()
  const label = lower === undefined ? '' : `-${FULL_NAMES[lower] ?? lower}${numbers.replace(/^[.-]+/, '')}`
  return `${label}${dev ? '-dev' : ''}`
}

function normalizeBranch(text: string): string | undefined {
  const name = text.replace(/[.-]?dev$/i, '')
  if (name === text) return undefined
  const [, ...numbers] = NUMBERED_BRANCH.exec(trimPhp(name.slice(name.lastIndexOf('\n') + 1))) ?? []
  if (numbers[0] === undefined) return undefined
  return `${numbers.map((number = '.x') => number.replace(/[xX*]/, HEAD)).join('')}-dev`
}

const ORDER = ['dev', 'alpha', 'a', 'beta', 'b', 'RC', 'rc', '#', 'pl', 'p']
const RANKS = [0, 1, 1, 2, 2, 3, 3, 4, 5, 5]
const NUMBER = 4
/** PHP reads numbers as 64 bits, and larger ones as the largest. */
export const MAX_NUMBER = '9223372036854775807'

/** Compares normalized versions as PHP's `version_compare`. */
export function compareNormalized(a: string, b: string): number {
  const left = a.match(/\d+|[^\d._+-]+/g) ?? []
  const right = b.match(/\d+|[^\d._+-]+/g) ?? []
  for (let i = 0; i < left.length || i < right.length; i++) {
    const difference = compareParts(left[i], right[i])
    if (difference !== 0) return difference
  }
  return 0
}

function compareParts(a: string | undefined, b: string | undefined): number {
  if (a === undefined) return -compareToEnd(b!)
  if (b === undefined) return compareToEnd(a)
  if (isNumeric(a) && isNumeric(b)) return compareNaturals(toNumber(a), toNumber(b))
  return rankOf(a) - rankOf(b)
}

function compareToEnd(part: string): number {
  return isNumeric(part) ? 1 : rankOf(part) - NUMBER
}

function rankOf(part: string): number {
  if (isNumeric(part)) return NUMBER
  return RANKS[ORDER.findIndex((form) => part.startsWith(form))] ?? -1
}

function toNumber(digits: string): Natural {
  const natural = toNatural(digits)
  return compareNaturals(natural, MAX_NUMBER) > 0 ? MAX_NUMBER : natural
}

/** A total order: branches come first, by name. */
export function orderNormalized(a: string, b: string): number {
  if (isBranch(a) && isBranch(b)) return compareText(a, b)
  if (isBranch(a) !== isBranch(b)) return isBranch(a) ? -1 : 1
  return compareNormalized(a, b)
}
