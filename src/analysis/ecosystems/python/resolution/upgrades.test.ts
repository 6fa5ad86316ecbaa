import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import { fixtureRegistries } from '#test/registries/fixture-registries.ts'

const registries = fixtureRegistries('PyPI', {
  a: { '1.0': {}, '1.2': {}, '1.1': { yanked: true }, '1.10': {}, '2.0rc1': {} },
})
const options = { includeDev: false, repositories: [], limits: { maxNodes: 1000 } }

describe('published versions of Python packages', () => {
  for (const { id, whatIfResolver } of ecosystems.filter(
    ({ registry, fixAdvice }) => registry === 'PyPI' && fixAdvice === 'pin',
  )) {
    test(`${id}: newer releases that were not yanked, oldest first`, async () => {
      const resolver = await whatIfResolver!(undefined, registries, options)
      assert.deepEqual(await resolver.candidates({ name: 'a', version: '1.0' }), ['1.2', '1.10'])
      assert.deepEqual(await resolver.candidates({ name: 'a', version: '1.11a1' }), ['2.0rc1'])
      assert.equal(await resolver.candidates({ name: 'unknown', version: '1.0' }), undefined)
    })
  }
})
