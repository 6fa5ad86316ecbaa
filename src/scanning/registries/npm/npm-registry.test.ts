import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { createOutgoing } from '#foundation/outgoing/outgoing.ts'
import { cacheIn } from '#test/registries/registry-cache.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { type LocalServer, serveHttp } from '#test/servers/local-server.ts'
import { loopbackClient } from '#test/servers/loopback-client.ts'
import type { RegistryUse } from '../registry-client.ts'
import { createNpmRegistry, type NpmRegistrySettings } from './npm-registry.ts'

const MINUTE = 60_000

onAnyEngine('the npm registry', (engine) => {
  /** A registry whose responses come from `answer`, and a reader of it. */
  async function open(
    answer: (request: IncomingMessage, response: ServerResponse) => void,
    settings: Partial<NpmRegistrySettings> = {},
  ) {
    const requests: IncomingMessage[] = []
    const server = await serveHttp((request, response) => {
      requests.push(request)
      answer(request, response)
    })
    const database = await freshDatabase(engine)
    const outgoing = loopbackClient()
    const attempts: string[] = []
    const counted: typeof outgoing = {
      ...outgoing,
      get(url, options) {
        attempts.push(String(url))
        return outgoing.get(url, options)
      },
    }
    const clock = { at: Date.parse('2026-01-01') }
    const reader = (more: Partial<NpmRegistrySettings> = {}, use?: RegistryUse) =>
      createNpmRegistry(
        { cache: cacheIn(database.db, () => clock.at), outgoing: counted, use, now: () => clock.at },
        { url: server.url, maxAgeMs: 10 * MINUTE, ...settings, ...more },
      )
    return {
      ...reader(),
      reader,
      requests,
      attempts,
      server,
      clock,
      async [Symbol.asyncDispose]() {
        await outgoing.close()
        await database[Symbol.asyncDispose]()
        await server[Symbol.asyncDispose]()
      },
    }
  }

  const stop = (server: LocalServer) => server[Symbol.asyncDispose]()
  const packument = (name: string, version = '1.0.0') =>
    JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { dependencies: { b: '^1' } } } })
  const nameIn = (request: IncomingMessage) => decodeURIComponent(request.url!.slice(1))

  test('the abbreviated document is requested with an encoded name', async () => {
    await using registry = await open((request, response) => response.end(packument(nameIn(request))))
    const metadata = await registry.get('@scope/name')
    assert.equal(metadata?.name, '@scope/name')
    assert.deepEqual(metadata?.tags, { latest: '1.0.0' })
    assert.deepEqual(metadata?.versions['1.0.0']?.dependencies, { b: '^1' })
    assert.equal(registry.requests[0]!.url, '/@scope%2Fname')
    assert.match(registry.requests[0]!.headers.accept!, /^application\/vnd\.npm\.install-v1\+json/)
    assert.equal(registry.requests[0]!.headers.authorization, undefined)
  })

  test('a base URL may have a path and a trailing slash', async () => {
    await using registry = await open((_request, response) => response.end(packument('a')))
    await registry.reader({ url: `${registry.server.url}/repository/npm/` }).get('a')
    assert.equal(registry.requests[0]!.url, '/repository/npm/a')
  })

  test('a response is cached until it expires, for all readers', async () => {
    await using registry = await open((request, response) => response.end(packument(nameIn(request))))
    const first = await registry.get('a')
    registry.clock.at += 9 * MINUTE
    assert.deepEqual(await registry.get('a'), first)
    assert.deepEqual(await registry.reader().get('a'), first)
    assert.equal(registry.requests.length, 1)
    registry.clock.at += 2 * MINUTE
    await registry.get('a')
    assert.equal(registry.requests.length, 2)
  })

  test('a clock that was set back does not keep responses forever', async () => {
    await using registry = await open((_request, response) => response.end(packument('a')))
    await registry.get('a')
    registry.clock.at -= 365 * 24 * 60 * MINUTE
    await registry.get('a')
    assert.equal(registry.requests.length, 2)
  })

  test('an unchanged document is confirmed by its validators and fresh again', async () => {
    const validators = { etag: 'W/"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }
    await using registry = await open((request, response) => {
      const isKnown = request.headers['if-none-match'] === validators.etag
      response.writeHead(isKnown ? 304 : 200, validators).end(isKnown ? undefined : packument('a'))
    })
    const first = await registry.ask('a')
    registry.clock.at += 11 * MINUTE
    const second = await registry.ask('a')
    const freshUntil = first.freshUntil + 11 * MINUTE
    assert.deepEqual(second, { ...first, validatedAt: registry.clock.at, freshUntil })
    assert.equal(registry.requests[1]!.headers['if-modified-since'], validators['last-modified'])
    registry.clock.at += 9 * MINUTE
    await registry.ask('a')
    assert.equal(registry.requests.length, 2)
  })

  test('a changed document replaces the older one', async () => {
    let version = '1.0.0'
    await using registry = await open((_request, response) =>
      response.setHeader('etag', version).end(packument('a', version)),
    )
    await registry.get('a')
    registry.clock.at += 11 * MINUTE
    version = '1.0.1'
    for (let attempt = 0; attempt < 2; attempt++) assert.deepEqual((await registry.get('a'))?.tags, { latest: '1.0.1' })
    assert.equal(registry.requests.length, 2)
  })

  test('a 304 without validators in the request throws RegistryUnreachable', async () => {
    await using registry = await open((_request, response) => response.writeHead(304).end())
    await assert.rejects(registry.get('a'), RegistryUnreachable)
  })

  test('a missing package is cached for a minute', async () => {
    let status = 404
    await using registry = await open((_request, response) => response.writeHead(status).end(packument('a')))
    for (let attempt = 0; attempt < 2; attempt++) assert.equal(await registry.get('a'), undefined)
    assert.equal(registry.requests.length, 1)
    registry.clock.at += 2 * MINUTE
    status = 200
    assert.equal((await registry.get('a'))?.name, 'a')
  })

  test('impossible names are not requested', async () => {
    await using registry = await open((_request, response) => response.end())
    for (const name of ['', '../secrets', '@a/../b', 'a/b', 'a?b', '_x', '.x'])
      assert.equal(await registry.get(name), undefined, name)
    assert.equal(registry.requests.length, 0)
  })

  test('concurrent reads of one package are one request', async () => {
    await using registry = await open((request, response) => {
      setTimeout(() => response.end(packument(nameIn(request))), 20)
    })
    const all = await Promise.all(['a', 'a', 'b', 'a'].map((name) => registry.get(name)))
    assert.deepEqual(
      all.map((metadata) => metadata?.name),
      ['a', 'a', 'b', 'a'],
    )
    assert.deepEqual(registry.requests.map(nameIn).sort(), ['a', 'b'])
  })

  test('a failed request is repeated by the next read', async () => {
    let status = 500
    await using registry = await open((_request, response) => response.writeHead(status).end(packument('a')))
    await assert.rejects(Promise.all([registry.get('a'), registry.get('a')]), RegistryUnreachable)
    status = 200
    assert.equal((await registry.get('a'))?.name, 'a')
  })

  test('an unreachable registry: an older response is used as stale, an older absence is not', async () => {
    await using registry = await open((request, response) =>
      response.writeHead(nameIn(request) === 'a' ? 200 : 404).end(packument('a')),
    )
    const fetchedAt = registry.clock.at
    const fresh = await registry.ask('a')
    assert.equal(fresh.staleBecause, undefined)
    assert.equal((await registry.ask('gone')).value, undefined)
    await stop(registry.server)
    registry.clock.at += 30 * 24 * 60 * MINUTE
    const stale = await registry.ask('a')
    assert.deepEqual(stale.value, fresh.value)
    assert.equal(stale.validatedAt, fetchedAt)
    assert.match(stale.staleBecause!, /no connection could be made$/)
    await assert.rejects(registry.get('gone'), RegistryUnreachable)
    await assert.rejects(registry.get('never-seen'), RegistryUnreachable)
  })

  test('registry without a connection: a server asks it again later, a run of a command does not', async () => {
    await using registry = await open((_request, response) => response.end())
    await stop(registry.server)
    for (const [use, attempts] of [
      ['run', 1],
      ['server', 2],
    ] as const) {
      registry.attempts.length = 0
      const { get } = registry.reader({}, use)
      await assert.rejects(get('a'), RegistryUnreachable)
      registry.clock.at += 60 * MINUTE
      await assert.rejects(get('b'), RegistryUnreachable)
      assert.equal(registry.attempts.length, attempts, use)
    }
  })

  test('offline registry: cached answers are used, also stale ones; nothing is asked', async () => {
    await using registry = await open((request, response) => response.end(packument(nameIn(request))))
    await registry.get('a')
    registry.clock.at += 60 * MINUTE
    const offline = registry.reader({}, 'never')
    assert.match((await offline.ask('a')).staleBecause!, /not asked \(--offline\)/)
    await assert.rejects(offline.get('b'), /registries are not asked \(--offline\)/)
    assert.equal(registry.requests.length, 1)
  })

  test('unusable responses are reported, with an older response as stale or RegistryUnreachable', async () => {
    let answer: (response: ServerResponse) => void = (response) => response.setHeader('etag', '1').end(packument('a'))
    await using registry = await open((_request, response) => answer(response))
    await registry.get('a')
    const cases: [why: string, answer: (response: ServerResponse) => void, message: RegExp][] = [
      ['server error', (response) => response.writeHead(500).end(), /answered 500$/],
      [
        'credentials wanted',
        (response) => response.writeHead(401).end(),
        /answered 401: it refused the configured credentials/,
      ],
      [
        'credentials refused',
        (response) => response.writeHead(403).end(),
        /answered 403: it refused the configured credentials/,
      ],
      [
        'too many requests',
        (response) => response.writeHead(429, { 'retry-after': '900' }).end(),
        /answered 429: it limits the rate/,
      ],
      ['nothing', (response) => response.writeHead(204).end(), /answered 204$/],
      ['a page', (response) => response.end('<html>'), /not JSON$/],
      ['another package', (response) => response.end(packument('b')), /another package than/],
      ['a list', (response) => response.end('[]'), /not a package document$/],
      ['no end', (response) => response.write('{', () => response.destroy()), /connection was lost/],
      [
        'nonsense for gzip',
        (response) => response.setHeader('content-encoding', 'gzip').end('{}'),
        /could not be decoded$/,
      ],
      [
        'a redirect inside',
        (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
        /Refused to request/,
      ],
    ]
    for (const [why, document, message] of cases) {
      registry.clock.at += 11 * MINUTE
      answer = document
      const old = await registry.ask('a')
      assert.equal(old.value?.name, 'a', why)
      assert.match(old.staleBecause!, message, why)
      await assert.rejects(registry.get('unseen'), (error) => {
        assert.ok(error instanceof RegistryUnreachable, `${why}: ${error}`)
        assert.match(error.message, message, why)
        return true
      })
    }
  })

  test('after a failed lookup the registry is not contacted for a while', async () => {
    let attempts = 0
    await using database = await freshDatabase(engine)
    const clock = { at: Date.parse('2026-01-01') }
    await using server = await serveHttp((_request, response) => response.end(packument('a')))
    const outgoing = createOutgoing({ allow: ['registry.example'], limits: { attempts: 1 } }, async () => {
      if (++attempts > 1) return [{ address: '127.0.0.1', family: 4 }]
      throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
    })
    const registry = createNpmRegistry(
      { cache: cacheIn(database.db, () => clock.at), outgoing, now: () => clock.at },
      { url: `http://registry.example:${server.port}`, maxAgeMs: MINUTE },
    )
    const reason = new RegExp(`: http://registry\\.example:${server.port}: .*could not be resolved$`)
    for (const name of ['a', 'b', 'c']) await assert.rejects(registry.get(name), reason)
    assert.equal(attempts, 1)
    clock.at += MINUTE
    assert.equal((await registry.get('a'))?.name, 'a')
    await outgoing.close()
  })

  test('the token is sent only to the registry', async () => {
    const elsewhere: IncomingMessage[] = []
    await using mirror = await serveHttp((request, response) => {
      elsewhere.push(request)
      response.end(packument('a'))
    })
    const toMirror = (_request: IncomingMessage, response: ServerResponse) =>
      response.writeHead(302, { location: `${mirror.url}/a` }).end()
    await using registry = await open(toMirror, { token: 'hunter2' })
    assert.equal((await registry.get('a'))?.name, 'a')
    assert.equal(registry.requests[0]!.headers.authorization, 'Bearer hunter2')
    assert.equal(elsewhere.length, 1)
    assert.ok(!JSON.stringify(elsewhere[0]!.rawHeaders).includes('hunter2'))
  })

  test('errors do not contain the token', async () => {
    await using registry = await open((_request, response) => response.writeHead(401).end(), { token: 'hunter2' })
    await assert.rejects(registry.get('a'), (error: Error) => !`${error.message}${error.stack}`.includes('hunter2'))
  })

  test('metadata survives a structured clone', async () => {
    await using registry = await open((_request, response) => response.end(packument('a')))
    const fresh = await registry.get('a')
    const cached = await registry.get('a')
    assert.deepEqual(structuredClone(fresh), cached)
    assert.equal(registry.requests.length, 1)
  })
})
