import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getDefaultRegistryUrl } from './default-registries.ts'

for (const type of ['npm', 'maven', 'pypi', 'gem'] as const) {
  test(`the specification names a registry of ${type} packages that we would request`, () => {
    const url = new URL(getDefaultRegistryUrl(type))
    assert.equal(url.protocol, 'https:')
    assert.equal(url.port, '')
  })
}
