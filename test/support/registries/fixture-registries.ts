import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { PackageMetadata, VersionMetadata } from '#analysis/registries/npm.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import type { GemVersion } from '#analysis/registries/rubygems.ts'
import { type GoContent, goReaderOf, noGoProxy } from './go-content.ts'
import { type MavenContent, mavenReaderOf } from './maven-content.ts'
import { type PyPiContent, pypiReaderOf } from './pypi-content.ts'
import { noRegistries, registriesOf } from './registries.ts'

/** Content of a fixture's `registry.json`, in the form of its registry; a name may be `unreachable` in all of them. */
type Named<T> = Readonly<Record<string, T | 'unreachable'>>
type NpmContent = Named<{ tags: Record<string, string>; versions: Record<string, Partial<VersionMetadata>> }>
type GemContent = Named<readonly (Partial<GemVersion> & Pick<GemVersion, 'version'>)[]>

const readers: Readonly<Partial<Record<Registry, (content: unknown) => Registries>>> = {
  npm: (content) => {
    const packages = content as NpmContent
    return registriesOf({ npm: { get: async (name) => toMetadata(name, find(packages, name)) } })
  },
  RubyGems: (content) => {
    const gems = content as GemContent
    return registriesOf({
      rubygems: {
        gem: async (name) => find(gems, name)?.map((version) => ({ platform: 'ruby', dependencies: [], ...version })),
      },
    })
  },
  PyPI: (content) => registriesOf({ pypi: pypiReaderOf(content as PyPiContent) }),
  Maven: (content) => registriesOf({ maven: mavenReaderOf(content as MavenContent) }),
  Go: (content) => registriesOf({ go: goReaderOf(content as GoContent) }),
}

/** The registries of a golden case: only the ecosystem's own, with the content of `registry.json`. */
export function fixtureRegistries(registry: Registry, content: unknown): Registries {
  if (content !== undefined) return readers[registry]!(content)
  return registry === 'Go' ? registriesOf({ go: noGoProxy }) : noRegistries
}

function find<T>(content: Named<T>, name: string): T | undefined {
  const entry = Object.hasOwn(content, name) ? content[name] : undefined
  if (entry === 'unreachable') throw new RegistryUnreachable('down')
  return entry
}

function toMetadata(
  name: string,
  entry: { tags: Record<string, string>; versions: Record<string, Partial<VersionMetadata>> } | undefined,
): PackageMetadata | undefined {
  if (entry === undefined) return undefined
  const none = {
    dependencies: {},
    optionalDependencies: {},
    peerDependencies: {},
    optionalPeers: [],
    deprecated: false,
  }
  const whole = Object.entries(entry.versions).map(([version, metadata]) => [version, { ...none, ...metadata }])
  return { name, tags: entry.tags, versions: Object.fromEntries(whole) }
}
