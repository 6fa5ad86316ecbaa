import type { MavenReader } from '../../registries/maven.ts'
import type { Manifest, ReadOptions, WhatIfResolver } from '../ecosystem.ts'
import { newerVersions, whatIfResolver as packageResolver } from '../maven/upgrades.ts'
import { openBuild } from './project.ts'

/** Resolves the whole build again: a newer version elsewhere would win. */
export function whatIfResolver(
  manifest: Manifest | undefined,
  reader: MavenReader,
  options: ReadOptions,
): WhatIfResolver {
  if (manifest === undefined) return packageResolver(undefined, reader, options)
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
