import { npmVersions } from '#analysis/versions/npm.ts'
import type { Package } from '../../dependency-graph.ts'
import type { NpmReader } from '../../registries/npm.ts'
import type { Manifest, ReadOptions, WhatIfResolver } from '../ecosystem.ts'
import type { Dependency } from './dependency.ts'
import { type ManifestFiles, sortFiles } from './manifest-files.ts'
import type { PackageJson } from './package-json.ts'
import { askingFor, resolveBelow, resolveProject } from './resolve.ts'

/** Resolves a project without a lockfile as a whole; with one, only the dependencies of the upgraded packages. */
export function whatIfResolver(
  manifest: Manifest | undefined,
  reader: NpmReader,
  options: ReadOptions,
): WhatIfResolver {
  // Most tests verify no upgrade, so the files are read on demand.
  let opened: Opened | undefined
  const open = () => {
    opened ??= openFiles(manifest)
    return opened
  }
  return {
    get isSameForAll() {
      const { openProject, overrides } = open()
      return openProject === undefined && overrides === undefined
    },
    candidates: (direct) => newerVersions(direct, reader),
    read(wanted) {
      const { openProject, overrides } = open()
      if (openProject === undefined) {
        return resolveBelow({ dependencies: wanted.map(exactly), overrides }, reader, options)
      }
      const { project, members } = openProject
      const asking = { project: askingFor(project, wanted), members: members.map((each) => askingFor(each, wanted)) }
      return resolveProject({ ...openProject, ...asking }, reader, options)
    },
  }
}

interface Opened {
  /** Undefined with locked versions. */
  readonly openProject: (ManifestFiles & { readonly project: PackageJson }) | undefined
  readonly overrides: PackageJson['overrides']
}

function openFiles(manifest: Manifest | undefined): Opened {
  const files = manifest && sortFiles(manifest)
  const { project, lock } = files ?? {}
  const isOpen = files !== undefined && project !== undefined && lock === undefined
  return { openProject: isOpen ? { ...files, project } : undefined, overrides: project?.overrides }
}

/**
 * Returns newer versions for their intended users: pre-releases only for users of one, deprecated versions only of
 * major versions without others.
 */
export async function newerVersions({ name, version }: Package, reader: NpmReader): Promise<string[] | undefined> {
  const metadata = await reader.get(name)
  if (metadata === undefined) return undefined
  const takesPrereleases = version.includes('-')
  const newer = Object.keys(metadata.versions)
    .filter((each) => npmVersions.compare(each, version) > 0 && (takesPrereleases || !each.includes('-')))
    .sort(npmVersions.compare)
  const majorOf = (each: string) => each.split('.')[0]
  const supported = newer.filter((each) => !metadata.versions[each]!.deprecated)
  const supportedMajors = new Set(supported.map(majorOf))
  return newer.filter((each) => supported.includes(each) || !supportedMajors.has(majorOf(each)))
}

export function exactly({ name, version }: Package): Dependency {
  return { name, range: version, kind: 'prod', mayBeAbsent: false }
}
