import type { Manifest, ReadOptions, WhatIfResolver } from '#analysis/ecosystems/ecosystem.ts'
import type { MavenReader } from '#analysis/registries/maven.ts'
import { newerVersions, packageResolver } from '../newer-versions.ts'
import { openProject } from './project.ts'

/** Resolves the whole project again: a nearer version elsewhere would win. */
export function whatIfResolver(
  manifest: Manifest | undefined,
  reader: MavenReader,
  options: ReadOptions,
): WhatIfResolver {
  if (manifest === undefined) return packageResolver(reader, options)
  let opened: ReturnType<typeof openProject> | undefined
  const open = () => {
    opened ??= openProject(manifest, reader, options)
    return opened
  }
  return {
    isSameForAll: false,
    candidates: async (direct) => newerVersions(direct, (await open()).reads),
    read: async (requested) => (await open()).resolve(requested),
  }
}
