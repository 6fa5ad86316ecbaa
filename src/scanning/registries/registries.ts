import type { Registries } from '#analysis/registries/registries.ts'
import type { Config } from '#foundation/config.ts'
import { getDefaultRegistryUrl } from './default-registries.ts'
import { createGoRegistry } from './go/go-registry.ts'
import { createLicenseRegistry } from './licenses/license-registry.ts'
import { createMavenRegistry } from './maven/maven-registry.ts'
import { toRepository } from './maven/repository.ts'
import { createNpmRegistry } from './npm/npm-registry.ts'
import { createPyPiRegistry } from './pypi/pypi-registry.ts'
import type { RegistryParts } from './registry-client.ts'
import { createRubyGemsRegistry } from './rubygems/rubygems-registry.ts'

/** The configured registries. */
export function createRegistries(parts: RegistryParts, config: Config): Registries {
  const bounds = {
    maxAgeMs: config.registryMaxAgeMinutes * 60_000,
  }
  const pypi = createPyPiRegistry(parts, { ...bounds, url: config.pypiUrl, furtherIndexes: config.pypiIndexes })
  return {
    npm: createNpmRegistry(parts, { ...bounds, url: config.npmRegistry, token: config.npmToken }),
    maven: createMavenRegistry(parts, { ...bounds, repositories: config.mavenRepositories }),
    pypi,
    rubygems: createRubyGemsRegistry(parts, { ...bounds, url: config.rubygemsUrl }),
    go: createGoRegistry(parts, { ...bounds, url: config.goProxy }),
    licenses: createLicenseRegistry(parts, {
      npm: { url: config.npmRegistry, token: config.npmToken },
      rubygems: { url: config.rubygemsUrl },
      pypi,
    }),
  }
}

/** Returns the base URLs of the registries that requests need not name: the configured ones, else the public ones. */
export function ownRegistryUrls(config: Config): string[] {
  const { npmRegistry, rubygemsUrl, pypiUrl, pypiIndexes = [], mavenRepositories, goProxy } = config
  const repositories = [...(mavenRepositories ?? [getDefaultRegistryUrl('maven')]), ...pypiIndexes]
  const ofGo = goProxy === undefined ? [] : [goProxy]
  const plain = [...repositories, pypiUrl ?? getDefaultRegistryUrl('pypi'), ...ofGo].map(
    (base) => toRepository(base, { mayHoldCredentials: true }).url,
  )
  return [npmRegistry ?? getDefaultRegistryUrl('npm'), rubygemsUrl ?? getDefaultRegistryUrl('gem'), ...plain]
}
