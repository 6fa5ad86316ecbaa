import assert from 'node:assert/strict'
import type { Registries, RegistryKind } from '#analysis/registries/registries.ts'

/** Registries of a test; asking one that is not given fails it. */
export function registriesOf(readers: Partial<Registries>): Registries {
  const refuse = (kind: RegistryKind) => () => assert.fail(`the ${kind} registry was asked`)
  return {
    npm: { get: refuse('npm') },
    maven: { pom: refuse('maven'), versions: refuse('maven') },
    pypi: { project: refuse('pypi'), metadata: refuse('pypi'), permitted: refuse('pypi') },
    rubygems: { gem: refuse('rubygems') },
    go: { hasProxy: refuse('go'), mod: refuse('go'), versions: refuse('go') },
    licenses: { find: refuse('licenses') },
    ...readers,
  }
}

export const noRegistries: Registries = registriesOf({})
