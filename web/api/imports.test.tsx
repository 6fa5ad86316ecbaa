import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestImport } from './imports.ts'

test('import request: its response is read to the end', async (context) => {
  const answer = new Response('{}', { status: 201, headers: { location: 'http://127.0.0.1/v1/import/the-id' } })
  context.mock.method(globalThis, 'fetch', async () => answer)
  const input = {
    integrationId: 'of-git',
    target: { url: 'https://git.example/shop.git' },
    files: [],
    exclusionGlobs: undefined,
  }
  assert.equal(await requestImport('an-org', input, 'a-key'), 'the-id')
  assert.ok(answer.bodyUsed)
})
