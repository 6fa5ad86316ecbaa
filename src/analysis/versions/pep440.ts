import { isMet, namesPrerelease, parseSpecifiers, type Specifier } from './pep440-specifiers.ts'
import { isPrerelease, orderVersions, parsePythonVersion } from './pep440-version.ts'
import { refusedFirst } from './refused-first.ts'
import type { VersionScheme } from './version-scheme.ts'

/**
 * Python versions in PEP 440's order, as the `packaging` library (26) reads them. A range is a comma-separated set of
 * specifiers; the empty set accepts every release. Pre-releases are accepted only if a specifier names one, as pip does
 * while some release fits.
 */
export const pep440Versions: VersionScheme = {
  id: 'pep440',
  isValid: (version) => parsePythonVersion(version) !== undefined,
  compare: refusedFirst(parsePythonVersion, orderVersions),
  toPublic: (version) => version.replace(/\+.*$/s, ''),
  satisfies,
  isRange: (range) => parseSpecifiers(range) !== undefined,
}

function satisfies(text: string, range: string): boolean {
  const specifiers = parseSpecifiers(range)
  if (specifiers === undefined || !meetsAll(text, specifiers)) return false
  return specifiers.some(namesPrerelease) || !isPrereleaseText(text)
}

function meetsAll(text: string, specifiers: readonly Specifier[]): boolean {
  const version = parsePythonVersion(text)
  return specifiers.every((specifier) => isMet(specifier, text, version))
}

function isPrereleaseText(text: string): boolean {
  const version = parsePythonVersion(text)
  return version !== undefined && isPrerelease(version)
}
