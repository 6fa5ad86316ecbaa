import type { Package, Unresolved } from '#analysis/dependency-graph.ts'
import type { Manifest, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { MavenReader } from '#analysis/registries/maven.ts'
import { createPomBuilder } from '../effective-pom.ts'
import { createPomReads, MAX_QUERIES, type PomReads } from '../pom-reads.ts'
import { createPomSource } from '../pom-source.ts'
import { usableRepositories } from '../repositories.ts'
import { type Build, readBuild } from './build.ts'
import { type Resolution, resolve } from './coursier.ts'
import { findDropped } from './dropped-settings.ts'
import { managementRulesOf, managesEverythingBelow } from './management.ts'
import { type Dependency, listProjectDependencies, type ProjectDependencies } from './project-dependencies.ts'
import { toReading } from './reading.ts'
import { readSentFiles } from './sent-files.ts'
import { toUnresolved } from './values.ts'

/** A build with its files evaluated; each resolution chooses versions anew. */
export interface OpenBuild {
  /** Resolves with other versions of some direct dependencies. */
  resolve(upgrades: readonly Package[]): Promise<Reading>
  readonly reads: PomReads
}

export async function readProject(manifest: Manifest, reader: MavenReader, options: ReadOptions): Promise<Reading> {
  return openBuild(manifest, reader, options).resolve([])
}

export function openBuild(manifest: Manifest, reader: MavenReader, options: ReadOptions): OpenBuild {
  const files = readSentFiles(manifest)
  const build = readBuild(files)
  const projects = listProjectDependencies(build, files)
  const declared = usableRepositories(projects.flatMap(({ repositories }) => repositories))
  const reads = createPomReads(reader, {
    requested: options.repositories,
    declared,
    maxQueries: MAX_QUERIES,
  })
  const builder = createPomBuilder(createPomSource(reads))
  const { evaluation } = build
  const management = managementRulesOf(files.sbtVersion)
  const frame = {
    options,
    root: rootOf(build),
    filesRead: files.names,
    unresolved: [
      ...build.unread.map((value) => toUnresolved(value, 'settings')),
      ...build.plugins.unresolved,
      ...(managesEverythingBelow(files.sbtVersion) ? [MANAGED_BELOW] : []),
      ...[files.target, ...files.below, ...files.sources].flatMap((file) => findDropped(file, build.followed)),
    ],
    notes: [...evaluation.assumptions, ...(evaluation.isExhausted ? ['The build takes too long to evaluate'] : [])],
    plugins: build.plugins.modules.map(({ group, name }) => `${group}:${name}`),
  }
  return {
    reads,
    async resolve(upgrades) {
      const resolutions: Resolution[] = []
      for (const project of withoutRepeats(projects, options)) {
        const dependencies = askingFor(project.dependencies, upgrades)
        const maxPackages = resolutions.reduce((left, { chosen }) => left - chosen.size, options.limits.maxNodes)
        resolutions.push(await resolve(dependencies, { builder, reads, ...project, management, maxPackages }))
      }
      return toReading(resolutions, { ...frame, projects })
    },
  }
}

const MANAGED_BELOW: Unresolved = {
  name: 'sbt.version',
  range: '1.10.6',
  code: 'not-static',
  reason: 'What packages manage for everything below them, which only this sbt version applies, is not followed',
  requiredBy: 'project/build.properties',
}

function rootOf({ projects, settings }: Build): { name: string; version: string } {
  const root = projects.find(({ project }) => project.folder === '.') ?? projects[0]
  const text = (key: string) => {
    const value = root && settings.valueIn(root.axis, key)
    return value?.kind === 'text' ? value.text : ''
  }
  return { name: text('name'), version: text('version') }
}

/** Returns the effective modules of each project, merging projects with equal ones. */
function withoutRepeats(projects: readonly ProjectDependencies[], { includeDev }: ReadOptions): ProjectDependencies[] {
  const byContent = new Map<string, ProjectDependencies>()
  for (const project of projects) {
    const dependencies = project.dependencies.filter(({ kind }) => includeDev || kind === 'product')
    const content = dependencies.map(({ place: _, ...rest }) => rest)
    const key = JSON.stringify([content, [...project.forced], project.exclusions])
    if (!byContent.has(key)) byContent.set(key, { ...project, dependencies })
  }
  return [...byContent.values()]
}

/** Returns the modules with some versions replaced. */
function askingFor(dependencies: readonly Dependency[], others: readonly Package[]): readonly Dependency[] {
  if (others.length === 0) return dependencies
  const versions = new Map(others.map(({ name, version }) => [name, version]))
  return dependencies.map((dependency) => {
    const version = versions.get(`${dependency.group}:${dependency.artifact}`)
    return version === undefined ? dependency : { ...dependency, version }
  })
}
