import { bun } from './bun/index.ts'
import type { Ecosystem } from './ecosystem.ts'
import { gomodules } from './gomodules/index.ts'
import { govendor } from './govendor/index.ts'
import { gradle } from './gradle/index.ts'
import { maven } from './maven/index.ts'
import { npm } from './npm/index.ts'
import { pnpm } from './pnpm/index.ts'
import { pythonTools } from './python-tools.ts'
import { rubygems } from './rubygems/index.ts'
import { sbom } from './sbom/index.ts'
import { sbt } from './sbt/index.ts'
import { yarn } from './yarn/index.ts'

/** Every supported package manager. */
export const ecosystems: readonly Ecosystem[] = [
  npm,
  yarn,
  pnpm,
  bun,
  gomodules,
  govendor,
  maven,
  gradle,
  rubygems,
  ...pythonTools,
  sbt,
  sbom,
]

export function getEcosystem(id: string): Ecosystem {
  const ecosystem = ecosystems.find((each) => each.id === id)
  if (ecosystem === undefined) throw new Error(`No ecosystem is called ${id}`)
  return ecosystem
}
