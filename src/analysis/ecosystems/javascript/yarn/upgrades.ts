import type { Manifest, ReadOptions, WhatIfResolver } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader } from '#analysis/registries/npm.ts'
import { exactly, newerVersions } from '../newer-versions.ts'
import type { PackageJson } from '../package-json.ts'
import { askingFor } from '../resolution/resolve.ts'
import { noResolutions } from '../resolutions.ts'
import { type ManifestFiles, sortFiles } from './manifest-files.ts'
import { resolveProject } from './resolve.ts'
import { noSettings } from './yarn-settings.ts'

const nobody = { name: undefined, version: undefined, workspaces: [], overrides: undefined }

/** Resolves a project without a yarn.lock as a whole; with one, only the dependencies of the upgraded packages. */
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
      const { project, resolutions } = open()
      return project === undefined && resolutions.size === 0
    },
    candidates: (direct) => newerVersions(direct, reader),
    read(upgrades) {
      const { project, members, resolutions } = open()
      const asking =
        project === undefined
          ? { project: { ...nobody, dependencies: upgrades.map(exactly) }, members: [] }
          : { project: askingFor(project, upgrades), members: members.map((member) => askingFor(member, upgrades)) }
      return resolveProject(
        { ...asking, resolutions, settings: noSettings, part: undefined, lock: undefined, filesRead: [], notes: [] },
        reader,
        options,
      )
    },
  }
}

interface Opened extends Pick<ManifestFiles, 'members' | 'resolutions'> {
  /** Undefined with locked versions. */
  readonly project: PackageJson | undefined
}

function openFiles(manifest: Manifest | undefined): Opened {
  if (manifest === undefined) return { project: undefined, members: [], resolutions: noResolutions }
  const { project, members, resolutions, lock } = sortFiles(manifest)
  return { project: lock === undefined ? project : undefined, members, resolutions }
}
