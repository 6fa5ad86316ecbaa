import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest, Reading, ReadOptions, WhatIfResolver } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader } from '#analysis/registries/npm.ts'
import { graphOfLock } from '../lock-graph.ts'
import { parseOverrides } from '../overrides.ts'
import { parseOverrideLines, toNpmOverrides } from '../pnpm/overrides.ts'
import { resolveProject } from '../pnpm/resolve.ts'
import { findStaleSettings } from '../pnpm/stale-settings.ts'
import { createWhatIfResolver } from '../pnpm/upgrades.ts'
import { noResolutions } from '../resolutions.ts'
import { toLockedProject } from '../yarn/locked-project.ts'
import { sortFiles } from './manifest-files.ts'

/** Reads a project by its bun.lock if one was sent, else by its package.json. */
export async function readProject(manifest: Manifest, reader: NpmReader, options: ReadOptions): Promise<Reading> {
  const files = sortFiles(manifest)
  const { lock, project, filesRead } = files
  if (lock !== undefined) {
    const locked = toLockedProject(lock, { ...files, resolutions: noResolutions })
    const reading = graphOfLock(lock, locked, options)
    const stale = findStaleSettings(lock, { ...files, hasAllSettings: true })
    return { ...reading, unresolved: [...reading.unresolved, ...stale], filesRead, locked: true }
  }
  if (project === undefined) throw new Unreadable('No package.json was sent')
  return resolveProject({ ...files, project }, reader, options)
}

/** Resolves a project without a bun.lock as a whole; with one, only the dependencies of the upgraded packages. */
export function whatIfResolver(
  manifest: Manifest | undefined,
  reader: NpmReader,
  options: ReadOptions,
): WhatIfResolver {
  const open = () => {
    if (manifest === undefined) return { files: undefined, overrides: undefined }
    const files = sortFiles(manifest)
    const { project, lock } = files
    if (lock === undefined) return { files: project && { ...files, project }, overrides: undefined }
    const lines = toNpmOverrides(parseOverrideLines(lock.overrides))
    return { files: undefined, overrides: parseOverrides(lines, {}, lock.file) }
  }
  return createWhatIfResolver(open, { reader, options, isWithoutRanges: false })
}
