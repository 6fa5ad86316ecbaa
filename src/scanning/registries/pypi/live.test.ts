import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pip } from '#analysis/ecosystems/python/pip/index.ts'
import { toHostPattern } from '#foundation/outgoing/host-patterns.ts'
import { createOutgoing } from '#foundation/outgoing/outgoing.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { cacheIn } from '#test/registries/registry-cache.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { createPyPiRegistry } from './pypi-registry.ts'

const skip = process.env['GATEHOUSE_LIVE_TESTS'] ? false : 'needs a network: set GATEHOUSE_LIVE_TESTS'

test('live: a package of the real index has the dependencies of its wheel', { skip }, async () => {
  const url = process.env['GATEHOUSE_PYPI_URL']
  await using database = await freshDatabase('sqlite')
  const outgoing = createOutgoing({
    allow: [...(url === undefined ? [] : [toHostPattern(new URL(url))]), ...allowed()],
    httpProxy: process.env['HTTP_PROXY'],
    httpsProxy: process.env['HTTPS_PROXY'],
    noProxy: process.env['NO_PROXY'],
  })
  const parts = { cache: cacheIn(database.db, Date.now), outgoing, now: Date.now }
  const pypi = createPyPiRegistry(parts, { url, maxAgeMs: 3_600_000 })
  const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
  const { graph, unresolved } = await pip.readPackage!({ name: 'rsa', version: '4.0' }, registriesOf({ pypi }), options)
  assert.deepEqual(unresolved, [])
  assert.deepEqual(
    graph.nodes.slice(1).map((node) => node.package.name),
    ['rsa', 'pyasn1'],
  )
  assert.equal(graph.nodes[1]!.package.version, '4.0')
  await outgoing.close()
})

function allowed(): string[] {
  return (process.env['GATEHOUSE_OUTGOING_ALLOW'] ?? '').split(',').filter((pattern) => pattern !== '')
}
