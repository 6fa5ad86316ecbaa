import type { Package } from '#analysis/dependency-graph.ts'
import type { Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { MavenReader } from '#analysis/registries/maven.ts'
import { createPomBuilder } from '../effective-pom.ts'
import { readAlone } from '../package.ts'
import { createPomReads, MAX_QUERIES } from '../pom-reads.ts'
import { createPomSource } from '../pom-source.ts'
import { createBelow, readPublished } from './resolution/below.ts'
import { createChoice } from './resolution/choose-version.ts'
import { fromPom } from './resolution/gradle-dependency.ts'
import { collectHighest } from './resolution/highest-wins.ts'

/** Reads the graph of one published package, as for a JVM build that declares only it. */
export function readPackage(coordinates: Package, reader: MavenReader, options: ReadOptions): Promise<Reading> {
  return readAlone(coordinates, options, (dependency) => {
    const reads = createPomReads(reader, { requested: options.repositories, declared: [], maxQueries: MAX_QUERIES })
    const builder = createPomBuilder(createPomSource(reads))
    return collectHighest([fromPom(dependency)], {
      find: (coordinates) => readPublished(coordinates, builder, reads),
      choose: createChoice(reads, { constraints: [], forced: [], findManaged: () => undefined }),
      below: createBelow('jvm'),
      excluded: [],
      maxPackages: options.limits.maxNodes,
    })
  })
}
