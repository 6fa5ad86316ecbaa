import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getDefaultRegistryUrl } from './default-registries.ts'

for (const type of ['npm', 'maven', 'pypi', 'gem'] as const) {
  test(`default registry of ${type}: an https URL without a port`, () => {
    const url = new URL(getDefaultRegistryUrl(type))
    assert.equal(url.protocol, 'https:')
    assert.equal(url.port, '')
  })
}
