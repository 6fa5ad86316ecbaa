import type { Manifest, ReadOptions, WhatIfResolver } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader } from '#analysis/registries/npm.ts'
import { exactly, newerVersions } from '../newer-versions.ts'
import type { PackageJson } from '../package-json.ts'
import { askingFor, resolveBelow, resolveProject } from '../resolution/resolve.ts'
import { type ManifestFiles, sortFiles } from './manifest-files.ts'

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
    read(upgrades) {
      const { openProject, overrides } = open()
      if (openProject === undefined) {
        return resolveBelow({ dependencies: upgrades.map(exactly), overrides }, reader, options)
      }
      const { project, members } = openProject
      const asking = {
        project: askingFor(project, upgrades),
        members: members.map((member) => askingFor(member, upgrades)),
      }
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
