import type { MavenReader } from '../../registries/maven.ts'
import type { Manifest, ReadOptions, UpgradeTrials } from '../ecosystem.ts'
import { newerVersions, upgradeTrials as upgradeTrialsOfPackage } from '../maven/upgrades.ts'
import { openBuild } from './project.ts'

/** The whole build is resolved again: a newer version elsewhere would win. */
export function upgradeTrials(
  manifest: Manifest | undefined,
  reader: MavenReader,
  options: ReadOptions,
): UpgradeTrials {
  if (manifest === undefined) return upgradeTrialsOfPackage(undefined, reader, options)
  let opened: ReturnType<typeof openBuild> | undefined
  const build = () => {
    opened ??= openBuild(manifest, reader, options)
    return opened
  }
  return {
    isSameForAll: false,
    candidates: async (direct) => newerVersions(direct, build().reads),
    read: async (wanted) => build().resolve(wanted),
  }
}
