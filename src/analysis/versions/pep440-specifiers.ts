import type { Natural } from './naturals.ts'
import {
  isPrerelease,
  isPythonSpace,
  orderPublic,
  orderReleases,
  orderVersions,
  type PythonVersion,
  parseBareVersion,
  parsePythonVersion,
  trimPythonSpace,
} from './pep440-version.ts'

export type Specifier = Identity | Comparison

/** `===`, which compares the text of versions literally. */
interface Identity {
  readonly operator: '==='
  readonly text: string
}

interface Comparison {
  readonly operator: '~=' | '==' | '!=' | '<=' | '>=' | '<' | '>'
  readonly version: PythonVersion
  /** Written with a final `.*`. */
  readonly isPrefix: boolean
}

const OPERATORS = ['===', '~=', '==', '!=', '<=', '>=', '<', '>'] as const

/** Parses comma-separated specifiers; an empty set is valid. */
export function parseSpecifiers(range: string): Specifier[] | undefined {
  const specifiers: Specifier[] = []
  for (const part of range.split(',')) {
    const text = trimPythonSpace(part)
    if (text === '') continue
    const specifier = parseSpecifier(text)
    if (specifier === undefined) return undefined
    specifiers.push(specifier)
  }
  return specifiers
}

function parseSpecifier(part: string): Specifier | undefined {
  const operator = OPERATORS.find((candidate) => part.startsWith(candidate))
  if (operator === undefined) return undefined
  const text = trimPythonSpace(part.slice(operator.length))
  if (operator === '===') return isArbitrary(text) ? { operator, text } : undefined
  const isEquality = operator === '==' || operator === '!='
  const isPrefix = isEquality && text.endsWith('.*')
  const version = parseBareVersion(isPrefix ? text.slice(0, -2) : text)
  if (version === undefined) return undefined
  if (isPrefix && !isPlain(version)) return undefined
  if (!isEquality && version.local !== undefined) return undefined
  if (operator === '~=' && version.release.length < 2) return undefined
  return { operator, version, isPrefix }
}

function isArbitrary(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x3b || code === 0x29 || isPythonSpace(code)) return false
  }
  return true
}

function isPlain({ pre, post, dev, local }: PythonVersion): boolean {
  return pre === undefined && post === undefined && dev === undefined && local === undefined
}

/** Returns true if a specifier names a pre-release, which allows them; `!=` and prefixes never do. */
export function namesPrerelease(specifier: Specifier): boolean {
  if (specifier.operator === '!=') return false
  const version = specifier.operator === '===' ? parsePythonVersion(specifier.text) : specifier.version
  return version !== undefined && isPrerelease(version)
}

/** Checks the bounds alone, ignoring pre-release rules. `version` is the parsed `text`. */
export function isMet(specifier: Specifier, text: string, version: PythonVersion | undefined): boolean {
  if (specifier.operator === '===') return text.toLowerCase() === specifier.text.toLowerCase()
  return version !== undefined && compares(version, specifier)
}

function compares(version: PythonVersion, { operator, version: bound, isPrefix }: Comparison): boolean {
  switch (operator) {
    case '==':
      return isPrefix ? hasPrefix(version, bound, bound.release) : isSame(version, bound)
    case '!=':
      return isPrefix ? !hasPrefix(version, bound, bound.release) : !isSame(version, bound)
    case '~=':
      return orderVersions(version, bound) >= 0 && hasPrefix(version, bound, bound.release.slice(0, -1))
    case '<=':
      return orderPublic(version, bound) <= 0
    case '>=':
      return orderVersions(version, bound) >= 0
    case '<':
      return isBefore(version, bound)
    case '>':
      return isAfter(version, bound)
  }
}

/** Compares for equality; a local part counts only if the specifier has one. */
function isSame(version: PythonVersion, bound: PythonVersion): boolean {
  return (bound.local === undefined ? orderPublic(version, bound) : orderVersions(version, bound)) === 0
}

function hasPrefix(version: PythonVersion, { epoch }: PythonVersion, prefix: readonly Natural[]): boolean {
  return version.epoch === epoch && prefix.every((number, i) => (version.release[i] ?? '0') === number)
}

/** Checks `<`: `<1.0` excludes pre-releases of 1.0, unless the bound is one itself. */
function isBefore(version: PythonVersion, bound: PythonVersion): boolean {
  return orderVersions(version, isPrerelease(bound) ? bound : { ...bound, dev: '0' }) < 0
}

/** Checks `>`: `>1.0` excludes post-releases and local versions of 1.0; `>1.0.post1` includes later ones. */
function isAfter(version: PythonVersion, bound: PythonVersion): boolean {
  if (orderPublic(version, bound) <= 0) return false
  if (bound.dev !== undefined || bound.post !== undefined) return true
  const isSameFamily =
    version.epoch === bound.epoch &&
    orderReleases(version.release, bound.release) === 0 &&
    version.pre?.rank === bound.pre?.rank &&
    version.pre?.number === bound.pre?.number
  return !isSameFamily
}
