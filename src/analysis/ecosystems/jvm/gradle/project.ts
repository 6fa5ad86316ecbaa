import type { Package, Unresolved } from '#analysis/dependency-graph.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { MavenReader } from '#analysis/registries/maven.ts'
import type { Collection, Way } from '../collect.ts'
import { createPomBuilder, type PomBuilder } from '../effective-pom.ts'
import { toDependency } from '../package.ts'
import { createPomReads, MAX_QUERIES, type PomReads } from '../pom-reads.ts'
import { createPomSource } from '../pom-source.ts'
import { toLine, toReading } from '../reading.ts'
import { usableRepositories } from '../repositories.ts'
import type { Declared } from './facts.ts'
import type { Locked } from './lockfile.ts'
import { type Consumer, createBelow, readPublished } from './resolution/below.ts'
import { createChoice, type Rules } from './resolution/choose-version.ts'
import { type GradleDependency, plain } from './resolution/gradle-dependency.ts'
import { collectHighest } from './resolution/highest-wins.ts'
import { compareGradleVersions } from './resolution/version-order.ts'
import type { Module } from './resolution/walk.ts'
import { readSentFiles, type SentFiles } from './sent-files.ts'
import { readSpringManagement } from './spring-management.ts'

const LABEL = 'build.gradle'

/** A project with its scripts read; each resolution chooses versions anew. */
export interface OpenGradleProject {
  /** Resolves with other versions of some direct dependencies. */
  resolve(upgrades: readonly Package[]): Promise<Reading>
  readonly reads: PomReads
}

export async function readProject(manifest: Manifest, reader: MavenReader, options: ReadOptions): Promise<Reading> {
  return (await openProject(manifest, reader, options)).resolve([])
}

export async function openProject(
  manifest: Manifest,
  reader: MavenReader,
  options: ReadOptions,
): Promise<OpenGradleProject> {
  const sent = readSentFiles(manifest)
  const declared = usableRepositories(sent.facts.repositories)
  const reads = createPomReads(reader, { requested: options.repositories, declared, maxQueries: MAX_QUERIES })
  const source = createPomSource(reads)
  const builder = createPomBuilder(source)
  const spring = await readSpringManagement(sent, source, builder)
  const rules: Rules = {
    constraints: sent.facts.dependencies.filter(({ kind }) => kind === 'constraint'),
    forced: sent.facts.forced,
    findManaged: spring.findManaged,
  }
  const missing = [...spring.missing, ...unreadOf(sent, options)]
  return {
    reads,
    async resolve(upgrades) {
      const parts = await Promise.all(
        partsOf(sent, options).map(async (direct) => {
          const dependencies = direct.map((declared) => toAsked(declared, upgrades))
          return {
            pom: undefined,
            collection: await collectPart(dependencies, { sent, builder, reads, rules, options }),
          }
        }),
      )
      return toReading(parts, {
        project: { name: '', version: '' },
        label: LABEL,
        locked: sent.hasLock,
        options,
        filesRead: sent.filesRead,
        unresolved: missing,
        notes: sent.notes,
        inactive: 0,
        leftOut: options.includeDev ? 0 : countLeftOut(sent),
      })
    },
  }
}

/**
 * Returns the parts resolved together: the product; with development also its tests, and separately the build itself.
 */
function partsOf({ facts }: SentFiles, { includeDev }: ReadOptions): (readonly Declared[])[] {
  const dependencies = facts.dependencies.filter(({ kind }) => kind !== 'constraint')
  const product = dependencies.filter(({ isDev }) => !isDev)
  if (!includeDev) return [product]
  const others = [dependencies.filter(({ isBuild }) => !isBuild), dependencies.filter(({ isBuild }) => isBuild)]
  return [product, ...others.filter((part) => part.length > 0)]
}

/** Counts excluded dependencies of tests and tools; without resolution only the declared ones. */
function countLeftOut({ facts, hasLock, locked }: SentFiles): number {
  const names = facts.dependencies
    .filter(({ isDev, kind }) => isDev && kind === 'dependency')
    .map(({ group, artifact }) => `${group}:${artifact}`)
  const product = new Set(
    facts.dependencies.filter(({ isDev }) => !isDev).map(({ group, artifact }) => `${group}:${artifact}`),
  )
  const dev = hasLock ? locked.filter(({ isDev }) => isDev).map(({ name }) => name) : names
  return new Set(dev.filter((name) => !product.has(name))).size
}

function toAsked(
  { group, artifact, version, kind, isDev, isTransitive, capabilities, exclusions, place }: Declared,
  upgrades: readonly Package[],
): GradleDependency {
  const instead = upgrades.find(({ name }) => name === `${group}:${artifact}`)
  const rich = instead === undefined ? version : { requires: instead.version, rejects: [] }
  return {
    group,
    artifact,
    version: rich.strictly ?? rich.requires ?? rich.prefers,
    ...plain,
    scope: isDev ? 'test' : 'compile',
    exclusions,
    place,
    isTransitive,
    rich,
    category: kind === 'platform' || kind === 'enforced-platform' ? kind : 'library',
    capabilities,
    attributes: {},
    endorsesStrict: kind === 'platform',
  }
}

interface Deps {
  readonly sent: SentFiles
  readonly builder: PomBuilder
  readonly reads: PomReads
  readonly rules: Rules
  readonly options: ReadOptions
}

async function collectPart(dependencies: readonly GradleDependency[], deps: Deps): Promise<Collection> {
  const { sent, builder, reads, rules, options } = deps
  const locked = new Map<string, string>()
  const counting = sent.locked.filter(({ isDev }) => options.includeDev || !isDev)
  for (const { name, version } of counting) {
    const before = locked.get(name)
    if (before === undefined || compareGradleVersions(version, before) > 0) locked.set(name, version)
  }
  const choose = createChoice(reads, rules)
  const collection = await collectHighest(dependencies, {
    find: (coordinates) => readPublished(coordinates, builder, reads),
    choose: async (module, demands, managed) => {
      const version = locked.get(nameOf(module))
      return version === undefined ? choose(module, demands, managed) : { version }
    },
    below: createBelow(consumerOf(sent)),
    excluded: sent.facts.excluded,
    maxPackages: options.limits.maxNodes,
  })
  if (!sent.hasLock) return collection
  const { maxNodes } = options.limits
  const whole = withLocked(collection, counting)
  if (whole.kept.length <= maxNodes) return whole
  throw new Unreadable(`The lockfile has more than ${maxNodes} packages`)
}

function nameOf({ group, artifact }: Module): string {
  return `${group}:${artifact}`
}

function consumerOf({ facts }: SentFiles): Consumer {
  return [...facts.plugins.keys()].some((id) => /^(?:com\.android\.|android$)/.test(id)) ? 'android' : 'jvm'
}

/** Adds all locked packages, also those without a path from a POM; missing POMs then leave no version open. */
function withLocked({ kept, ways, boundsMet }: Collection, locked: readonly Locked[]): Collection {
  const all = [...kept]
  const more: Way[] = []
  const labels = new Set(kept.map(({ coordinates }) => `${nameOf(coordinates)}@${coordinates.version}`))
  const names = new Set(locked.map(({ name }) => name))
  for (const { name, version, isDev } of locked) {
    if (labels.has(`${name}@${version}`)) continue
    labels.add(`${name}@${version}`)
    const dependency = toDependency({ name, version })
    all.push({ coordinates: { ...dependency, version }, pom: undefined })
    more.push({
      from: 0,
      dependency: { ...dependency, scope: isDev ? 'test' : 'compile' },
      to: all.length,
      problem: undefined,
      isScopeManaged: false,
    })
  }
  const settled = ways.map((way) => (names.has(nameOf(way.dependency)) ? { ...way, problem: undefined } : way))
  return { kept: all, ways: [...settled, ...more], boundsMet }
}

/** Returns unread statements, and projects and scripts that were not sent. */
function unreadOf({ facts, others, isFound }: SentFiles, { includeDev }: ReadOptions): Unresolved[] {
  const isWanted = ({ isDev }: { readonly isDev: boolean }) => includeDev || !isDev
  const unread = facts.unread.filter(isWanted).map(({ name, range, code, reason, place }) => ({
    name,
    range,
    code,
    reason,
    requiredBy: LABEL,
    ...toLine(place),
  }))
  const absent = [
    // Other projects of a repository are tested separately.
    ...(isFound
      ? []
      : facts.projects.filter(isWanted).map((project) => ({ ...project, what: `project ${project.path}` }))),
    ...facts.applied
      .filter(({ path }) => !isFound?.(path))
      .map((script) => ({ ...script, what: `script ${script.path}` })),
  ]
  // A script without a name belongs to an unknown project; projects configured by sent scripts need none.
  const isCounted = isFound === undefined && others > 0
  const needed = isCounted ? absent.filter(({ path }) => !facts.configured.has(path)) : absent
  if (isCounted && new Set(needed.map(({ what }) => what)).size <= others) return unread
  const reason = isCounted
    ? `The scripts name more projects and scripts than the ${others} that were sent`
    : 'It was not sent'
  return [
    ...unread,
    ...needed.map(({ what, place }) => ({
      name: what,
      range: '',
      code: 'not-from-registry' as const,
      reason,
      requiredBy: LABEL,
      ...toLine(place),
    })),
  ]
}
