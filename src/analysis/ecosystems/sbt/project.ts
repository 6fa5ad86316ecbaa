import type { Package } from '../../dependency-graph.ts'
import type { MavenReader } from '../../registries/maven.ts'
import type { Manifest, Reading, ReadOptions } from '../ecosystem.ts'
import { createPomBuilder } from '../maven/effective-pom.ts'
import { createPomReads, MAX_QUESTIONS, type PomReads } from '../maven/pom-reads.ts'
import { createPomSource } from '../maven/pom-source.ts'
import { usableRepositories } from '../maven/repositories.ts'
import { type Build, readBuild } from './build.ts'
import { resolve } from './coursier.ts'
import { reachIn } from './management.ts'
import { type ProjectPart, toReading } from './reading.ts'
import { readSentFiles } from './sent-files.ts'
import { toUnresolved } from './unresolved.ts'
import { pluginsOf, type Wanted, type WantedByProject, wantedByProjects } from './wanted.ts'

/** A build whose files are evaluated; versions are chosen each time it is resolved. */
export interface OpenBuild {
  /** With other versions of some of its direct dependencies. */
  resolve(wanted: readonly Package[]): Promise<Reading>
  readonly reads: PomReads
}

export async function readProject(manifest: Manifest, reader: MavenReader, options: ReadOptions): Promise<Reading> {
  return openBuild(manifest, reader, options).resolve([])
}

export function openBuild(manifest: Manifest, reader: MavenReader, options: ReadOptions): OpenBuild {
  const files = readSentFiles(manifest)
  const build = readBuild(files)
  const projects = wantedByProjects(build, files)
  const declared = usableRepositories(projects.flatMap(({ repositories }) => repositories))
  const reads = createPomReads(reader, {
    requested: options.repositories,
    declared,
    maxQuestions: MAX_QUESTIONS,
  })
  const builder = createPomBuilder(createPomSource(reads))
  const { evaluation } = build
  const reach = reachIn(files.sbtVersion)
  const frame = {
    options,
    root: rootOf(build),
    filesRead: files.names,
    unresolved: build.unread.map((each) => toUnresolved(each, 'settings')),
    notes: [...evaluation.assumptions, ...(evaluation.isExhausted ? ['The build takes too long to evaluate'] : [])],
    plugins: pluginsOf(build, files),
  }
  return {
    reads,
    async resolve(wanted) {
      const parts: ProjectPart[] = []
      let packages = 0
      for (const project of withoutRepeats(projects, options)) {
        const asked = askingFor(project.wanted, wanted)
        const maxPackages = options.limits.maxNodes - packages
        const resolution = await resolve(asked, { builder, reads, ...project, reach, maxPackages })
        packages += resolution.chosen.size
        parts.push({ resolution })
      }
      return toReading(parts, { ...frame, projects })
    },
  }
}

function rootOf({ projects, settings }: Build): { name: string; version: string } {
  const root = projects.find(({ project }) => project.folder === '.') ?? projects[0]
  const text = (key: string) => {
    const value = root && settings.valueIn(root.axis, key)
    return value?.kind === 'text' ? value.text : ''
  }
  return { name: text('name'), version: text('version') }
}

/** What counts of each project; projects that ask for the same are one. */
function withoutRepeats(projects: readonly WantedByProject[], { includeDev }: ReadOptions): WantedByProject[] {
  const byContent = new Map<string, WantedByProject>()
  for (const project of projects) {
    const wanted = project.wanted.filter(({ kind }) => includeDev || kind === 'product')
    const content = wanted.map(({ place: _, ...rest }) => rest)
    const key = JSON.stringify([content, [...project.forced], project.exclusions])
    if (!byContent.has(key)) byContent.set(key, { ...project, wanted })
  }
  return [...byContent.values()]
}

/** The same modules, some of them in other versions. */
function askingFor(wanted: readonly Wanted[], others: readonly Package[]): readonly Wanted[] {
  if (others.length === 0) return wanted
  const versions = new Map(others.map(({ name, version }) => [name, version]))
  return wanted.map((each) => {
    const version = versions.get(`${each.group}:${each.artifact}`)
    return version === undefined ? each : { ...each, version }
  })
}
