import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maven } from '#analysis/ecosystems/jvm/maven/index.ts'
import { toHostPattern } from '#foundation/outgoing/host-patterns.ts'
import { createOutgoing } from '#foundation/outgoing/outgoing.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { cacheIn } from '#test/registries/registry-cache.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { createMavenRegistry } from './maven-registry.ts'

const skip = process.env['GATEHOUSE_LIVE_TESTS'] ? false : 'needs a network: set GATEHOUSE_LIVE_TESTS'

test('live: a package of the real repository has the dependencies of its POM and parents', { skip }, async () => {
  const repositories = process.env['GATEHOUSE_MAVEN_REPOSITORIES']?.split(',')
  await using database = await freshDatabase('sqlite')
  const outgoing = createOutgoing({
    allow: (repositories ?? []).map((url) => toHostPattern(new URL(url))),
    httpProxy: process.env['HTTP_PROXY'],
    httpsProxy: process.env['HTTPS_PROXY'],
    noProxy: process.env['NO_PROXY'],
  })
  const parts = { cache: cacheIn(database.db, Date.now), outgoing, now: Date.now }
  const reader = createMavenRegistry(parts, { repositories, maxAgeMs: 3_600_000 })
  const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
  const coordinates = { name: 'org.apache.commons:commons-text', version: '1.9' }
  const { graph, unresolved } = await maven.readPackage!(coordinates, registriesOf({ maven: reader }), options)
  assert.deepEqual(unresolved, [])
  assert.deepEqual(
    graph.nodes.slice(1).map((node) => [node.package.name, node.package.version, node.license]),
    [
      ['org.apache.commons:commons-text', '1.9', 'Apache License, Version 2.0'],
      ['org.apache.commons:commons-lang3', '3.11', 'Apache License, Version 2.0'],
    ],
  )
  const published = await reader.versions({ group: 'org.apache.commons', artifact: 'commons-text' })
  assert.ok(published?.versions.includes('1.10.0'))
  await outgoing.close()
})
