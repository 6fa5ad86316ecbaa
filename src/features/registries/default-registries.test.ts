import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getDefaultRegistryUrl } from './default-registries.ts'

test('the specification names a registry that we would request', () => {
  const url = new URL(getDefaultRegistryUrl('npm'))
  assert.equal(url.protocol, 'https:')
  assert.equal(url.port, '')
})
