import type { PyPiFile, PyPiProject } from '#analysis/registries/pypi.ts'
import { isMet, namesPrerelease, parseSpecifiers, type Specifier } from '#analysis/versions/pep440-specifiers.ts'
import {
  isPrerelease,
  orderVersions,
  type PythonVersion,
  parsePythonVersion,
} from '#analysis/versions/pep440-version.ts'
import type { PythonEnvironment } from './environment.ts'
import { parseFileName } from './file-name.ts'
import { rankWheel } from './wheel-tags.ts'

/** A file that could be installed as a version of a project. */
export interface PublishedFile {
  readonly filename: string
  readonly version: string
  readonly parsed: PythonVersion
  readonly isWheel: boolean
  readonly isYanked: boolean
  /** The reason for which it cannot be installed here. */
  readonly misfit: string | undefined
  /** Rank among files of one version; smaller is better. */
  readonly rank: number
  readonly build: number
}

/** The requirements file's options about acceptable files. */
export interface FilePolicy {
  readonly prereleases: NameRule
  readonly finalsOnly: NameRule
  readonly noBinary: NameRule
  readonly onlyBinary: NameRule
  readonly prefersBinary: boolean
}

/** A rule for all or for named projects. */
export interface NameRule {
  readonly isForAll: boolean
  readonly names: ReadonlySet<string>
}

const SDIST_RANK = 1e9

/**
 * Lists the files of a project that pip would consider, most preferred first (`CandidateEvaluator` in pip's source).
 */
export function listFiles(
  project: string,
  { files }: PyPiProject,
  { environment, policy }: { environment: PythonEnvironment; policy: FilePolicy },
): PublishedFile[] {
  const listed = files.flatMap((file) => toPublished(file, project, environment))
  const allowed = listed.filter(({ isWheel }) => !isIn(isWheel ? policy.noBinary : policy.onlyBinary, project))
  return allowed.sort(
    (a, b) =>
      Number(a.isYanked) - Number(b.isYanked) ||
      (policy.prefersBinary ? Number(b.isWheel) - Number(a.isWheel) : 0) ||
      orderVersions(b.parsed, a.parsed) ||
      a.rank - b.rank ||
      b.build - a.build,
  )
}

function toPublished(file: PyPiFile, project: string, environment: PythonEnvironment): PublishedFile[] {
  const name = parseFileName(file.filename, project)
  const parsed = name === undefined ? undefined : parsePythonVersion(name.version)
  if (name === undefined || parsed === undefined) return []
  const { wheel } = name
  const rank = wheel === undefined ? SDIST_RANK : rankWheel(wheel, environment)
  return [
    {
      filename: file.filename,
      version: name.version,
      parsed,
      isWheel: wheel !== undefined,
      isYanked: file.yanked,
      misfit: misfitOf(file.requiresPython, rank, environment),
      rank: rank ?? SDIST_RANK + 1,
      build: Number.parseInt(wheel?.build ?? '0', 10),
    },
  ]
}

function misfitOf(requiresPython: string | undefined, rank: number | undefined, { fullVersion }: PythonEnvironment) {
  if (requiresPython !== undefined && !acceptsPython(requiresPython, fullVersion))
    return `it is for Python ${requiresPython}`
  return rank === undefined ? 'its files are for other systems or interpreters' : undefined
}

/** Checks `Requires-Python`; an invalid one is ignored. */
function acceptsPython(requiresPython: string, fullVersion: string): boolean {
  const specifiers = parseSpecifiers(requiresPython)
  return (
    specifiers === undefined || meetsAll(specifiers, { version: fullVersion, parsed: parsePythonVersion(fullVersion) })
  )
}

export function meetsAll(
  specifiers: readonly Specifier[],
  { version, parsed }: { readonly version: string; readonly parsed: PythonVersion | undefined },
): boolean {
  return specifiers.every((specifier) => isMet(specifier, version, parsed))
}

/**
 * Returns one suitable file per version in pip's order. Pre-releases only if a specifier names one, options allow them
 * or nothing else fits; yanked ones (PEP 592) only for a pin that nothing else meets.
 */
export function fittingFiles(
  files: readonly PublishedFile[],
  specifiers: readonly Specifier[],
  { project, policy }: { project: string; policy: FilePolicy },
): PublishedFile[] {
  const meeting = files.filter((file) => file.misfit === undefined && meetsAll(specifiers, file))
  const finals = meeting.filter(({ parsed }) => !isPrerelease(parsed))
  const takesAll = isIn(policy.prereleases, project) || specifiers.some(namesPrerelease)
  const takesFinals = isIn(policy.finalsOnly, project) || (!takesAll && finals.length > 0)
  const candidates = takesFinals ? finals : meeting
  const takesYanked = candidates.every(({ isYanked }) => isYanked) && specifiers.some(isPin)
  const versions = new Set<string>()
  return candidates.filter((file) => {
    if (file.isYanked && !takesYanked) return false
    const key = spelling(file.parsed)
    if (versions.has(key)) return false
    versions.add(key)
    return true
  })
}

/** Returns true for `==` without a wildcard, and `===`. */
export function isPin(specifier: Specifier): boolean {
  return specifier.operator === '===' || (specifier.operator === '==' && !specifier.isPrefix)
}

function isIn({ isForAll, names }: NameRule, project: string): boolean {
  return isForAll || names.has(project)
}

/** Returns a text that is equal for equal versions. */
function spelling({ epoch, release, pre, post, dev, local }: PythonVersion): string {
  const end = release.findLastIndex((number) => number !== '0')
  return JSON.stringify([epoch, release.slice(0, end + 1), pre, post, dev, local])
}
