import { hexFiles } from './beam/hex/files.ts'
import { conanFiles } from './cpp/files.ts'
import { pubFiles } from './dart/pub/files.ts'
import { nugetFiles } from './dotnet/nuget/files.ts'
import type { EcosystemFiles } from './ecosystem-files.ts'
import { actionsFiles } from './githubactions/files.ts'
import { haskellFiles } from './haskell/files.ts'
import { composerFiles } from './php/files.ts'
import { renvFiles } from './r/files.ts'
import { cargoFiles } from './rust/files.ts'
import { cocoapodsFiles } from './swift/cocoapods/files.ts'
import { swiftFiles } from './swift/swift/files.ts'

/** The files of the ecosystems that declare them as data. A kind of file is tried in this order. */
export const fileLists: readonly EcosystemFiles[] = [
  cargoFiles,
  actionsFiles,
  composerFiles,
  pubFiles,
  hexFiles,
  conanFiles,
  renvFiles,
  swiftFiles,
  cocoapodsFiles,
  haskellFiles,
  nugetFiles,
]
