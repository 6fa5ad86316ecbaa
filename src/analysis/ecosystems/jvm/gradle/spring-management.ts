import type { Unresolved } from '#analysis/dependency-graph.ts'
import type { Coordinates, PomSource } from '../coordinates.ts'
import type { EffectivePom, PomBuilder } from '../effective-pom.ts'
import { hasExpression } from '../interpolation.ts'
import { toLine } from '../reading.ts'
import { findBootVersion, springBootBom } from './declared.ts'
import { type Declared, plainDeclaration } from './facts.ts'
import type { Variables } from './language/values.ts'
import type { Module } from './resolution/walk.ts'
import type { SentFiles } from './sent-files.ts'

export interface SpringManagement {
  findManaged(module: Module): string | undefined
  readonly missing: readonly Unresolved[]
}

/**
 * Reads Spring's dependency management plugin: managed versions apply to all dependencies without their own; of several
 * BOMs the last one wins, and properties of the project override those of a BOM. With Spring Boot's plugin its BOM
 * comes first.
 */
export async function readSpringManagement(
  sent: SentFiles,
  source: PomSource,
  builder: PomBuilder,
): Promise<SpringManagement> {
  const { facts, variables } = sent
  const build = async (coordinates: Coordinates) => {
    const raw = await source.find(coordinates)
    if (!('pom' in raw)) return raw
    return builder.build({ ...raw.pom, properties: overridden(raw.pom.properties, variables) }, coordinates)
  }
  const boms: EffectivePom[] = []
  const missing: Unresolved[] = []
  for (const declared of [...bootBom(sent), ...facts.imports]) {
    const pom = await readBom(declared, build)
    if ('findManaged' in pom) boms.unshift(pom)
    missing.push(...('findManaged' in pom ? pom.faults.map((fault) => toUnresolved(fault, declared)) : [pom]))
  }
  const own = new Map(facts.managed.map(({ group, artifact, version }) => [`${group}:${artifact}`, version.requires]))
  const cache = new Map<string, string | undefined>()
  const search = (key: string) => {
    for (const bom of boms) {
      const version = bom.findManaged(`${key}:jar`)?.version
      if (version !== undefined) return version
    }
    return undefined
  }
  return {
    missing,
    findManaged({ group, artifact }) {
      const key = `${group}:${artifact}`
      if (own.has(key)) return own.get(key)
      if (!cache.has(key)) cache.set(key, search(key))
      return cache.get(key)
    },
  }
}

function bootBom({ facts }: SentFiles): Declared[] {
  const version = findBootVersion(facts)
  if (version === undefined || !facts.plugins.has('io.spring.dependency-management')) return []
  return [
    {
      ...springBootBom,
      version: { requires: version, rejects: [] },
      ...plainDeclaration,
      kind: 'platform',
      place: { file: 'target', line: 1 },
    },
  ]
}

function overridden(properties: ReadonlyMap<string, string>, variables: Variables): ReadonlyMap<string, string> {
  const entries = [...properties].map(([name, value]): [string, string] => {
    const own = variables.get([name])
    return [name, typeof own === 'string' ? own : value]
  })
  return new Map(entries)
}

function versionOf({ version }: Declared): string | undefined {
  return version.strictly ?? version.requires ?? version.prefers
}

type Found = EffectivePom | Pick<Unresolved, 'code' | 'reason'>

async function readBom(
  declared: Declared,
  get: (coordinates: Coordinates) => Promise<Found>,
): Promise<EffectivePom | Unresolved> {
  const { group, artifact } = declared
  const version = versionOf(declared)
  const isOpen = version === undefined || hasExpression(version)
  const answer: Found = isOpen
    ? { code: 'no-matching-version', reason: 'No version is given' }
    : await get({ group, artifact, version })
  return 'findManaged' in answer
    ? answer
    : toUnresolved({ name: `${group}:${artifact}`, range: version ?? '', ...answer }, declared)
}

function toUnresolved(
  { name, range, code, reason }: Pick<Unresolved, 'name' | 'range' | 'code' | 'reason'>,
  { place }: Declared,
): Unresolved {
  const what = `${reason}; what this platform says is not known`
  return { name, range, code, reason: what, requiredBy: 'build.gradle', ...toLine(place) }
}
