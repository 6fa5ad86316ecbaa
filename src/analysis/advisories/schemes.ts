import type { Registry } from '#analysis/registries/registry.ts'
import { goVersions } from '../versions/go.ts'
import { mavenVersions } from '../versions/maven.ts'
import { npmVersions } from '../versions/npm.ts'
import { pep440Versions } from '../versions/pep440.ts'
import { rubygemsVersions } from '../versions/rubygems.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'

export type Schemes = Readonly<Record<Registry, VersionScheme>>

/** The version order of each registry. */
export const schemes: Schemes = {
  npm: npmVersions,
  PyPI: pep440Versions,
  RubyGems: rubygemsVersions,
  Maven: mavenVersions,
  Go: goVersions,
}
