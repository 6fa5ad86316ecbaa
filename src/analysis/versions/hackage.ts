import { compareNaturals, type Natural, toNatural } from './naturals.ts'
import { refusedFirst } from './refused-first.ts'
import type { VersionScheme } from './version-scheme.ts'

type Numbers = readonly Natural[]

const VERSION = /^(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8}))*$/
const COMPARATOR = /^ *(>=|<=|==|\^>=|[<>=]|) *([\d.]+?)(\.\*)? *$/
const MAX_RANGE = 1_000

/** Versions of Haskell packages, as Cabal compares them: `1.0` is older than `1.0.0`. Its ranges, without parentheses. */
export const hackageVersions: VersionScheme = {
  id: 'hackage',
  isValid: (version) => parse(version) !== undefined,
  compare: refusedFirst(parse, compareNumbers),
  satisfies(text, range) {
    const version = parse(text)
    return version !== undefined && judge(version, range) === true
  },
  isRange: (range) => judge(['0'], range) !== undefined,
}

function parse(text: string): Numbers | undefined {
  return VERSION.test(text) ? text.split('.').map(toNatural) : undefined
}

/** Undefined for text that is no range. */
function judge(version: Numbers, range: string): boolean | undefined {
  if (range.length > MAX_RANGE) return undefined
  const sets = range.split('||').map((part) => part.split('&&').map((one) => accepts(version, one)))
  if (sets.some((set) => set.includes(undefined))) return undefined
  return sets.some((set) => set.every((isMet) => isMet === true))
}

function accepts(version: Numbers, comparator: string): boolean | undefined {
  if (/^ *(?:\*|-any) *$/.test(comparator)) return true
  const [, operator, text = '', wildcard] = COMPARATOR.exec(comparator) ?? []
  const bound = parse(text)
  if (operator === undefined || bound === undefined) return undefined
  const isBelow = (length: number) => compareNumbers(version.slice(0, length), bound.slice(0, length)) <= 0
  const difference = compareNumbers(version, bound)
  if (wildcard !== undefined) return operator === '==' ? difference >= 0 && isBelow(bound.length) : undefined
  if (operator === '^>=') return difference >= 0 && isBelow(2)
  return isOn(operator, difference)
}

function compareNumbers(a: Numbers, b: Numbers): number {
  const at = a.findIndex((number, index) => number !== b[index])
  if (at === -1 || b[at] === undefined) return a.length - b.length
  return compareNaturals(a[at]!, b[at])
}

function isOn(operator: string, difference: number): boolean {
  if (operator === '>') return difference > 0
  if (operator === '>=') return difference >= 0
  if (operator === '<') return difference < 0
  return operator === '<=' ? difference <= 0 : difference === 0
}
