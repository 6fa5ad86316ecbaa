import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Registries } from '#analysis/registries/registries.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { answerQuestion, remoteRegistries } from './remote-registries.ts'

/** Readers that return their arguments, which shows that calls and results arrive unchanged. */
const near = registriesOf({
  npm: { get: async (name) => ({ name, tags: {}, versions: {} }) },
  maven: {
    pom: async (coordinates, { requested, declared } = { requested: [], declared: [] }) => ({
      text: JSON.stringify(coordinates),
      repository: [...requested, ...declared].join(),
    }),
    module: async ({ artifact, version }) => ({
      variants: [
        { name: `${artifact} ${version}`, attributes: {}, capabilities: [], dependencies: [], constraints: [] },
      ],
    }),
    versions: async ({ group, artifact }) => ({ versions: [group, artifact] }),
  },
  pypi: {
    project: async () => undefined,
    metadata: async ({ project, version, filename }) => ({ requiresDist: [project, version, filename], provides: [] }),
    permitted: async (urls) => urls.map((url) => (url === '' ? undefined : null)),
  },
  go: {
    hasProxy: async () => true,
    mod: async (path, version) => ({ path, requires: [{ path, version }], retracts: [] }),
    versions: async (path) => [path],
  },
  rubygems: { gem: async (name) => [{ version: '1', platform: name, dependencies: [] }] },
})

describe('registries that are called by message', () => {
  const far = remoteRegistries((question) => answerQuestion(near, structuredClone(question)))
  const coordinates = { group: 'g', artifact: 'a', version: '1' }
  const repositories = { requested: ['http://registry.example/b'], declared: ['http://registry.example/c'] }
  const calls: [what: string, call: (registries: Registries) => Promise<unknown>][] = [
    ['a packument', ({ npm }) => npm.get('a')],
    ['a POM', ({ maven }) => maven.pom(coordinates)],
    ['a POM of named repositories', ({ maven }) => maven.pom(coordinates, repositories)],
    ["Gradle's metadata of a module", async ({ maven }) => maven.module?.(coordinates, repositories)],
    ['the versions of an artifact', ({ maven }) => maven.versions({ group: 'g', artifact: 'a' })],
    ['a project that is unknown', ({ pypi }) => pypi.project('a')],
    ['metadata of a version', ({ pypi }) => pypi.metadata({ project: 'a', version: '1', filename: 'a-1.tar.gz' })],
    ['which indexes may be asked', ({ pypi }) => pypi.permitted(['', 'http://registry.example/simple'])],
    ['whether a module proxy is configured', ({ go }) => go.hasProxy()],
    ['a go.mod', ({ go }) => go.mod('a.example/b', 'v1.0.0')],
    ['the versions of a module', ({ go }) => go.versions('a.example/b')],
    ['a gem', ({ rubygems }) => rubygems.gem('a')],
  ]
  for (const [what, call] of calls) {
    test(`remote registries return the same: ${what}`, async () => {
      assert.deepEqual(await call(far), await call(near))
    })
  }

  test('remote registries have the same methods as local ones', () => {
    const methodsOf = (registries: Registries) =>
      Object.entries(registries).map(([kind, reader]) => [kind, Object.keys(reader as object).sort()])
    assert.deepEqual(methodsOf(far).sort(), methodsOf(near).sort())
  })

  test('remote registries pass failures on', async () => {
    const broken = remoteRegistries(() => Promise.reject(new Error('gone')))
    await assert.rejects(broken.pypi.project('a'), /gone/)
  })
})
