import type { GoReader } from './go.ts'
import type { LicenseReader } from './licenses.ts'
import type { MavenReader } from './maven.ts'
import type { NpmReader } from './npm.ts'
import type { PyPiReader } from './pypi.ts'
import type { RubyGemsReader } from './rubygems.ts'

/** The registry readers for resolution. Each throws `RegistryUnreachable` without any answer. */
export interface Registries {
  readonly npm: NpmReader
  readonly maven: MavenReader
  readonly pypi: PyPiReader
  readonly rubygems: RubyGemsReader
  readonly go: GoReader
  readonly licenses: LicenseReader
}

export type RegistryKind = keyof Registries
