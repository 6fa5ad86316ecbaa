import type { NpmReader } from '../../registries/npm.ts'
import type { Manifest, ReadOptions, UpgradeTrials } from '../ecosystem.ts'
import type { PackageJson } from '../npm/package-json.ts'
import { askingFor, exactly, newerVersions } from '../npm/upgrades.ts'
import { type ManifestFiles, sortFiles } from './manifest-files.ts'
import { noResolutions } from './resolutions.ts'
import { resolveProject } from './resolve.ts'

const nobody = { name: undefined, version: undefined, workspaces: [], overrides: undefined }

/** A project without a yarn.lock is resolved as a whole; of one with a lock, what the packages in question lead to. */
export function upgradeTrials(manifest: Manifest | undefined, reader: NpmReader, options: ReadOptions): UpgradeTrials {
  // Most tests need no trial, so that the files are not read for it before one is made.
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
    read(wanted) {
      const { project, members, resolutions } = open()
      const asking =
        project === undefined
          ? { project: { ...nobody, dependencies: wanted.map(exactly) }, members: [] }
          : { project: askingFor(project, wanted), members: members.map((each) => askingFor(each, wanted)) }
      return resolveProject({ ...asking, resolutions, lock: undefined, filesRead: [], notes: [] }, reader, options)
    },
  }
}

interface Opened extends Pick<ManifestFiles, 'members' | 'resolutions'> {
  /** Undefined where versions are locked. */
  readonly project: PackageJson | undefined
}

function openFiles(manifest: Manifest | undefined): Opened {
  if (manifest === undefined) return { project: undefined, members: [], resolutions: noResolutions }
  const { project, members, resolutions, lock } = sortFiles(manifest)
  return { project: lock === undefined ? project : undefined, members, resolutions }
}
