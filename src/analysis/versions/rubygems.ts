import {
  compareNaturals,
  compareText,
  isNumeric,
  type Natural,
  toNatural,
  toNextNatural,
  trimWhere,
} from './naturals.ts'
import { refusedFirst } from './refused-first.ts'
import type { VersionScheme } from './version-scheme.ts'

type Segment = { readonly number: Natural } | { readonly text: string }

interface GemVersion {
  /** As written. */
  readonly segments: readonly Segment[]
  /** Without trailing zeros of the leading numbers and of the whole. */
  readonly canonical: readonly Segment[]
}

interface Requirement {
  readonly operator: string
  readonly version: GemVersion
}

/** `Gem::Version::VERSION_PATTERN`. */
const VERSION = /^\d+(?:\.[\da-z]+)*(?:-[\da-z-]+(?:\.[\da-z-]+)*)?$/i
const ZERO: Segment = { number: '0' }
const OPERATORS = ['>=', '<=', '!=', '~>', '=', '>', '<']

/**
 * Gem versions in the order of `Gem::Version`, with ranges of `Gem::Requirement` (RubyGems' lib/rubygems/version.rb and
 * requirement.rb): the empty version is `0`, a hyphen is `.pre.`, letters make a pre-release. A range is a
 * comma-separated list of requirements that must all hold. Pre-release rules of resolvers are not applied: `>= 1.0`
 * accepts `2.0.a`, as `satisfied_by?` does.
 */
export const rubygemsVersions: VersionScheme = {
  id: 'rubygems',
  isValid: (version) => parse(version) !== undefined,
  compare: refusedFirst(parse, order),
  satisfies,
  isRange: (range) => parseRequirements(range) !== undefined,
}

/**
 * Splits a version of a gem's full name, such as `1.12.5-x86_64-linux`, as Bundler's LockfileParser does. RubyGems
 * publishes no version with a hyphen; `Gem::Version` would take the platform for a pre-release.
 */
export function splitPlatform(text: string): { readonly version: string; readonly platform: string | undefined } {
  const hyphen = text.indexOf('-')
  if (hyphen === -1) return { version: text, platform: undefined }
  return { version: text.slice(0, hyphen), platform: text.slice(hyphen + 1) }
}

function parse(text: string): GemVersion | undefined {
  const trimmed = trimRubySpace(text)
  if (trimmed === '') return toVersion([ZERO])
  return VERSION.test(trimmed) ? toVersion(toSegments(trimmed)) : undefined
}

/** Trims Ruby's `\s`; JavaScript's `trim` removes more. */
function trimRubySpace(text: string): string {
  return trimWhere(text, (code) => code === 0x20 || (code >= 0x09 && code <= 0x0d))
}

function toSegments(text: string): Segment[] {
  return (text.match(/\d+|[a-z]+|-/gi) ?? []).map((token) => {
    if (isNumeric(token)) return { number: toNatural(token) }
    return { text: token === '-' ? 'pre' : token }
  })
}

function toVersion(segments: readonly Segment[]): GemVersion {
  const numbers = leadingNumbers(segments)
  const canonical = [...withoutTrailingZeros(numbers), ...withoutTrailingZeros(segments.slice(numbers.length))]
  return { segments, canonical }
}

function leadingNumbers(segments: readonly Segment[]): readonly Segment[] {
  const firstText = segments.findIndex((segment) => 'text' in segment)
  return firstText < 0 ? segments : segments.slice(0, firstText)
}

function withoutTrailingZeros(segments: readonly Segment[]): readonly Segment[] {
  let end = segments.length
  while (end > 0 && isZero(segments[end - 1]!)) end--
  return segments.slice(0, end)
}

function isZero(segment: Segment): boolean {
  return 'number' in segment && segment.number === '0'
}

function order(a: GemVersion, b: GemVersion): number {
  const length = Math.max(a.canonical.length, b.canonical.length)
  for (let i = 0; i < length; i++) {
    const difference = orderSegments(a.canonical[i] ?? ZERO, b.canonical[i] ?? ZERO)
    if (difference !== 0) return difference
  }
  return 0
}

function orderSegments(a: Segment, b: Segment): number {
  if ('text' in a) return 'text' in b ? compareText(a.text, b.text) : -1
  return 'text' in b ? 1 : compareNaturals(a.number, b.number)
}

function parseRequirements(range: string): Requirement[] | undefined {
  const requirements: Requirement[] = []
  for (const part of range.split(',')) {
    const trimmed = trimRubySpace(part)
    const operator = OPERATORS.find((candidate) => trimmed.startsWith(candidate)) ?? ''
    const text = trimRubySpace(trimmed.slice(operator.length))
    const version = text === '' ? undefined : parse(text)
    if (version === undefined) return undefined
    requirements.push({ operator, version })
  }
  return requirements
}

function satisfies(text: string, range: string): boolean {
  const version = parse(text)
  const requirements = parseRequirements(range)
  if (version === undefined || requirements === undefined) return false
  return requirements.every((requirement) => meets(version, requirement))
}

function meets(version: GemVersion, { operator, version: bound }: Requirement): boolean {
  const difference = order(version, bound)
  switch (operator) {
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
      return difference >= 0 && order(toRelease(version), toBumped(bound)) < 0
    default:
      return difference === 0
  }
}

function toRelease(version: GemVersion): GemVersion {
  return toVersion(leadingNumbers(version.segments))
}

/** Returns the next version of the second to last number: 5.3.1 and 5.3.b become 5.4 and 6. */
function toBumped(version: GemVersion): GemVersion {
  const numbers = leadingNumbers(version.segments)
  const kept = numbers.length > 1 ? numbers.slice(0, -1) : numbers
  const last = kept[kept.length - 1] ?? ZERO
  return toVersion([...kept.slice(0, -1), { number: toNextNatural('number' in last ? last.number : '0') }])
}
