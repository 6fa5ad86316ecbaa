import type { Package, Unresolved } from '#analysis/dependency-graph.ts'
import type { Manifest, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { MavenReader } from '#analysis/registries/maven.ts'
import { type Collection, collect } from '../collect.ts'
import { createPomBuilder, type Dependency, type EffectivePom, type PomBuilder } from '../effective-pom.ts'
import { listUnknownExtensions } from '../maven-config.ts'
import { toDependency } from '../package.ts'
import type { Pom, PomModule } from '../pom.ts'
import { createPomReads, MAX_QUERIES, type PomReads } from '../pom-reads.ts'
import { createPomSource } from '../pom-source.ts'
import { dependsOnMachine, describeMachine } from '../profile-activation.ts'
import { changesDependencies } from '../profiles.ts'
import { type ProjectPart, toLine, toReading } from '../reading.ts'
import { usableRepositories } from '../repositories.ts'
import { nameOf, readSentPoms, type SentPoms } from '../sent-poms.ts'
import { listUndecided } from '../undecided-profiles.ts'
import { createVersionChoice } from '../version-choice.ts'

/** A project with its POMs read; each resolution chooses versions anew. */
export interface OpenProject {
  /** Resolves with other versions of some direct dependencies. */
  resolve(upgrades: readonly Package[]): Promise<Reading>
  readonly reads: PomReads
}

/** Reads a project by its POM and the POMs sent with it. */
export async function readProject(manifest: Manifest, reader: MavenReader, options: ReadOptions): Promise<Reading> {
  return (await openProject(manifest, reader, options)).resolve([])
}

export async function openProject(manifest: Manifest, reader: MavenReader, options: ReadOptions): Promise<OpenProject> {
  const sent = readSentPoms(manifest)
  const declared = await repositoriesOf(sent, reader, options)
  const reads = createPomReads(reader, { requested: options.repositories, declared, maxQueries: MAX_QUERIES })
  const builder = createPomBuilder(createPomSource(reads, sent), sent.config)
  const versions = createVersionChoice(reads)
  const { effective, missing } = await buildAll(sent, builder)
  const [{ group, artifact, version }] = effective
  const frame = {
    project: { name: `${group}:${artifact}`, version },
    label: `${group}:${artifact}@${version}`,
    options,
    notes: effective.flatMap(notesOn),
    inactive: countInactive(effective),
    ofBuild: new Set(effective.flatMap(processorsOf)).size,
  }
  return {
    reads,
    async resolve(upgrades) {
      const collectFor = ({ dependencies, findManaged }: EffectivePom, maxPackages: number) =>
        collect(askingFor(dependencies, upgrades), { builder, versions, findManaged, maxPackages })
      const parts = await collectParts(effective, options.limits.maxNodes, collectFor)
      const filesRead = sent.all
        .filter((pom) => sent.used.has(pom))
        .map((pom) => (pom === sent.target ? 'pom.xml' : `pom.xml (${nameOf(pom)})`))
      filesRead.push(...sent.config.filesRead)
      const undecided = effective.flatMap(listUndecided)
      const unused = manifest.places === undefined ? unusedOf(sent) : []
      const mixins = sent.all.flatMap(toUnreadMixins)
      const unresolved = [
        ...missing.map(toMissingModule),
        ...mixins,
        ...unused,
        ...undecided,
        ...effective.flatMap(copiedIn),
        ...effective.flatMap(extensionsOf),
        ...sent.config.unresolved,
      ]
      return toReading(parts, { ...frame, filesRead, unresolved })
    },
  }
}

/** Modules collected concurrently. */
const MODULES_AT_ONCE = 8

/**
 * Collects the modules, at most `maxPackages` in total. Most time is spent waiting for repositories, so some modules
 * run concurrently; if those exceed the limit together, each gets what earlier ones leave.
 */
async function collectParts(
  poms: readonly EffectivePom[],
  maxPackages: number,
  collectFor: (pom: EffectivePom, maxPackages: number) => Promise<Collection>,
): Promise<ProjectPart[]> {
  const parts: ProjectPart[] = []
  let left = maxPackages
  for (let at = 0; at < poms.length; at += MODULES_AT_ONCE) {
    const some = poms.slice(at, at + MODULES_AT_ONCE)
    const together = await Promise.all(some.map((pom) => collectFor(pom, left)))
    const isTooMuch = together.reduce((sum, { kept }) => sum + kept.length, 0) > left
    for (const [index, pom] of some.entries()) {
      const collection = isTooMuch ? await collectFor(pom, left) : together[index]!
      left -= collection.kept.length
      parts.push({ pom, collection })
    }
  }
  return parts
}

/**
 * Returns the dependencies with some versions replaced. Others in `upgrades` are added: one may have been declared under
 * its name before relocation, and the newer version of both names wins.
 */
function askingFor(dependencies: readonly Dependency[], upgrades: readonly Package[]): readonly Dependency[] {
  if (upgrades.length === 0) return dependencies
  const versions = new Map(upgrades.map(({ name, version }) => [name, version]))
  const names = new Set(dependencies.map(nameOfDependency))
  const moved = upgrades.filter(({ name }) => !names.has(name))
  return [
    ...dependencies.map((dependency) => ({
      ...dependency,
      version: versions.get(nameOfDependency(dependency)) ?? dependency.version,
    })),
    ...moved.map(toDependency),
  ]
}

function nameOfDependency({ group, artifact }: Dependency): string {
  return `${group}:${artifact}`
}

/**
 * Returns the repositories that the target and its parents name. Reads them first, from sent POMs and the repositories
 * asked anyway: the publisher of a parent may name the place of its children's dependencies.
 */
async function repositoriesOf(sent: SentPoms, reader: MavenReader, options: ReadOptions): Promise<string[]> {
  const reads = createPomReads(reader, { requested: options.repositories, declared: [], maxQueries: 200 })
  const own = await createPomBuilder(createPomSource(reads, sent), sent.config).build(withoutManagement(sent.target))
  return usableRepositories(own.repositories.map(({ url }) => url))
}

function withoutManagement(pom: Pom): Pom {
  return { ...pom, managed: [] }
}

interface Built {
  readonly effective: readonly [EffectivePom, ...EffectivePom[]]
  readonly missing: readonly { readonly module: PomModule; readonly of: Pom }[]
}

/** Builds the target and every module below it whose POM was sent. */
async function buildAll(sent: SentPoms, builder: PomBuilder): Promise<Built> {
  const first = await builder.build(sent.target)
  const others: EffectivePom[] = []
  const missing: { module: PomModule; of: Pom }[] = []
  const seen = new Set([sent.target])
  for (let level: { pom: Pom; built: EffectivePom }[] = [{ pom: sent.target, built: first }]; level.length > 0; ) {
    const nextPoms: Pom[] = []
    for (const { pom, built } of level) {
      const modules = sent.modulesOf(pom, built.modules)
      nextPoms.push(...modules.poms.filter((pom) => !seen.has(pom)))
      for (const pom of modules.poms) seen.add(pom)
      missing.push(...modules.missing.map((module) => ({ module, of: pom })))
    }
    level = await Promise.all(nextPoms.map(async (pom) => ({ pom, built: await builder.build(pom) })))
    others.push(...level.map(({ built }) => built))
  }
  return { effective: [first, ...others], missing }
}

function toMissingModule({ module, of }: Built['missing'][number]): Unresolved {
  return {
    name: module.path,
    range: '*',
    code: 'not-from-registry',
    reason: 'The POM of this module was not sent',
    requiredBy: nameOf(of),
    ...(module.place === undefined ? {} : { line: module.place.line }),
  }
}

/** Returns sent POMs outside of the build, which were not tested. */
function unusedOf({ all, numberOf, used, isModuleSomewhere, target }: SentPoms): Unresolved[] {
  return all.flatMap((pom) => {
    if (used.has(pom) || isModuleSomewhere(pom)) return []
    const reason = 'No module, parent or dependency refers to this POM, so it was not tested'
    const [name, requiredBy, file] = [nameOf(pom), nameOf(target), `additional file ${numberOf(pom)}`]
    return [{ name, range: '*', code: 'not-from-registry', reason, requiredBy, file }]
  })
}

function toUnreadMixins(pom: Pom): Unresolved[] {
  return pom.mixins.map(({ path, place }) => ({
    name: path,
    range: '*',
    code: 'not-static',
    reason: 'Mixins are not read',
    requiredBy: nameOf(pom),
    ...(place === undefined ? {} : { line: place.line }),
  }))
}

/** Returns packages that plugins of the project copy, which are resolved apart from its dependencies. */
function copiedIn({ lineage }: EffectivePom): Unresolved[] {
  const reason = 'A plugin copies this package, which was not tested'
  return lineage.flatMap(({ pom, merged }) => {
    if (pom.origin !== 'project') return []
    const isOwn = ({ path }: PomModule) =>
      merged.dependencies.some(({ group, artifact }) => path === `${group}:${artifact}`)
    return merged.copied
      .filter((module) => !isOwn(module))
      .map(({ path: name, place }) => {
        return { name, range: '*', code: 'not-static', reason, requiredBy: nameOf(pom), ...toLine(place) }
      })
  })
}

function extensionsOf({ lineage }: EffectivePom): Unresolved[] {
  return lineage.flatMap(({ pom }) =>
    pom.origin === 'project' ? listUnknownExtensions(pom.extensions, nameOf(pom)) : [],
  )
}

function processorsOf({ lineage }: EffectivePom): readonly string[] {
  return lineage.flatMap(({ pom, merged }) => (pom.origin === 'project' ? merged.processors : []))
}

/** Lists profiles whose activation depends on the assumed machine. */
function notesOn({ lineage }: EffectivePom): string[] {
  return lineage.flatMap(({ pom, profiles }) => {
    if (pom.origin !== 'project') return []
    const describeProfiles = (active: boolean) =>
      (active ? profiles.active : profiles.inactive)
        .filter((profile) => dependsOnMachine(profile) && changesDependencies(profile))
        .map(
          ({ id }) =>
            `Profile ${id} of ${nameOf(pom)} is taken to be ${active ? 'active' : 'inactive'}: ${describeMachine()}`,
        )
    return [...describeProfiles(true), ...describeProfiles(false)]
  })
}

/** Counts distinct packages that only inactive profiles require. */
function countInactive(poms: readonly EffectivePom[]): number {
  const inactive = poms.flatMap(({ lineage }) =>
    lineage.filter(({ pom }) => pom.origin === 'project').flatMap(({ profiles }) => profiles.inactive),
  )
  return new Set(
    inactive.flatMap(({ dependencies }) => dependencies.map(({ group, artifact }) => `${group}:${artifact}`)),
  ).size
}
