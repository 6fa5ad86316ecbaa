import type { LicenceReader } from './licences.ts'
import type { MavenReader } from './maven.ts'
import type { NpmReader } from './npm.ts'
import type { PyPiReader } from './pypi.ts'
import type { RubyGemsReader } from './rubygems.ts'

/** How resolution reads registries. Every reader throws `RegistryUnreachable` when there is no answer at all. */
export interface Registries {
  readonly npm: NpmReader
  readonly maven: MavenReader
  readonly pypi: PyPiReader
  readonly rubygems: RubyGemsReader
  readonly licences: LicenceReader
}

export type RegistryKind = keyof Registries
