import { compareNaturals, type Natural, toNatural } from './naturals.ts'
import { refusedFirst } from './refused-first.ts'
import type { VersionScheme } from './version-scheme.ts'

interface Comparator {
  readonly operator: string
  readonly version: readonly Natural[]
}

const VERSION = /^\d+(?:[.-]\d+)+$/
const COMPARATOR = /^\s*(>=|<=|==|!=|>|<)\s*(\d+(?:[.-]\d+)*)\s*$/
const MAX_RANGE_LENGTH = 4096

/**
 * Versions of R packages in the order of R's operators (`package_version`): two numbers or more between dots or hyphens;
 * zeros at the end do not count. Ranges are comparators of DESCRIPTION files, joined by commas.
 */
export const cranVersions: VersionScheme = {
  id: 'cran',
  isValid: (version) => parse(version) !== undefined,
  compare: refusedFirst(parse, order),
  satisfies(text, range) {
    const version = parse(text)
    return version !== undefined && (parseRange(range)?.every((comparator) => isMet(comparator, version)) ?? false)
  },
  isRange: (range) => parseRange(range) !== undefined,
}

function parse(text: string): readonly Natural[] | undefined {
  return VERSION.test(text) ? toNumbers(text) : undefined
}

function toNumbers(text: string): readonly Natural[] {
  return text.split(/[.-]/).map(toNatural)
}

function order(a: readonly Natural[], b: readonly Natural[]): number {
  for (let i = 0; i < a.length || i < b.length; i++) {
    const difference = compareNaturals(a[i] ?? '0', b[i] ?? '0')
    if (difference !== 0) return difference
  }
  return 0
}

function parseRange(range: string): Comparator[] | undefined {
  if (range.length > MAX_RANGE_LENGTH) return undefined
  const comparators: Comparator[] = []
  for (const part of range.split(',')) {
    const [, operator, version] = COMPARATOR.exec(part) ?? []
    if (operator === undefined) return undefined
    comparators.push({ operator, version: toNumbers(version!) })
  }
  return comparators
}

function isMet({ operator, version: bound }: Comparator, version: readonly Natural[]): boolean {
  const difference = order(version, bound)
  switch (operator) {
    case '>':
      return difference > 0
    case '>=':
      return difference >= 0
    case '<':
      return difference < 0
    case '<=':
      return difference <= 0
    case '!=':
      return difference !== 0
    default:
      return difference === 0
  }
}
