import assert from 'node:assert/strict'
import type { Registries, RegistryKind } from '#analysis/registries/registries.ts'

/** Registries of a test; asking one that is not given fails it. */
export function registriesOf(given: Partial<Registries>): Registries {
  const asked = (kind: RegistryKind) => () => assert.fail(`the ${kind} registry was asked`)
  return {
    npm: { get: asked('npm') },
    maven: { pom: asked('maven'), versions: asked('maven') },
    pypi: { project: asked('pypi'), metadata: asked('pypi'), permitted: asked('pypi') },
    rubygems: { gem: asked('rubygems') },
    go: { hasProxy: asked('go'), mod: asked('go'), versions: asked('go') },
    licenses: { find: asked('licenses') },
    ...given,
  }
}

export const noRegistries: Registries = registriesOf({})
