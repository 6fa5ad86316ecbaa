import { toSwiftName } from './swift-names.ts'
import { actionsVersions } from './versions/actions.ts'
import { cargoVersions } from './versions/cargo.ts'
import { composerVersions } from './versions/composer.ts'
import { conanVersions } from './versions/conan.ts'
import { cranVersions } from './versions/cran.ts'
import { goVersions } from './versions/go.ts'
import { hackageVersions } from './versions/hackage.ts'
import { hexVersions } from './versions/hex.ts'
import { mavenVersions } from './versions/maven.ts'
import { npmVersions } from './versions/npm.ts'
import { nugetVersions } from './versions/nuget.ts'
import { pep440Versions } from './versions/pep440.ts'
import { pubVersions } from './versions/pub.ts'
import { rubygemsVersions } from './versions/rubygems.ts'
import type { VersionScheme } from './versions/version-scheme.ts'

/** The facts about a registry of packages. Everything outside its ecosystem's folder derives from them. */
export interface RegistryFacts {
  /** OSV's spelling of the ecosystem. */
  readonly name: string
  /** The type of its package URLs. */
  readonly purlType: string
  readonly versions: VersionScheme
  /** Value of `language` in findings. */
  readonly language: string
  /** Value of `packageManager` in findings. */
  readonly packageManager: string
  /**
   * The advice of findings: upgrade a direct dependency, pin the affected package itself, or none if the interface has
   * no word for it.
   */
  readonly fixAdvice: 'upgrade' | 'pin' | 'none'
  /** The mark between the namespace and the name of a package; absent if names have no namespace. */
  readonly separator?: '/' | ':'
  /** True if every name has a namespace. */
  readonly needsNamespace?: true
  /** Returns the spelling under which packages are looked up. Default: exact. */
  normalizeName?(name: string): string
  /** The identifier prefix of its own advisory database. */
  readonly ownDatabase?: string
  /** The syntax of ranges in findings. */
  readonly ranges: RangeSyntax
}

/** Comparators with their spelling, or intervals in brackets. */
export type RangeSyntax = Comparators | 'brackets' | 'brackets-or-upper-bound'

export interface Comparators {
  readonly equal: string
  /** Between operator and version. */
  readonly gap: string
  /** Between two comparators. */
  readonly between: string
  /** The range of all versions in advisories. */
  readonly all: string
}

const spaced = { equal: '=', gap: '', between: ' ', all: '*' } as const
const withCommas = { equal: '=', gap: '', between: ', ', all: '*' } as const
const lowerCase = (name: string) => name.toLowerCase()
const PYTHON_SEPARATORS = /[-_.]+/g

/** Every registry with advisories. Their order numbers them in snapshots, so append new ones. */
export const registryFacts = [
  {
    name: 'npm',
    purlType: 'npm',
    versions: npmVersions,
    language: 'js',
    packageManager: 'npm',
    fixAdvice: 'upgrade',
    separator: '/',
    ranges: spaced,
  },
  {
    name: 'PyPI',
    purlType: 'pypi',
    versions: pep440Versions,
    language: 'python',
    packageManager: 'pip',
    fixAdvice: 'pin',
    // PEP 503.
    normalizeName: (name) => name.toLowerCase().replace(PYTHON_SEPARATORS, '-'),
    ownDatabase: 'PYSEC-',
    ranges: 'brackets-or-upper-bound',
  },
  {
    name: 'RubyGems',
    purlType: 'gem',
    versions: rubygemsVersions,
    language: 'ruby',
    packageManager: 'rubygems',
    fixAdvice: 'upgrade',
    ownDatabase: 'RUBYSEC-',
    ranges: { equal: '= ', gap: ' ', between: ', ', all: '>= 0' },
  },
  {
    name: 'Maven',
    purlType: 'maven',
    versions: mavenVersions,
    language: 'java',
    packageManager: 'maven',
    fixAdvice: 'upgrade',
    separator: ':',
    needsNamespace: true,
    ranges: 'brackets',
  },
  {
    name: 'Go',
    purlType: 'golang',
    versions: goVersions,
    language: 'golang',
    packageManager: 'golang',
    fixAdvice: 'none',
    separator: '/',
    ownDatabase: 'GO-',
    ranges: spaced,
  },
  {
    name: 'crates.io',
    purlType: 'cargo',
    versions: cargoVersions,
    language: 'rust',
    packageManager: 'cargo',
    fixAdvice: 'upgrade',
    ownDatabase: 'RUSTSEC-',
    ranges: withCommas,
  },
  {
    name: 'Packagist',
    purlType: 'composer',
    versions: composerVersions,
    language: 'php',
    packageManager: 'composer',
    fixAdvice: 'upgrade',
    separator: '/',
    needsNamespace: true,
    normalizeName: lowerCase,
    ranges: { ...withCommas, between: ',' },
  },
  {
    name: 'NuGet',
    purlType: 'nuget',
    versions: nugetVersions,
    language: 'dotnet',
    packageManager: 'nuget',
    fixAdvice: 'upgrade',
    normalizeName: lowerCase,
    ranges: 'brackets',
  },
  {
    name: 'Pub',
    purlType: 'pub',
    versions: pubVersions,
    language: 'dart',
    packageManager: 'pub',
    fixAdvice: 'upgrade',
    ranges: spaced,
  },
  {
    name: 'Hex',
    purlType: 'hex',
    versions: hexVersions,
    language: 'elixir',
    packageManager: 'hex',
    fixAdvice: 'upgrade',
    ranges: { equal: '== ', gap: ' ', between: ' and ', all: '>= 0.0.0' },
  },
  {
    name: 'SwiftURL',
    purlType: 'swift',
    versions: npmVersions,
    language: 'swift',
    packageManager: 'swift',
    fixAdvice: 'upgrade',
    separator: '/',
    needsNamespace: true,
    normalizeName: (name) => toSwiftName(name).toLowerCase(),
    ranges: spaced,
  },
  {
    name: 'CocoaPods',
    purlType: 'cocoapods',
    versions: rubygemsVersions,
    language: 'swift',
    packageManager: 'cocoapods',
    fixAdvice: 'upgrade',
    ranges: withCommas,
  },
  {
    name: 'GitHub Actions',
    purlType: 'githubactions',
    versions: actionsVersions,
    language: 'yaml',
    packageManager: 'githubactions',
    fixAdvice: 'upgrade',
    separator: '/',
    needsNamespace: true,
    normalizeName: lowerCase,
    ranges: spaced,
  },
  {
    name: 'ConanCenter',
    purlType: 'conan',
    versions: conanVersions,
    language: 'cpp',
    packageManager: 'conan',
    fixAdvice: 'upgrade',
    ranges: spaced,
  },
  {
    name: 'vcpkg',
    purlType: 'vcpkg',
    versions: npmVersions,
    language: 'cpp',
    packageManager: 'vcpkg',
    fixAdvice: 'upgrade',
    ranges: spaced,
  },
  {
    name: 'Hackage',
    purlType: 'hackage',
    versions: hackageVersions,
    language: 'haskell',
    packageManager: 'haskell',
    fixAdvice: 'upgrade',
    ranges: { ...spaced, between: ' && ' },
  },
  {
    name: 'CRAN',
    purlType: 'cran',
    versions: cranVersions,
    language: 'r',
    packageManager: 'renv',
    fixAdvice: 'upgrade',
    ranges: { ...withCommas, gap: ' ' },
  },
  {
    name: 'Julia',
    purlType: 'julia',
    versions: npmVersions,
    language: 'julia',
    packageManager: 'julia',
    fixAdvice: 'upgrade',
    ranges: withCommas,
  },
] as const satisfies readonly RegistryFacts[]

/** Registry names in OSV's spelling. */
export type Registry = (typeof registryFacts)[number]['name']

const byName: ReadonlyMap<string, RegistryFacts> = new Map(registryFacts.map((facts) => [facts.name, facts]))

export function factsOf(registry: Registry): RegistryFacts {
  return byName.get(registry)!
}
