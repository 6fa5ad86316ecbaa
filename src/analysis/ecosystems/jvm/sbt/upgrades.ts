import type { Manifest, ReadOptions, WhatIfResolver } from '#analysis/ecosystems/ecosystem.ts'
import type { MavenReader } from '#analysis/registries/maven.ts'
import { newerVersions, packageResolver } from '../newer-versions.ts'
import { openBuild } from './project.ts'

/** Resolves the whole build again: a newer version elsewhere would win. */
export function whatIfResolver(
  manifest: Manifest | undefined,
  reader: MavenReader,
  options: ReadOptions,
): WhatIfResolver {
  if (manifest === undefined) return packageResolver(reader, options)
  let opened: ReturnType<typeof openBuild> | undefined
  const build = () => {
    opened ??= openBuild(manifest, reader, options)
    return opened
  }
  return {
    isSameForAll: false,
    candidates: async (direct) => newerVersions(direct, build().reads),
    read: async (upgrades) => build().resolve(upgrades),
  }
}
