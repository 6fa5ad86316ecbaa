import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { unpackGraph } from './packed-state.ts'

test('stored graph: the former spelling "licence" is read as license; other text stays', async () => {
  const graph = { packages: [{ name: 'a', version: '1.0.0', licence: 'MIT' }, { name: '"licence":' }] }
  const unpacked = await unpackGraph(deflateRawSync(JSON.stringify(graph)))
  assert.deepEqual(unpacked, {
    packages: [{ name: 'a', version: '1.0.0', license: 'MIT' }, { name: '"licence":' }],
  })
})
