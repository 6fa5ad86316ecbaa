import type { Package } from '#analysis/dependency-graph.ts'
import {
  type Manifest,
  type ReadOptions,
  RegistryUnreachable,
  type WhatIfResolver,
} from '#analysis/ecosystems/ecosystem.ts'
import type { GoReader } from '#analysis/registries/go.ts'
import { goVersions } from '#analysis/versions/go.ts'
import { hasHost } from '../module-path.ts'
import { readFiles } from './project.ts'
import { type ProjectFiles, sortFiles } from './project-files.ts'

/** Raises required versions as `go get` does and selects all versions again. */
export function whatIfResolver(manifest: Manifest, reader: GoReader, options: ReadOptions): WhatIfResolver {
  // Most tests verify no upgrade, so the files are read on demand.
  let opened: ProjectFiles | undefined
  const open = () => {
    opened ??= sortFiles(manifest)
    return opened
  }
  return {
    isSameForAll: false,
    candidates: (direct) => newerVersions(direct, { files: open(), reader }),
    read: (upgrades) => {
      const files = open()
      const extra = upgrades.map(({ name, version }) => ({ path: originalName(name, files), version }))
      return readFiles(files, reader, options, extra)
    },
  }
}

/** Returns the path under which the project requires a module that replaces another one. */
function originalName(name: string, { replaces }: ProjectFiles): string {
  return replaces.find(({ by }) => by.path === name && by.version !== undefined)?.path ?? name
}

/** Returns newer releases that are neither excluded nor retracted; pre-releases only for users of one. */
async function newerVersions(
  { name, version }: Package,
  { files, reader }: { files: ProjectFiles; reader: GoReader },
): Promise<string[] | undefined> {
  if (!hasHost(name) || !(await reader.hasProxy())) return undefined
  // A replaced module keeps its replacement until the directive is edited.
  if (files.replaces.some(({ path, by }) => path === name || by.path === name)) return undefined
  const published = await reader.versions(name)
  if (published === undefined) return undefined
  const excluded = new Set(
    files.mains.flatMap(({ excludes }) =>
      excludes.flatMap((exclude) => (exclude.path === name ? [exclude.version] : [])),
    ),
  )
  const isPrerelease = /-/.test(version) && !/\d{14}-[0-9a-f]{12}$/.test(version)
  const newer = published
    .filter((candidate) => goVersions.isValid(candidate) && goVersions.compare(candidate, version) > 0)
    .filter((candidate) => (isPrerelease || !candidate.includes('-')) && !excluded.has(candidate))
    .sort((a, b) => goVersions.compare(a, b))
  const retracted = newer.length === 0 ? [] : await retractionsIn(reader, { name, version: newer.at(-1)! })
  return newer.filter(
    (candidate) =>
      !retracted.some(
        ({ low, high }) => goVersions.compare(low, candidate) <= 0 && goVersions.compare(candidate, high) <= 0,
      ),
  )
}

/** Returns the retractions of the latest version (https://go.dev/ref/mod#go-mod-file-retract). */
async function retractionsIn(reader: GoReader, { name, version }: Package) {
  try {
    return (await reader.mod(name, version))?.retracts ?? []
  } catch (error) {
    if (error instanceof RegistryUnreachable) return []
    throw error
  }
}
