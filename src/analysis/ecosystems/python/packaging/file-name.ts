import { toProjectName } from './project-name.ts'

/** The parsed name of a published file. */
export interface FileName {
  readonly project: string
  readonly version: string
  /** Undefined for a source distribution. */
  readonly wheel: WheelTags | undefined
}

/** Tags of a wheel (PEP 427): each may contain several, joined by dots. */
export interface WheelTags {
  readonly build: string | undefined
  readonly pythons: readonly string[]
  readonly abis: readonly string[]
  readonly platforms: readonly string[]
}

/** File endings that pip unpacks. */
const archive = /\.(?:zip|tar\.gz|tgz|tar\.bz2|tbz|tar\.xz|txz|tar\.lzma|tlz|tar\.lz|tar)$/i
const interpreterAtEnd = /-py[123]\.?[0-9]?$/

export function isArchiveName(name: string): boolean {
  return archive.test(name) || /\.whl$/i.test(name)
}

/**
 * Parses a file name: wheels by PEP 427; for source distributions the known project name marks where the version
 * begins, as in pip, since both may contain hyphens. Undefined for files that pip does not install (eggs, installers)
 * and files of other projects.
 */
export function parseFileName(filename: string, project: string): FileName | undefined {
  if (/\.whl$/i.test(filename)) return parseWheelName(filename, project)
  const stem = filename.replace(archive, '')
  if (stem === filename) return undefined
  for (let at = stem.indexOf('-'); at !== -1; at = stem.indexOf('-', at + 1)) {
    if (toProjectName(stem.slice(0, at)) !== project) continue
    const version = stem.slice(at + 1)
    return version === '' || interpreterAtEnd.test(version) ? undefined : { project, version, wheel: undefined }
  }
  return undefined
}

function parseWheelName(filename: string, project: string): FileName | undefined {
  const wheel = parseWheel(filename)
  return wheel?.project === project ? wheel : undefined
}

/** Parses a wheel's name, which includes its project. */
export function parseWheel(filename: string): FileName | undefined {
  const parts = filename.slice(0, -'.whl'.length).split('-')
  if (parts.length !== 5 && parts.length !== 6) return undefined
  const [name = '', version = ''] = parts
  const [python = '', abi = '', platform = ''] = parts.slice(-3)
  const build = parts.length === 6 ? parts[2] : undefined
  if (name === '' || version === '' || (build !== undefined && !/^\d/.test(build))) return undefined
  const tags = { build, pythons: python.split('.'), abis: abi.split('.'), platforms: platform.split('.') }
  return { project: toProjectName(name), version, wheel: tags }
}
