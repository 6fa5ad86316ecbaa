import { compareText, trimWhere } from './naturals.ts'
import { refusedFirst } from './refused-first.ts'
import type { VersionScheme } from './version-scheme.ts'

interface NuGetVersion {
  /** Major, minor, patch and revision. */
  readonly numbers: readonly number[]
  /** In upper case; none for a release. */
  readonly labels: readonly string[]
}

/** The bounds of a range; a missing one is open. */
export interface NuGetRange {
  readonly min?: string
  readonly includesMin: boolean
  readonly max?: string
  readonly includesMax: boolean
  /** True if the tool chooses the highest version that fits, not the lowest. */
  readonly isFloating: boolean
}

const VERSION = /^([^-+]+)(?:-([\da-z.-]+))?(?:\+[\da-z-]+(?:\.[\da-z-]+)*)?$/i
/** A number without leading zeros, or a word. */
const LABEL = /^(?:0|[1-9]\d*|\d*[A-Z-][\dA-Z-]*)$/
const NUMBER = /^[\t-\r ]*(\d+)[\t-\r ]*$/
const INTEGER = /^-?\d+$/
const [MIN_INTEGER, MAX_INTEGER] = [-2_147_483_648, 2_147_483_647]
/** One asterisk at the end, or two around the beginning of the pre-release: `1.*`, `1.0.0-beta*`, `1.*-*`. */
const FLOATING = /^([^*+-]*)(\*?)(?:-([^*+]*)\*)?$/

/**
 * NuGet's versions in the order of NuGet.Versioning: one to four numbers of 32 bits, pre-release labels that ignore case,
 * build metadata that counts for nothing. A range is a lowest version (`1.0`), an interval (`[1.0,2.0)`) or a floating
 * version (`1.*`), which alone has only a lower bound.
 */
export const nugetVersions: VersionScheme = {
  id: 'nuget',
  isValid: (version) => parse(version) !== undefined,
  compare: refusedFirst(parse, order),
  satisfies,
  isRange: (range) => parseNuGetRange(range) !== undefined,
}

function parse(text: string): NuGetVersion | undefined {
  const [, release = '', labels] = VERSION.exec(trim(text)) ?? []
  const numbers = release.split('.').map((part) => Number(NUMBER.exec(part)?.[1] ?? Number.NaN))
  if (numbers.length > 4 || !numbers.every((number) => number <= MAX_INTEGER)) return undefined
  const upperLabels = labels?.toUpperCase().split('.') ?? []
  return upperLabels.every((label) => LABEL.test(label)) ? { numbers, labels: upperLabels } : undefined
}

/** Trims the white space of .NET, which is that of JavaScript but for two characters. */
function trim(text: string): string {
  return trimWhere(text, (code) => code === 0x85 || (code !== 0xfeff && String.fromCharCode(code).trim() === ''))
}

function order(a: NuGetVersion, b: NuGetVersion): number {
  for (let i = 0; i < 4; i++) {
    const difference = (a.numbers[i] ?? 0) - (b.numbers[i] ?? 0)
    if (difference !== 0) return difference
  }
  if (a.labels.length === 0 || b.labels.length === 0) return b.labels.length - a.labels.length
  for (const [i, label] of a.labels.entries()) {
    const other = b.labels[i]
    if (other === undefined) return 1
    const difference = orderLabels(label, other)
    if (difference !== 0) return difference
  }
  return a.labels.length - b.labels.length
}

function orderLabels(a: string, b: string): number {
  const [left, right] = [toInteger(a), toInteger(b)]
  if (left !== undefined && right !== undefined) return left - right
  if (left === undefined && right === undefined) return compareText(a, b)
  return left === undefined ? 1 : -1
}

/** Returns a label as a number; longer ones than 32 bits are text. */
function toInteger(label: string): number | undefined {
  const number = INTEGER.test(label) ? Number(label) : Number.NaN
  return number >= MIN_INTEGER && number <= MAX_INTEGER ? number : undefined
}

/** Parses a range as `VersionRange.TryParse` does; undefined for text that it refuses. */
export function parseNuGetRange(range: string): NuGetRange | undefined {
  const text = trim(range)
  if (!/^[[(]/.test(text)) return text === '' ? undefined : boundsOf(text, undefined, '[)')
  const parts = text.slice(1, -1).split(',')
  const brackets = `${text[0]}${text.at(-1)}`
  if (!/[\])]$/.test(text) || text.length < 3 || parts.length > 2 || parts.every((part) => part === ''))
    return undefined
  if (parts.length === 1 && brackets !== '[]') return undefined
  return boundsOf(parts[0]!, parts[1] ?? parts[0]!, brackets)
}

function boundsOf(lower: string, upper: string | undefined, brackets: string): NuGetRange | undefined {
  const float = lower.includes('*') ? floorOf(lower) : undefined
  const min = trim(float ?? lower)
  const max = trim(upper ?? '')
  if (lower.includes('*') && float === undefined) return undefined
  if ([min, max].some((bound) => bound !== '' && parse(bound) === undefined)) return undefined
  const [includesMin, includesMax] = [brackets[0] === '[', brackets[1] === ']']
  const difference = min === '' || max === '' ? -1 : nugetVersions.compare(min, max)
  if (difference > 0 || (difference === 0 && includesMin !== includesMax)) return undefined
  return {
    ...(min !== '' && { min }),
    includesMin,
    ...(max !== '' && { max }),
    includesMax,
    isFloating: float !== undefined,
  }
}

/** Returns the lowest version of a floating one. */
function floorOf(floating: string): string | undefined {
  const [, release, star, label] = FLOATING.exec(floating) ?? []
  if (release === undefined || (star === '' && label === undefined)) return undefined
  const numbers = star === '*' ? `${release}0` : release
  if (label === undefined) return numbers
  const needsZero = label === '' || (label.endsWith('.') && (star === '*' || !label.includes('-')))
  return `${numbers}-${label}${needsZero ? '0' : ''}`
}

function satisfies(text: string, range: string): boolean {
  const version = parse(text)
  const bounds = parseNuGetRange(range)
  if (version === undefined || bounds === undefined) return false
  const { min, max, includesMin, includesMax } = bounds
  const above = min === undefined ? 1 : order(version, parse(min)!)
  const below = max === undefined ? 1 : order(parse(max)!, version)
  return above >= (includesMin ? 0 : Number.MIN_VALUE) && below >= (includesMax ? 0 : Number.MIN_VALUE)
}
