import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHostPattern } from '#foundation/outgoing/host-patterns.ts'
import { createOutgoing } from '#foundation/outgoing/outgoing.ts'
import { cacheIn } from '#test/registries/registry-cache.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { createNpmRegistry } from './npm-registry.ts'

const skip = process.env['GATEHOUSE_LIVE_TESTS'] ? false : 'needs a network: set GATEHOUSE_LIVE_TESTS'

test("live: the real registry's document is parsed and confirmed by its validator", { skip }, async () => {
  const url = process.env['GATEHOUSE_NPM_REGISTRY']
  await using database = await freshDatabase('sqlite')
  const outgoing = createOutgoing({
    allow: url === undefined ? [] : [toHostPattern(new URL(url))],
    httpProxy: process.env['HTTP_PROXY'],
    httpsProxy: process.env['HTTPS_PROXY'],
    noProxy: process.env['NO_PROXY'],
  })
  const parts = { cache: cacheIn(database.db, Date.now), outgoing, now: Date.now }
  const registry = createNpmRegistry(parts, {
    url,
    token: process.env['GATEHOUSE_NPM_TOKEN'],
    maxAgeMs: 0,
  })
  const first = await registry.ask('semver')
  assert.match(first.value!.tags['latest']!, /^\d+\.\d+\.\d+$/)
  assert.ok(Object.keys(first.value!.versions).length > 10)
  const second = await registry.ask('semver')
  assert.deepEqual(second.value, first.value)
  assert.ok(second.validatedAt >= first.validatedAt)
  assert.equal(second.staleBecause, undefined)
  await outgoing.close()
})
