import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { readRegistry } from '#test/registries/read-registry.ts'
import { cacheIn } from '#test/registries/registry-cache.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { loopbackClient } from '#test/servers/loopback-client.ts'
import { createGoRegistry } from './go-registry.ts'

const MINUTE = 60_000

onAnyEngine('the Go module proxy', (engine) => {
  const open = (answer: (request: IncomingMessage, response: ServerResponse) => void, path = '') =>
    readRegistry({ engine, create: createGoRegistry, answer, path })

  test('go.mod files and lists are requested below the base URL, with capitals escaped', async () => {
    await using proxy = await open(
      ({ url }, response) => response.end(url!.endsWith('list') ? 'v1.0.0\nv1.1.0\n' : 'module github.com/Azure/x\n'),
      '/go/',
    )
    const module = { path: 'github.com/Azure/x', requires: [], retracts: [] }
    assert.deepEqual(await proxy.mod('github.com/Azure/x', 'v1.0.0-RC1'), module)
    assert.deepEqual(await proxy.versions('github.com/Azure/x'), ['v1.0.0', 'v1.1.0'])
    assert.deepEqual(
      proxy.requests.map(({ url }) => url),
      ['/go/github.com/!azure/x/@v/v1.0.0-!r!c1.mod', '/go/github.com/!azure/x/@v/list'],
    )
    assert.equal(await proxy.hasProxy(), true)
  })

  test('without a base URL, no proxy is used', async () => {
    const database = await freshDatabase(engine)
    const outgoing = loopbackClient()
    const reader = createGoRegistry(
      { cache: cacheIn(database.db, Date.now), outgoing, now: Date.now },
      { url: undefined, maxAgeMs: MINUTE },
    )
    assert.equal(await reader.hasProxy(), false)
    await assert.rejects(reader.mod('example.com/a', 'v1.0.0'), RegistryUnreachable)
    await outgoing.close()
    await database[Symbol.asyncDispose]()
  })

  test('a go.mod is cached for long, a list of versions only briefly', async () => {
    await using proxy = await open(({ url }, response) =>
      response.end(url!.endsWith('list') ? 'v1.0.0\n' : 'module example.com/a\n'),
    )
    for (const minutes of [0, 11, 7_000]) {
      proxy.clock.at += minutes * MINUTE
      await proxy.mod('example.com/a', 'v1.0.0')
      await proxy.versions('example.com/a')
    }
    assert.deepEqual(
      proxy.requests.map(({ url }) => url!.slice(url!.lastIndexOf('/') + 1)),
      ['v1.0.0.mod', 'list', 'list', 'list'],
    )
  })

  test('missing modules are undefined; invalid paths and versions are not requested', async () => {
    await using proxy = await open((_request, response) => response.writeHead(404).end())
    assert.equal(await proxy.mod('example.com/a', 'v1.0.0'), undefined)
    assert.equal(await proxy.versions('example.com/a'), undefined)
    for (const path of ['', '..', '../a', 'a/../b', 'a//b', 'a b', 'a%2fb', 'ä', 'a?b', 'a#b', 'x'.repeat(501)]) {
      assert.equal(await proxy.mod(path, 'v1.0.0'), undefined, path)
      assert.equal(await proxy.versions(path), undefined, path)
    }
    for (const version of ['', 'main', '../v1', 'v1/2', 'v1?', 'v1%2f']) {
      assert.equal(await proxy.mod('example.com/a', version), undefined, version)
    }
    assert.equal(proxy.requests.length, 2)
  })

  const failures: [why: string, answer: (response: ServerResponse) => void][] = [
    ['an error of the server', (response) => response.writeHead(500).end()],
    ['too many requests', (response) => response.writeHead(429).end()],
    ['an HTML page', (response) => response.end('<html>')],
    ['an empty response', (response) => response.end()],
    ['a broken connection', (response) => response.destroy()],
  ]
  for (const [why, answer] of failures) {
    test(`${why}: RegistryUnreachable`, async () => {
      await using proxy = await open((_request, response) => answer(response))
      await assert.rejects(proxy.mod('example.com/a', 'v1.0.0'), RegistryUnreachable)
    })
  }
})
