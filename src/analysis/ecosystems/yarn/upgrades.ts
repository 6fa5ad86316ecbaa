import type { NpmReader } from '../../registries/npm.ts'
import type { Manifest, ReadOptions, UpgradeTrials } from '../ecosystem.ts'
import { askingFor, exactly, newerVersions } from '../npm/upgrades.ts'
import { sortFiles } from './manifest-files.ts'
import { noResolutions } from './resolutions.ts'
import { resolveProject } from './resolve.ts'

const nobody = { name: undefined, version: undefined, workspaces: [], overrides: undefined }

/** A project without a yarn.lock is resolved as a whole; of one with a lock, what the packages in question lead to. */
export function upgradeTrials(manifest: Manifest | undefined, reader: NpmReader, options: ReadOptions): UpgradeTrials {
  const files = manifest && sortFiles(manifest)
  const resolutions = files?.resolutions ?? noResolutions
  const isLocked = files === undefined || files.project === undefined || files.lock !== undefined
  return {
    isSameForAll: isLocked && resolutions.size === 0,
    candidates: (direct) => newerVersions(direct, reader),
    read(wanted) {
      const { project } = files ?? {}
      const { project: asking, members } =
        files === undefined || project === undefined || isLocked
          ? { project: { ...nobody, dependencies: wanted.map(exactly) }, members: [] }
          : { project: askingFor(project, wanted), members: files.members.map((each) => askingFor(each, wanted)) }
      return resolveProject({ project: asking, members, resolutions, lock: undefined, filesRead: [] }, reader, options)
    },
  }
}
