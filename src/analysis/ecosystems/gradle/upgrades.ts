import type { Package } from '../../dependency-graph.ts'
import type { MavenReader } from '../../registries/maven.ts'
import type { Manifest, ReadOptions, WhatIfResolver } from '../ecosystem.ts'
import { newerVersions, whatIfResolver as packageResolver } from '../maven/upgrades.ts'
import { readPackage } from './package.ts'
import { openProject } from './project.ts'

export function whatIfResolver(
  manifest: Manifest | undefined,
  reader: MavenReader,
  options: ReadOptions,
): WhatIfResolver {
  if (manifest === undefined) {
    const read = ([wanted]: readonly Package[]) => readPackage(wanted!, reader, options)
    return { ...packageResolver(undefined, reader, options), read }
  }
  let opened: ReturnType<typeof openProject> | undefined
  const project = () => {
    opened ??= openProject(manifest, reader, options)
    return opened
  }
  return {
    isSameForAll: false,
    candidates: async (direct) => newerVersions(direct, (await project()).reads),
    read: async (wanted) => (await project()).resolve(wanted),
  }
}
