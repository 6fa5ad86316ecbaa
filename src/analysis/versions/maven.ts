import { parseOnce } from '../parse-once.ts'
import { compareNaturals, compareText, type Natural, toNatural, trimWhere } from './naturals.ts'
import { refusedFirst } from './refused-first.ts'
import type { VersionScheme } from './version-scheme.ts'

/** A number, or a qualifier with its rank among the known ones (`-5` for alpha … 0 for the release … 2 for unknown). */
type Item = { readonly number: Natural } | { readonly rank: number; readonly text: string }

/**
 * Maven nests lists: `1.0-rc-2` is `[1, [rc, [2]]]`. Only the last item of a list can be a list, so the nesting is
 * stored flat: one array of items per level, without recursion.
 */
type Levels = readonly (readonly Item[])[]
type Entry = Item | typeof LIST

const LIST = 'list'

interface Interval {
  readonly lower: Levels | undefined
  readonly includesLower: boolean
  readonly upper: Levels | undefined
  readonly includesUpper: boolean
}

interface Brackets {
  /** Empty for a soft version, which allows every version. */
  readonly intervals: readonly Interval[]
}

const RANKS: ReadonlyMap<string, number> = new Map([
  ['alpha', -5],
  ['beta', -4],
  ['milestone', -3],
  ['rc', -2],
  ['cr', -2],
  ['snapshot', -1],
  ['', 0],
  ['ga', 0],
  ['final', 0],
  ['release', 0],
  ['sp', 1],
])
const UNKNOWN = 2
/** Only before a digit. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['m', 'milestone'],
])

/**
 * Maven versions in the order of Maven 3.9 (org.apache.maven.artifact.versioning.ComparableVersion; 3.8.7 agrees), with
 * ranges as in VersionRange and Restriction of the same package: `[1,2)`, `[1.5]`, `(,1],[2,)`, and the soft `1.0`,
 * which accepts every version. Any text but the empty one is a version.
 *
 * Maven's order is not transitive where a qualifier meets a longer number or a nested list: `1-0.rc < 1 < 1-sp` but
 * `1-sp < 1-0.rc`, and `1.x.1 < 1-rc < 1` but `1 < 1.x.1`. It is followed nevertheless; sort such lists with care. One
 * exception: Maven takes ten or more zeros for a number above 999,999,999; here they are zero.
 */
export const mavenVersions: VersionScheme = {
  id: 'maven',
  isValid: (version) => version !== '',
  compare: refusedFirst((text) => (text === '' ? undefined : parse(text)), orderLevels),
  satisfies,
  isRange: (range) => bracketsOf(range) !== undefined,
}

function parse(version: string): Levels {
  const text = toAsciiDigits(version.toLowerCase())
  const levels: Item[][] = [[]]
  let list = levels[0]!
  let start = 0
  let inDigits = false
  const nest = () => {
    list = []
    levels.push(list)
  }
  const add = (end: number) =>
    list.push(inDigits ? toNumber(text.slice(start, end)) : toQualifier(text.slice(start, end)))

  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x2e || code === 0x2d) {
      if (i === start) list.push({ number: '0' })
      else add(i)
      start = i + 1
      if (code === 0x2d) nest()
    } else if (code >= 0x30 && code <= 0x39) {
      if (!inDigits && i > start) {
        if (list.length > 0) nest()
        const qualifier = text.slice(start, i)
        list.push(toQualifier(SHORT_FORMS.get(qualifier) ?? qualifier))
        start = i
        nest()
      }
      inDigits = true
    } else {
      if (inDigits && i > start) {
        add(i)
        start = i
        nest()
      }
      inDigits = false
    }
  }
  if (text.length > start) {
    if (!inDigits && list.length > 0) nest()
    add(text.length)
  }
  return normalize(levels)
}

/** Converts Unicode decimal digits, which Java accepts; their blocks of ten are aligned by value. */
function toAsciiDigits(text: string): string {
  if (!/[^\x20-\x7e]/.test(text)) return text
  return text.replace(/(?![0-9])[\p{Nd}--[\u{10000}-\u{10ffff}]]/gv, (digit) => {
    let value = 0
    while (value < 9 && /\p{Nd}/u.test(String.fromCharCode(digit.charCodeAt(0) - value - 1))) value++
    return String(value)
  })
}

function toNumber(digits: string): Item {
  return { number: toNatural(digits) }
}

function toQualifier(text: string): Item {
  const rank = RANKS.get(text) ?? UNKNOWN
  return { rank, text: rank === UNKNOWN ? text : '' }
}

/** Removes trailing zeros and release words, and empty lists. */
function normalize(levels: Item[][]): Levels {
  for (const items of levels) while (items.length > 0 && orderItemToNothing(items[items.length - 1]!) === 0) items.pop()
  while (levels.length > 0 && levels[levels.length - 1]!.length === 0) levels.pop()
  return levels
}

function orderLevels(a: Levels, b: Levels): number {
  for (let level = 0; ; level++) {
    for (let i = 0; ; i++) {
      const left = entryAt(a, level, i)
      const right = entryAt(b, level, i)
      if (left === LIST && right === LIST) break
      if (left === undefined && right === undefined) return 0
      let difference: number
      if (right === undefined) difference = orderToNothing(left, a, level)
      else if (left === undefined) difference = -orderToNothing(right, b, level)
      else difference = orderEntries(left, right)
      if (difference !== 0) return difference
    }
  }
}

/** Returns an entry; the nested list follows all items of its list. */
function entryAt(levels: Levels, level: number, i: number): Entry | undefined {
  const items = levels[level] ?? []
  if (i < items.length) return items[i]
  return i === items.length && level + 1 < levels.length ? LIST : undefined
}

/** Orders entries: qualifiers, then lists, then numbers. */
function orderEntries(a: Entry, b: Entry): number {
  if (a === LIST) return b !== LIST && 'rank' in b ? 1 : -1
  if (b === LIST) return 'rank' in a ? -1 : 1
  if ('rank' in a) return 'rank' in b ? a.rank - b.rank || compareText(a.text, b.text) : -1
  return 'rank' in b ? 1 : compareNaturals(a.number, b.number)
}

/** Compares with a missing entry; a list counts as its first non-null entry. */
function orderToNothing(entry: Entry | undefined, levels: Levels, level: number): number {
  if (entry === undefined) return 0
  if (entry !== LIST) return orderItemToNothing(entry)
  for (const items of levels.slice(level + 1)) {
    for (const item of items) {
      const difference = orderItemToNothing(item)
      if (difference !== 0) return difference
    }
  }
  return 0
}

function orderItemToNothing(item: Item): number {
  if ('rank' in item) return item.rank
  return item.number === '0' ? 0 : 1
}

function parseBrackets(range: string): Brackets | undefined {
  const intervals: Interval[] = []
  let before: Levels | undefined
  let at = 0
  while (range[at] === '[' || range[at] === '(') {
    const end = endOfBrackets(range, at)
    const interval = end < 0 ? undefined : parseInterval(range.slice(at, end))
    if (interval === undefined) return undefined
    if (before !== undefined && (interval.lower === undefined || orderLevels(interval.lower, before) < 0))
      return undefined
    intervals.push(interval)
    before = interval.upper
    at = skipJavaSpace(range, end)
    if (range[at] === ',') at = skipJavaSpace(range, at + 1)
  }
  if (at === range.length) return intervals.length > 0 ? { intervals } : undefined
  return intervals.length === 0 ? { intervals } : undefined
}

function endOfBrackets(range: string, start: number): number {
  for (let i = start; i < range.length; i++) if (range[i] === ']' || range[i] === ')') return i + 1
  return -1
}

function parseInterval(text: string): Interval | undefined {
  const includesLower = text.startsWith('[')
  const includesUpper = text.endsWith(']')
  const inner = text.slice(1, -1)
  const comma = inner.indexOf(',')
  if (comma < 0) {
    const only = parse(trimJavaSpace(inner))
    return includesLower && includesUpper ? { lower: only, includesLower, upper: only, includesUpper } : undefined
  }
  const lower = parseBound(inner.slice(0, comma))
  const upper = parseBound(inner.slice(comma + 1))
  if (lower !== undefined && upper !== undefined) {
    const difference = orderLevels(upper, lower)
    if (difference < 0 || (difference === 0 && !(includesLower && includesUpper))) return undefined
  }
  return { lower, includesLower, upper, includesUpper }
}

function parseBound(text: string): Levels | undefined {
  const trimmed = trimJavaSpace(text)
  return trimmed === '' ? undefined : parse(trimmed)
}

/** Trims like Java: every character up to the space. */
function trimJavaSpace(text: string): string {
  return trimWhere(text, (code) => code <= 0x20)
}

function skipJavaSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++
  return at
}

const bracketsOf = parseOnce(parseBrackets)
const levelsOf = parseOnce(parse)

function satisfies(text: string, range: string): boolean {
  const brackets = text === '' ? undefined : bracketsOf(range)
  if (brackets === undefined) return false
  if (brackets.intervals.length === 0) return true
  const version = levelsOf(text)
  return brackets.intervals.some((interval) => isWithin(version, interval))
}

function isWithin(version: Levels, { lower, includesLower, upper, includesUpper }: Interval): boolean {
  if (lower !== undefined) {
    const difference = orderLevels(lower, version)
    if (difference > 0 || (difference === 0 && !includesLower)) return false
  }
  if (upper === undefined) return true
  const difference = orderLevels(upper, version)
  return difference > 0 || (difference === 0 && includesUpper)
}
