import { compareNaturals, compareText, type Natural, toNatural, toNextNatural } from './naturals.ts'
import { refusedFirst } from './refused-first.ts'
import type { VersionScheme } from './version-scheme.ts'

type Item = { readonly number: Natural; readonly isNegative: boolean } | { readonly text: string }
type Items = readonly Item[]

interface ConanVersion {
  readonly text: string
  readonly main: Items
  readonly pre: Items | undefined
  readonly build: Items | undefined
}

interface Condition {
  readonly operator: string
  readonly version: ConanVersion
}

interface Alternative {
  readonly conditions: readonly Condition[]
  readonly allowsPrereleases: boolean
}

/** `RecipeReference.validate_ref` of Conan 2. */
const VERSION = /^[a-z0-9_][a-z0-9_+.-]{0,100}$/
const MAX_RANGE_LENGTH = 4096

/**
 * Conan's versions and ranges (`Version` and `VersionRange` of Conan 2): numbers and words between dots; what follows a
 * hyphen is a pre-release, and what follows a plus a build, which counts. Without `include_prerelease` a range allows no
 * pre-release.
 */
export const conanVersions: VersionScheme = {
  id: 'conan',
  isValid: (version) => parse(version) !== undefined,
  compare: refusedFirst(parse, order),
  satisfies(text, range) {
    const version = parse(text)
    if (version === undefined) return false
    return parseRange(range)?.some((alternative) => allows(alternative, version)) ?? false
  },
  isRange: (range) => parseRange(range) !== undefined,
}

function parse(text: string): ConanVersion | undefined {
  return VERSION.test(text) ? toVersion(text) : undefined
}

function toVersion(text: string): ConanVersion {
  const plus = text.lastIndexOf('+')
  const value = plus < 0 ? text : text.slice(0, plus)
  const hyphen = value.indexOf('-')
  return {
    text,
    main: toItems(hyphen < 0 ? value : value.slice(0, hyphen)),
    pre: hyphen < 0 ? undefined : toItems(value.slice(hyphen + 1)),
    build: plus < 0 ? undefined : toItems(text.slice(plus + 1)),
  }
}

/** Python reads signs, and underscores between digits. */
const NUMBER = /^([+-]?)(\d+(?:_\d+)*)$/

function toItems(text: string): Items {
  return text.split('.').map((item) => {
    const [, sign, digits] = NUMBER.exec(item) ?? []
    return digits === undefined
      ? { text: item }
      : { number: toNatural(digits.replaceAll('_', '')), isNegative: sign === '-' }
  })
}

function isZero(item: Item): boolean {
  return 'number' in item && item.number === '0'
}

function order(a: ConanVersion, b: ConanVersion): number {
  const difference = orderItems(a.main, b.main)
  if (difference !== 0) return difference
  if ((a.pre === undefined) !== (b.pre === undefined)) return a.pre === undefined ? 1 : -1
  return orderOptional(a.pre, b.pre) || orderOptional(a.build, b.build)
}

function orderOptional(a: Items | undefined, b: Items | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  return orderItems(a, b)
}

/** Compares without zeros at the end. */
function orderItems(a: Items, b: Items): number {
  const lengthOfA = a.findLastIndex((item) => !isZero(item)) + 1
  const lengthOfB = b.findLastIndex((item) => !isZero(item)) + 1
  for (let i = 0; i < lengthOfA && i < lengthOfB; i++) {
    const difference = orderItem(a[i]!, b[i]!)
    if (difference !== 0) return difference
  }
  return lengthOfA - lengthOfB
}

function orderItem(a: Item, b: Item): number {
  if (!('number' in a && 'number' in b)) return compareText(toText(a), toText(b))
  const difference = compareNaturals(a.number, b.number)
  if (isZero(a) && isZero(b)) return 0
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1
  return a.isNegative ? -difference : difference
}

function toText(item: Item): string {
  if ('text' in item) return item.text
  return `${item.isNegative && !isZero(item) ? '-' : ''}${item.number}`
}

function parseRange(range: string): Alternative[] | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ranges are ASCII
  if (range === '' || range.length > MAX_RANGE_LENGTH || !/^[\x00-\x7f]*$/.test(range)) return undefined
  const [expression = '', ...options] = range.split(',')
  const included = options.findIndex((option) => option.includes('include_prerelease'))
  const others = included < 0 ? options : options.slice(0, included)
  if (!others.every((option) => /^\s*[a-z]/i.test(option))) return undefined
  const alternatives = expression.split('||').map(parseAlternative)
  if (alternatives.includes(undefined)) return undefined
  return (alternatives as Condition[][]).map((conditions) => ({ conditions, allowsPrereleases: included >= 0 }))
}

function parseAlternative(text: string): Condition[] | undefined {
  const parts = text.trim() === '' ? [''] : text.trim().split(/\s+/)
  const parsed = parts.map(parseCondition)
  return parsed.includes(undefined) ? undefined : parsed.flatMap((conditions) => conditions!)
}

function parseCondition(text: string): Condition[] | undefined {
  if (text === '' || text === '*') return [{ operator: '>=', version: toVersion('0.0.0-') }]
  if (text.length === 1 || /^[^<>]=/.test(text) || /^[^<>=^~]\*$/.test(text)) return undefined
  const [, operator = '', bound = ''] = /^([<>]=?|[\^~=]|)(.*)$/s.exec(text) ?? []
  if (bound === '') return undefined
  if (operator === '~')
    return between(bound.includes('-') ? bound : `${bound}-`, ({ length }) => Math.min(1, length - 1))
  if (operator === '^') return between(bound, (main) => main.findIndex((item) => !isZero(item)))
  if (operator !== '') return [{ operator, version: toBound(operator, bound) }]
  return bound.endsWith('*')
    ? [{ operator: '*', version: toVersion(bound.slice(0, -1)) }]
    : [{ operator: '=', version: toVersion(bound) }]
}

/** A bound before a version excludes its pre-releases, one from it includes them. */
function toBound(operator: string, text: string): ConanVersion {
  const version = toVersion(text)
  return /^(?:>=|<)$/.test(operator) && !text.includes('-') && version.build === undefined
    ? toVersion(`${text}-`)
    : version
}

function between(text: string, toIndex: (main: Items) => number): Condition[] | undefined {
  const { main } = toVersion(text)
  const index = toIndex(main)
  const last = main[index]
  if (last === undefined || !('number' in last) || last.isNegative) return undefined
  const upper = [...main.slice(0, index), { number: toNextNatural(last.number), isNegative: false }]
  const written = upper.map(toText).join('.')
  return [
    { operator: '>=', version: toBound('>=', text) },
    { operator: '<', version: toVersion(`${written}-`) },
  ]
}

function allows({ conditions, allowsPrereleases }: Alternative, version: ConanVersion): boolean {
  if (version.pre !== undefined && !allowsPrereleases) return false
  return conditions.every(({ operator, version: bound }) => {
    if (operator === '*') return version.text.startsWith(bound.text)
    const difference = order(version, bound)
    if (operator === '>') return difference > 0
    if (operator === '>=') return difference >= 0
    if (operator === '<') return difference < 0
    if (operator === '<=') return difference <= 0
    return difference === 0
  })
}
