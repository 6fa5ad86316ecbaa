import type { Ecosystem } from './ecosystem.ts'
import { govendor } from './govendor/index.ts'
import { gradle } from './gradle/index.ts'
import { maven } from './maven/index.ts'
import { npm } from './npm/index.ts'
import { pip } from './pip/index.ts'
import { rubygems } from './rubygems/index.ts'
import { sbt } from './sbt/index.ts'
import { yarn } from './yarn/index.ts'

/** Every package manager that is read. */
export const ecosystems: readonly Ecosystem[] = [npm, yarn, govendor, maven, gradle, rubygems, pip, sbt]

export function getEcosystem(id: string): Ecosystem {
  const ecosystem = ecosystems.find((each) => each.id === id)
  if (ecosystem === undefined) throw new Error(`No ecosystem is called ${id}`)
  return ecosystem
}
