import { type Ancestor, type Coordinates, type PomFault, type PomSource, toText } from './coordinates.ts'
import { createInterpolator, hasExpression, type Interpolate } from './interpolation.ts'
import { readLineage } from './lineage.ts'
import { type ManagedLevel, managedIn } from './managed-level.ts'
import { type MavenConfig, noConfig } from './maven-config.ts'
import type { Exclusion, Pom, PomDependency, PomModule, PomRepository, SourcePosition } from './pom.ts'
import { keyOf } from './profiles.ts'

/** An effective dependency: interpolated and managed. */
export interface Dependency {
  readonly group: string
  readonly artifact: string
  /** Undefined if neither the dependency nor the management has one. */
  readonly version: string | undefined
  readonly type: string
  readonly classifier: string | undefined
  /** Undefined if dependency management leaves it open. */
  readonly scope: string | undefined
  readonly optional: boolean
  readonly exclusions: readonly Exclusion[]
  readonly place: SourcePosition | undefined
}

/** A POM with everything inherited and imported (Maven's "effective POM"). */
export interface EffectivePom {
  readonly group: string
  readonly artifact: string
  readonly version: string
  readonly packaging: string
  readonly dependencies: readonly Dependency[]
  /** Returns the managed entry of a key (`keyOf`), own or imported. */
  findManaged(key: string): Dependency | undefined
  /** Returns all managed entries by key; computed on demand. */
  listManaged(): ReadonlyMap<string, Dependency>
  readonly relocation: { readonly group: string; readonly artifact: string; readonly version: string } | undefined
  readonly licenses: readonly string[]
  readonly repositories: readonly PomRepository[]
  readonly modules: readonly PomModule[]
  readonly faults: readonly PomFault[]
  /** The POM itself and its ancestors, with their profiles. */
  readonly lineage: readonly Ancestor[]
}

/** Builds effective POMs; those from repositories once. */
export interface PomBuilder {
  /** Builds a POM. `at` gives its coordinates where it omits them. */
  build(pom: Pom, at?: Coordinates): Promise<EffectivePom>
  /** Does the same for the source's POM at these coordinates. */
  get(coordinates: Coordinates): Promise<EffectivePom | Pick<PomFault, 'code' | 'reason'>>
}

const MAX_IMPORTS = 300
const MAX_IMPORT_DEPTH = 50

/**
 * Builds as Maven's DefaultModelBuilder does: profiles into each POM, inheritance child first, interpolation, imported
 * dependency management (the first import with a key wins, after the POM's own entries), then management into
 * dependencies.
 */
export function createPomBuilder(source: PomSource, config: MavenConfig = noConfig): PomBuilder {
  const built = new Map<string, EffectivePom>()

  async function build(pom: Pom, { at, above }: { at?: Coordinates | undefined; above: readonly string[] }) {
    const faults: PomFault[] = []
    const lineage = await readLineage(pom, { source, config, faults })
    const frame = frameOf(lineage, { at, config })
    const levels = lineage.map(({ merged }) => managedIn(merged))
    const imports = await importAll(levels, frame.interpolate, { faults, above: [...above, toText(frame)] })
    return assemble(frame, { lineage, levels, imports, faults })
  }

  async function importAll(
    levels: readonly ManagedLevel[],
    interpolate: Interpolate,
    { faults, above }: { faults: PomFault[]; above: readonly string[] },
  ): Promise<EffectivePom[]> {
    const boms: Dependency[] = []
    const nearer = new Set<string>()
    for (const { imports } of levels) {
      boms.push(
        ...imports
          .filter((dependency) => !nearer.has(keyOf(dependency)))
          .map((dependency) => interpolated(dependency, interpolate)),
      )
      for (const dependency of imports) nearer.add(keyOf(dependency))
    }
    const beyond = boms[MAX_IMPORTS]
    if (beyond !== undefined) {
      const reason = `The POM imports more than ${MAX_IMPORTS} others`
      faults.push({ ...nameOf(beyond), code: 'bound-met', reason })
    }
    const results = await Promise.all(boms.slice(0, MAX_IMPORTS).map((bom) => importOne(bom, above)))
    return results.flatMap((result, index) => {
      const { place } = boms[index]!
      if (!('findManaged' in result)) faults.push({ ...result, place })
      else faults.push(...result.faults.map((fault) => ({ ...fault, place })))
      return 'findManaged' in result ? [result] : []
    })
  }

  async function importOne(bom: Dependency, above: readonly string[]): Promise<EffectivePom | PomFault> {
    const { group, artifact, version } = bom
    if (version === undefined || hasExpression(`${group}${artifact}${version}`)) {
      const reason = `The version of this import is not known: ${version ?? 'none'}`
      return { ...nameOf(bom), code: 'not-static', reason }
    }
    const coordinates = { group, artifact, version }
    if (above.includes(toText(coordinates))) {
      return { ...nameOf(bom), code: 'not-static', reason: 'The POM imports itself' }
    }
    if (above.length > MAX_IMPORT_DEPTH) {
      return {
        ...nameOf(bom),
        code: 'bound-met',
        reason: `The imports exceed the depth limit of ${MAX_IMPORT_DEPTH}`,
      }
    }
    const answer = await get(coordinates, above)
    return 'findManaged' in answer ? answer : { ...nameOf(bom), ...answer }
  }

  async function get(coordinates: Coordinates, above: readonly string[]) {
    const key = toText(coordinates)
    const cached = built.get(key)
    if (cached !== undefined) return cached
    const answer = await source.find(coordinates)
    if (!('pom' in answer)) return answer
    const effective = await build(answer.pom, { at: coordinates, above })
    built.set(key, effective)
    return effective
  }

  const building = new Map<string, ReturnType<PomBuilder['get']>>()

  /** Shares a build among concurrent callers, but not imports: two that import each other would deadlock. */
  function getOnce(coordinates: Coordinates): ReturnType<PomBuilder['get']> {
    const key = toText(coordinates)
    const existing = building.get(key)
    if (existing !== undefined) return existing
    const pending = get(coordinates, []).finally(() => building.delete(key))
    building.set(key, pending)
    return pending
  }

  return { build: (pom, at) => build(pom, { at, above: [] }), get: getOnce }
}

interface Frame extends Coordinates {
  readonly interpolate: Interpolate
}

/**
 * Returns the POM's coordinates and interpolator (AbstractStringBasedModelInterpolator: the model, then properties).
 */
function frameOf(
  lineage: readonly Ancestor[],
  { at, config }: { readonly at: Coordinates | undefined; readonly config: MavenConfig },
): Frame {
  const { pom } = lineage[0]!
  const raw = {
    group: pom.group ?? pom.parent?.group ?? at?.group ?? '',
    artifact: pom.artifact ?? at?.artifact ?? '',
    version: pom.version ?? pom.parent?.version ?? at?.version ?? '',
  }
  const model = new Map<string, string | undefined>([
    ['groupId', raw.group],
    ['artifactId', raw.artifact],
    ['version', raw.version],
    ['packaging', pom.packaging],
    ['name', pom.name ?? raw.artifact],
    ['parent.groupId', pom.parent?.group],
    ['parent.artifactId', pom.parent?.artifact],
    ['parent.version', pom.parent?.version],
  ])
  const interpolate = createInterpolator((expression) => {
    const prefixed = /^(?:project|pom)\.(.+)$/.exec(expression)?.[1]
    const ofModel = prefixed === undefined ? undefined : model.get(prefixed)
    if (ofModel !== undefined) return ofModel
    const userProperty = config.userProperties.get(expression)
    if (userProperty !== undefined) return userProperty
    const level = lineage.find(({ merged }) => merged.properties.has(expression))
    return level?.merged.properties.get(expression) ?? config.systemProperties.get(expression) ?? model.get(expression)
  })
  return {
    group: interpolate(raw.group),
    artifact: interpolate(raw.artifact),
    version: interpolate(raw.version),
    interpolate,
  }
}

interface Pieces {
  readonly lineage: readonly Ancestor[]
  readonly levels: readonly ManagedLevel[]
  readonly imports: readonly EffectivePom[]
  readonly faults: readonly PomFault[]
}

function assemble({ group, artifact, version, interpolate }: Frame, pieces: Pieces): EffectivePom {
  const { lineage, faults } = pieces
  const { pom, merged } = lineage[0]!
  const findManaged = managementOf(pieces, interpolate)
  let managed: ReadonlyMap<string, Dependency> | undefined
  const declared = new Map<string, PomDependency>()
  for (const level of lineage) {
    for (const dependency of level.merged.dependencies)
      if (!declared.has(keyOf(dependency))) declared.set(keyOf(dependency), dependency)
  }
  const licensed = lineage.find((level) => level.pom.licenses.length > 0)
  const repositories = lineage.flatMap((level) => level.merged.repositories)
  return {
    group,
    artifact,
    version,
    packaging: pom.packaging,
    dependencies: [...declared.values()].map((dependency) =>
      withManaged(interpolated(dependency, interpolate), findManaged),
    ),
    findManaged,
    listManaged() {
      managed ??= listManaged(pieces, interpolate)
      return managed
    },
    relocation: pom.relocation && {
      group: interpolate(pom.relocation.group ?? group),
      artifact: interpolate(pom.relocation.artifact ?? artifact),
      version: interpolate(pom.relocation.version ?? version),
    },
    licenses: licensed?.pom.licenses.map(interpolate) ?? [],
    repositories: repositories.map(({ id, url }) => ({ id, url: interpolate(url) })),
    modules: merged.modules,
    faults,
    lineage,
  }
}

/** Looks a key up in the POM, its ancestors, then its imports; each key once. */
function managementOf(
  { levels: ownLevels, imports }: Pieces,
  interpolate: Interpolate,
): (key: string) => Dependency | undefined {
  const cache = new Map<string, Dependency | undefined>()
  const withExpressions = ownLevels.map(({ withExpressions }) => {
    const entries = withExpressions.map(
      (withExpression) => [keyOf(interpolated(withExpression, interpolate)), withExpression] as const,
    )
    return new Map(entries.toReversed())
  })

  function search(key: string): Dependency | undefined {
    for (const [index, { byKey }] of ownLevels.entries()) {
      const own = byKey.get(key) ?? withExpressions[index]!.get(key)
      if (own !== undefined) return interpolated(own, interpolate)
    }
    for (const imported of imports) {
      const managed = imported.findManaged(key)
      if (managed !== undefined) return managed
    }
    return undefined
  }

  return (key) => {
    if (!cache.has(key)) cache.set(key, search(key))
    return cache.get(key)
  }
}

/** Does the same for all keys. */
function listManaged(
  { levels: ownLevels, imports }: Pieces,
  interpolate: Interpolate,
): ReadonlyMap<string, Dependency> {
  const own = ownLevels.flatMap(({ byKey, withExpressions }) => [...byKey.values(), ...withExpressions])
  const all = new Map<string, Dependency>()
  const entries = [
    ...own.map((dependency) => interpolated(dependency, interpolate)),
    ...imports.flatMap((pom) => [...pom.listManaged().values()]),
  ]
  for (const dependency of entries) if (!all.has(keyOf(dependency))) all.set(keyOf(dependency), dependency)
  return all
}

/**
 * Applies management as DefaultDependencyManagementInjector does: the dependency's own values win; `optional` is not
 * managed.
 */
function withManaged(dependency: Dependency, findManaged: EffectivePom['findManaged']): Dependency {
  const managed = findManaged(keyOf(dependency))
  return {
    ...dependency,
    version: dependency.version ?? managed?.version,
    scope: dependency.scope ?? managed?.scope ?? 'compile',
    exclusions: dependency.exclusions.length > 0 ? dependency.exclusions : (managed?.exclusions ?? []),
  }
}

function interpolated(dependency: PomDependency, interpolate: Interpolate): Dependency {
  const { group, artifact, version, type, classifier, scope, optional, exclusions, place } = dependency
  return {
    group: interpolate(group),
    artifact: interpolate(artifact),
    version: version === undefined ? undefined : interpolate(version),
    type: interpolate(type),
    classifier: classifier === undefined ? undefined : interpolate(classifier),
    scope: scope === undefined ? undefined : interpolate(scope),
    optional: optional !== undefined && interpolate(optional).toLowerCase() === 'true',
    exclusions: exclusions.map((exclusion) => ({
      group: interpolate(exclusion.group),
      artifact: interpolate(exclusion.artifact),
    })),
    place,
  }
}

function nameOf({ group, artifact, version, place }: Dependency) {
  return { name: `${group}:${artifact}`, range: version ?? '', place }
}
