import { actionsVersions } from './actions.ts'
import { cargoVersions } from './cargo.ts'
import { composerVersions } from './composer.ts'
import { conanVersions } from './conan.ts'
import { cranVersions } from './cran.ts'
import { goVersions } from './go.ts'
import { hackageVersions } from './hackage.ts'
import { hexVersions } from './hex.ts'
import { mavenVersions } from './maven.ts'
import { npmVersions } from './npm.ts'
import { nugetVersions } from './nuget.ts'
import { pep440Versions } from './pep440.ts'
import { pubVersions } from './pub.ts'
import { rubygemsVersions } from './rubygems.ts'
import type { VersionScheme } from './version-scheme.ts'

export const versionSchemes: Readonly<Record<VersionScheme['id'], VersionScheme>> = {
  npm: npmVersions,
  pep440: pep440Versions,
  rubygems: rubygemsVersions,
  maven: mavenVersions,
  go: goVersions,
  cargo: cargoVersions,
  nuget: nugetVersions,
  pub: pubVersions,
  hex: hexVersions,
  actions: actionsVersions,
  composer: composerVersions,
  conan: conanVersions,
  cran: cranVersions,
  hackage: hackageVersions,
}
