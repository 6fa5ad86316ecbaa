import type { Manifest, ReadOptions, WhatIfResolver } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader } from '#analysis/registries/npm.ts'
import { exactly, newerVersions } from '../newer-versions.ts'
import { parseOverrides } from '../overrides.ts'
import { askingFor, resolveBelow } from '../resolution/resolve.ts'
import { sortFiles } from './manifest-files.ts'
import { parseOverrideLines, toNpmOverrides } from './overrides.ts'
import { type OpenFiles, resolveProject } from './resolve.ts'

/** Resolves a project without a pnpm-lock.yaml as a whole; with one, only the dependencies of the upgraded packages. */
export function whatIfResolver(
  manifest: Manifest | undefined,
  reader: NpmReader,
  options: ReadOptions,
): WhatIfResolver {
  return createWhatIfResolver(() => openFiles(manifest), { reader, options, isWithoutRanges: true })
}

interface Setting {
  readonly reader: NpmReader
  readonly options: ReadOptions
  /** True for locks that do not list the ranges of packages. */
  readonly isWithoutRanges: boolean
}

/**
 * Creates a resolver for files that are opened on demand, since most tests verify no upgrade. Without ranges, whether
 * the same version of a direct dependency allows newer packages below it is tried too.
 */
export function createWhatIfResolver(
  openNow: () => Opened,
  { reader, options, isWithoutRanges }: Setting,
): WhatIfResolver {
  let opened: Opened | undefined
  const open = () => {
    opened ??= openNow()
    return opened
  }
  return {
    get isSameForAll() {
      const { files, overrides } = open()
      return files === undefined && overrides === undefined
    },
    async candidates(direct) {
      const newer = await newerVersions(direct, reader)
      if (newer === undefined || !isWithoutRanges || open().files !== undefined) return newer
      return [direct.version, ...newer]
    },
    read(upgrades) {
      const { files, overrides } = open()
      if (files === undefined) return resolveBelow({ dependencies: upgrades.map(exactly), overrides }, reader, options)
      const { project, members } = files
      const asking = {
        project: askingFor(project, upgrades),
        members: members.map((member) => askingFor(member, upgrades)),
      }
      return resolveProject({ ...files, ...asking }, reader, options)
    },
  }
}

interface Opened {
  /** Undefined with locked versions. */
  readonly files: OpenFiles | undefined
  readonly overrides: ReturnType<typeof parseOverrides>
}

function openFiles(manifest: Manifest | undefined): Opened {
  if (manifest === undefined) return { files: undefined, overrides: undefined }
  const files = sortFiles(manifest)
  const { project, lock } = files
  if (lock === undefined)
    return { files: project === undefined ? undefined : { ...files, project }, overrides: undefined }
  const lines = toNpmOverrides(parseOverrideLines(lock.overrides))
  return { files: undefined, overrides: parseOverrides(lines, {}, lock.file) }
}
