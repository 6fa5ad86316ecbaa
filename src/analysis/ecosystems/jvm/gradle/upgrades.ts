import type { Package } from '#analysis/dependency-graph.ts'
import type { Manifest, ReadOptions, WhatIfResolver } from '#analysis/ecosystems/ecosystem.ts'
import type { MavenReader } from '#analysis/registries/maven.ts'
import { newerVersions, packageResolver } from '../newer-versions.ts'
import { readPackage } from './package.ts'
import { openProject } from './project.ts'

export function whatIfResolver(
  manifest: Manifest | undefined,
  reader: MavenReader,
  options: ReadOptions,
): WhatIfResolver {
  if (manifest === undefined) {
    const read = ([upgrade]: readonly Package[]) => readPackage(upgrade!, reader, options)
    return { ...packageResolver(reader, options), read }
  }
  let opened: ReturnType<typeof openProject> | undefined
  const project = () => {
    opened ??= openProject(manifest, reader, options)
    return opened
  }
  return {
    isSameForAll: false,
    candidates: async (direct) => newerVersions(direct, (await project()).reads),
    read: async (upgrades) => (await project()).resolve(upgrades),
  }
}
