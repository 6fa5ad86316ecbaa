import { type Packing, packBits, packNatural, startPacking, toPacked } from './packing.ts'
import { isMet, namesPrerelease, parseSpecifiers, type Specifier } from './pep440-specifiers.ts'
import {
  isPrerelease,
  orderReleases,
  orderVersions,
  type PythonVersion,
  parsePythonVersion,
  toPreRank,
} from './pep440-version.ts'
import { refusedFirst } from './refused-first.ts'
import type { VersionScheme } from './version-scheme.ts'

/** Numbers of a release in `coarse`, followed by ranks (`toPreRank`). */
const PACKED_NUMBERS = 4
const POST_RANK = 5
const LONGER_RANK = 7

/**
 * Python versions in PEP 440's order, as the `packaging` library (26) reads them. A range is a comma-separated set of
 * specifiers; the empty set accepts every release. Pre-releases are accepted only if a specifier names one, as pip does
 * while some release fits.
 */
export const pep440Versions: VersionScheme = {
  id: 'pep440',
  isValid: (version) => parsePythonVersion(version) !== undefined,
  compare: refusedFirst(parsePythonVersion, orderVersions),
  coarse,
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

function coarse(text: string): number {
  const version = parsePythonVersion(text)
  if (version === undefined) return 0
  const packing = startPacking()
  packBits(packing, version.epoch === '0' ? 0 : 1, 1)
  if (version.epoch !== '0') packNatural(packing, version.epoch)
  for (let i = 0; i < PACKED_NUMBERS; i++) packNatural(packing, version.release[i] ?? '0')
  const isLonger = orderReleases(version.release.slice(PACKED_NUMBERS), []) > 0
  if (isLonger) packBits(packing, LONGER_RANK, 3)
  else packSuffix(packing, version)
  return toPacked(packing)
}

function packSuffix(packing: Packing, version: PythonVersion): void {
  const isPost = version.pre === undefined && version.post !== undefined
  packBits(packing, isPost ? POST_RANK : toPreRank(version), 3)
  const number = version.pre?.number ?? version.post ?? version.dev
  if (number !== undefined) packNatural(packing, number)
}
