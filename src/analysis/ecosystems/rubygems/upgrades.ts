import { rubygemsVersions } from '#analysis/versions/rubygems.ts'
import type { Package } from '../../dependency-graph.ts'
import type { RubyGemsReader } from '../../registries/rubygems.ts'
import type { Manifest, ReadOptions, WhatIfResolver } from '../ecosystem.ts'
import { graphOfLock } from './lock-graph.ts'
import { type ProjectFiles, sortFiles } from './project-files.ts'
import { resolveGemfile, resolveTogether } from './resolve.ts'

interface Asked {
  readonly name: string
  readonly requirement: string
}

/**
 * Resolves all direct gems together, since Bundler has one version per gem; of a lock only the list of direct gems is
 * used, not their versions.
 */
export function whatIfResolver(
  manifest: Manifest | undefined,
  reader: RubyGemsReader,
  options: ReadOptions,
): WhatIfResolver {
  // Most tests verify no upgrade, so the files are read on demand.
  let opened: ProjectFiles | undefined
  const open = () => {
    opened ??= manifest && sortFiles(manifest)
    return opened
  }
  return {
    isSameForAll: manifest === undefined,
    candidates: (direct) => newerVersions(direct, reader),
    read(upgrades) {
      const files = open()
      const pins = new Map(upgrades.map(({ name, version }) => [name, `= ${version}`]))
      if (files?.lock === undefined && files?.gemfile !== undefined)
        return readGemfile({ ...files, gemfile: files.gemfile }, pins)
      const others = files === undefined ? [] : askedInLock(files, options).filter(({ name }) => !pins.has(name))
      return resolveTogether(
        [...[...pins].map(([name, requirement]) => ({ name, requirement })), ...others],
        reader,
        options,
      )
    },
  }

  function readGemfile(
    project: ProjectFiles & { readonly gemfile: NonNullable<ProjectFiles['gemfile']> },
    pins: ReadonlyMap<string, string>,
  ) {
    const pinned = <T extends { readonly name: string }>(gems: readonly T[]) =>
      gems.map((gem) => (pins.has(gem.name) ? { ...gem, requirement: pins.get(gem.name) } : gem))
    const gemfile = { ...project.gemfile, gems: pinned(project.gemfile.gems) }
    return resolveGemfile({ ...project, gemfile, gemspec: project.gemspec && pinned(project.gemspec) }, reader, options)
  }
}

function askedInLock({ lock, gemfile }: ProjectFiles, options: ReadOptions): Asked[] {
  const { nodes } = graphOfLock(lock!, gemfile, options).graph
  const requirements = new Map(nodes[0]!.edges.map(({ to, range }) => [nodes[to]!.package.name, range]))
  return [...requirements].map(([name, requirement]) => ({ name, requirement }))
}

/** Returns newer versions; pre-releases only for users of one. */
async function newerVersions({ name, version }: Package, reader: RubyGemsReader): Promise<string[] | undefined> {
  const published = await reader.gem(name)
  if (published === undefined) return undefined
  const newer = published
    .map((version) => version.version)
    .filter((candidate) => isPrerelease(version) || !isPrerelease(candidate))
    .filter((candidate) => rubygemsVersions.compare(candidate, version) > 0)
  return [...new Set(newer)].sort(rubygemsVersions.compare)
}

/** Returns true for versions with a letter, as RubyGems does. */
function isPrerelease(version: string): boolean {
  return /[a-z]/i.test(version)
}
