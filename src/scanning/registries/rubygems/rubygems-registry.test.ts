import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { readRegistry } from '#test/registries/read-registry.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { createRubyGemsRegistry } from './rubygems-registry.ts'

const MINUTE = 60_000

onAnyEngine('the RubyGems registry', (engine) => {
  const open = (answer: (request: IncomingMessage, response: ServerResponse) => void, path = '') =>
    readRegistry({ engine, create: createRubyGemsRegistry, answer, path })

  test('gems are requested from the compact index below the base URL', async () => {
    await using registry = await open((_request, response) => response.end('---\n1.0 b:~> 2|checksum:0\n'), '/gems/')
    assert.deepEqual(await registry.gem('a_b-c.d'), [
      { version: '1.0', platform: 'ruby', dependencies: [{ name: 'b', requirement: '~> 2' }] },
    ])
    assert.equal(registry.requests[0]!.url, '/gems/info/a_b-c.d')
  })

  test('a response is cached and confirmed by its validator', async () => {
    await using registry = await open((request, response) => {
      const isKnown = request.headers['if-none-match'] === '"1"'
      response.writeHead(isKnown ? 304 : 200, { etag: '"1"' }).end(isKnown ? undefined : '---\n1.0 |checksum:0\n')
    })
    const first = await registry.gem('a')
    assert.deepEqual(await registry.reader().gem('a'), first)
    assert.equal(registry.requests.length, 1)
    registry.clock.at += 11 * MINUTE
    assert.deepEqual(await registry.gem('a'), first)
    assert.equal(registry.requests.length, 2)
  })

  test('a missing gem is undefined; impossible names are not requested', async () => {
    await using registry = await open((_request, response) => response.writeHead(404).end())
    assert.equal(await registry.gem('a'), undefined)
    for (const name of ['', '..', '.a', 'a/b', '../a', 'a b', 'a%2fb', 'ä', 'a?b', 'x'.repeat(201)]) {
      assert.equal(await registry.gem(name), undefined, name)
    }
    assert.equal(registry.requests.length, 1)
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
      await using registry = await open((_request, response) => answer(response))
      await assert.rejects(registry.gem('a'), RegistryUnreachable)
    })
  }
})
