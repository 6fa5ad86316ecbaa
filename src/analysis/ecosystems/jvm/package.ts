import type { Package } from '../../dependency-graph.ts'
import type { MavenReader } from '../../registries/maven.ts'
import type { Reading, ReadOptions } from '../ecosystem.ts'
import { type Collection, collect } from './collect.ts'
import { createPomBuilder, type Dependency } from './effective-pom.ts'
import { createPomReads, isCoordinate, MAX_QUERIES } from './pom-reads.ts'
import { createPomSource } from './pom-source.ts'
import { toReading } from './reading.ts'
import { createVersionChoice } from './version-choice.ts'

/** Reads the graph of one published package, as for a project that declares only it. */
export function readPackage(coordinates: Package, reader: MavenReader, options: ReadOptions): Promise<Reading> {
  return readAlone(coordinates, options, (dependency) => {
    const reads = createPomReads(reader, { requested: options.repositories, declared: [], maxQueries: MAX_QUERIES })
    return collect([dependency], {
      builder: createPomBuilder(createPomSource(reads)),
      versions: createVersionChoice(reads),
      findManaged: () => undefined,
      maxPackages: options.limits.maxNodes,
    })
  })
}

/** The same for any tool with packages in Maven's layout. */
export async function readAlone(
  { name, version }: Package,
  options: ReadOptions,
  collectBelow: (dependency: Dependency) => Promise<Collection>,
): Promise<Reading> {
  const project = { name: '', version: '' }
  const frame = { project, label: 'the request', options, filesRead: [], unresolved: [], notes: [], inactive: 0 }
  const [group = '', artifact = '', ...more] = name.split(':')
  if (more.length > 0 || ![group, artifact, version].every(isCoordinate)) {
    const reason = 'Invalid coordinates'
    const refused = { name, range: version, code: 'no-matching-version', reason, requiredBy: 'the request' } as const
    return toReading([], { ...frame, unresolved: [refused] })
  }
  const collection = await collectBelow(toDependency({ name, version }))
  return toReading([{ pom: undefined, collection }], frame)
}

/** Returns a package as a project's dependency. */
export function toDependency({ name, version }: Package): Dependency {
  const [group = '', artifact = ''] = name.split(':')
  return {
    group,
    artifact,
    version,
    type: 'jar',
    classifier: undefined,
    scope: 'compile',
    optional: false,
    exclusions: [],
    place: undefined,
  }
}
