import { hex } from './beam/hex/index.ts'
import { conan } from './cpp/index.ts'
import { pub } from './dart/pub/index.ts'
import { nuget } from './dotnet/nuget/index.ts'
import type { Ecosystem } from './ecosystem.ts'
import { githubactions } from './githubactions/index.ts'
import { gomodules } from './go/gomodules/index.ts'
import { govendor } from './go/govendor/index.ts'
import { haskell } from './haskell/index.ts'
import { bun } from './javascript/bun/index.ts'
import { npm } from './javascript/npm/index.ts'
import { pnpm } from './javascript/pnpm/index.ts'
import { yarn } from './javascript/yarn/index.ts'
import { gradle } from './jvm/gradle/index.ts'
import { maven } from './jvm/maven/index.ts'
import { sbt } from './jvm/sbt/index.ts'
import { composer } from './php/index.ts'
import { pythonTools } from './python/python-tools.ts'
import { renv } from './r/index.ts'
import { rubygems } from './rubygems/index.ts'
import { cargo } from './rust/index.ts'
import { sbom } from './sbom/index.ts'
import { cocoapods } from './swift/cocoapods/index.ts'
import { swift } from './swift/swift/index.ts'

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
  cargo,
  githubactions,
  composer,
  pub,
  hex,
  conan,
  renv,
  swift,
  cocoapods,
  haskell,
  nuget,
  sbom,
]

export function getEcosystem(id: string): Ecosystem {
  const ecosystem = ecosystems.find((ecosystem) => ecosystem.id === id)
  if (ecosystem === undefined) throw new Error(`No ecosystem is called ${id}`)
  return ecosystem
}
