import type { VersionMetadata } from '../../src/analysis/registries/npm.ts'
import type { Registries } from '../../src/analysis/registries/registries.ts'
import { registriesOf } from '../../test/support/registries/registries.ts'

const nothing: VersionMetadata = {
  dependencies: {},
  optionalDependencies: {},
  peerDependencies: {},
  optionalPeers: [],
  deprecated: false,
}

/** Registries that know nearly every package, each in a few versions that ask for nothing. */
export const plainRegistries: Registries = registriesOf({
  npm: {
    get: async (name) =>
      isKnown(name)
        ? { name, tags: { latest: '2.0.0' }, versions: { '1.0.0': nothing, '2.0.0': nothing, '3.0.0-a.1': nothing } }
        : undefined,
  },
  maven: {
    pom: async ({ group, artifact, version }) =>
      isKnown(artifact)
        ? {
            text: `<project><groupId>${toText(group)}</groupId><artifactId>${toText(artifact)}</artifactId><version>${toText(version)}</version></project>`,
            repository: 'https://registry.example',
          }
        : undefined,
    versions: async ({ artifact }) => (isKnown(artifact) ? { versions: ['1.0', '2.0'], release: '2.0' } : undefined),
  },
  pypi: {
    project: async (name) =>
      isKnown(name)
        ? {
            files: ['1.0', '2.0'].map((version) => ({
              filename: `${name.replaceAll('-', '_')}-${version}-py3-none-any.whl`,
              version,
              yanked: false,
              hasMetadata: true,
            })),
          }
        : undefined,
    metadata: async () => ({ requiresDist: [], provides: [] }),
    permitted: async (urls) => urls.map(() => null),
  },
  go: {
    hasProxy: async () => true,
    mod: async (path) => (isKnown(path) ? { path, requires: [], retracts: [] } : undefined),
    versions: async (path) => (isKnown(path) ? ['v1.0.0', 'v2.0.0'] : undefined),
  },
  rubygems: {
    gem: async (name) =>
      isKnown(name) ? ['1.0', '2.0'].map((version) => ({ version, platform: 'ruby', dependencies: [] })) : undefined,
  },
})

/** Long names and every eleventh are not. */
function isKnown(name: string): boolean {
  return name !== '' && name.length < 100 && name.charCodeAt(name.length - 1) % 11 !== 0
}

function toText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
