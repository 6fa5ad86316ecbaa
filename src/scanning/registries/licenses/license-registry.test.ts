import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { describe, test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { createOutgoing } from '#foundation/outgoing/outgoing.ts'
import { pypiReaderOf } from '#test/registries/pypi-content.ts'
import { cacheIn } from '#test/registries/registry-cache.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { serveHttp } from '#test/servers/local-server.ts'
import { createLicenseRegistry } from './license-registry.ts'

async function ask(
  listener: RequestListener,
  questions: Parameters<ReturnType<typeof createLicenseRegistry>['find']>[],
) {
  await using server = await serveHttp(listener)
  await using database = await freshDatabase('sqlite')
  const outgoing = createOutgoing({ allow: ['127.0.0.1'], limits: { attempts: 1 } })
  const registry = createLicenseRegistry(
    { cache: cacheIn(database.db, Date.now), outgoing, now: Date.now },
    {
      npm: { url: `${server.url}/npm/`, token: 'secret' },
      rubygems: { url: `${server.url}/gems` },
      pypi: pypiReaderOf({ thing: { '1.0': { license: 'MIT', files: ['.tar.gz', '-py3-none-any.whl'] }, '2.0': {} } }),
    },
  )
  try {
    return await Promise.all(questions.map((question) => registry.find(...question)))
  } finally {
    await outgoing.close()
  }
}

const answering =
  (document: unknown): RequestListener =>
  (_request, response) =>
    response.end(JSON.stringify(document))
const one = { name: '@scope/thing', version: '1.0.0' }

describe('licenses of published versions', () => {
  test('licenses are requested by version, from npm with its token', async () => {
    const requests: [string | undefined, string | undefined][] = []
    const listener: RequestListener = (request, response) => {
      requests.push([request.url, request.headers.authorization])
      response.end('{"license":"MIT","licenses":["Ruby"]}')
    }
    const licenses = await ask(listener, [
      ['npm', one],
      ['RubyGems', { name: 'rack-test', version: '1.0' }],
      ['npm', one],
    ])
    assert.deepEqual(licenses, ['MIT', 'Ruby', 'MIT'])
    assert.deepEqual(requests.sort(), [
      ['/gems/api/v2/rubygems/rack-test/versions/1.0.json', undefined],
      ['/npm/@scope%2Fthing/1.0.0', 'Bearer secret'],
    ])
  })

  const manifests: [document: unknown, license: string | undefined][] = [
    [{ license: 'MIT' }, 'MIT'],
    [{ license: { type: 'ISC', url: 'x' } }, 'ISC'],
    [{ licenses: [{ type: 'MIT' }, { type: 'GPL-2.0' }] }, 'MIT OR GPL-2.0'],
    [{ licenses: ['MIT AND ISC', 'Zlib'] }, '(MIT AND ISC) OR Zlib'],
    [{ license: '' }, undefined],
    [{ license: 7 }, undefined],
    [{ license: 'x'.repeat(1001) }, undefined],
    [{}, undefined],
    [[], undefined],
    [null, undefined],
    [JSON.parse('{"__proto__":{"license":"MIT"}}'), undefined],
  ]
  for (const [document, license] of manifests) {
    test(`license of an npm version: ${JSON.stringify(document).slice(0, 60)}`, async () => {
      assert.deepEqual(await ask(answering(document), [['npm', one]]), [license])
    })
  }

  const gems: [document: unknown, license: string | undefined][] = [
    [{ licenses: ['MIT'] }, 'MIT'],
    [{ licenses: ['Ruby', 'BSD-2-Clause'] }, 'Ruby OR BSD-2-Clause'],
    [{ licenses: null }, undefined],
    [{ licenses: [] }, undefined],
  ]
  for (const [document, license] of gems) {
    test(`license of a gem: ${JSON.stringify(document)}`, async () => {
      assert.deepEqual(await ask(answering(document), [['RubyGems', { name: 'a', version: '1' }]]), [license])
    })
  }

  test('licenses are unknown for other registries and for names that would change the URL', async () => {
    const refuse: RequestListener = (request) => assert.fail(`asked ${request.url}`)
    const licenses = await ask(refuse, [
      ['Maven', { name: 'g:a', version: '1' }],
      ['Go', { name: 'go.example/m', version: 'v1.0.0' }],
      ['PyPI', { name: '../a', version: '1' }],
      ['npm', { name: '../../etc', version: '1' }],
      ['RubyGems', { name: 'a/../b', version: '1' }],
    ])
    assert.deepEqual(licenses, [undefined, undefined, undefined, undefined, undefined])
  })

  test('licenses of Python packages come from their metadata', async () => {
    const licenses = await ask(
      () => assert.fail('asked'),
      [
        ['PyPI', { name: 'thing', version: '1' }],
        ['PyPI', { name: 'thing', version: '2.0' }],
        ['PyPI', { name: 'thing', version: '3.0' }],
      ],
    )
    assert.deepEqual(licenses, ['MIT', undefined, undefined])
  })

  test('a version unknown to the registry has no license', async () => {
    assert.deepEqual(await ask((_request, response) => response.writeHead(404).end(), [['npm', one]]), [undefined])
  })

  const failures: [what: string, listener: RequestListener][] = [
    ['a response that is not JSON', (_request, response) => response.end('<html>')],
    ['an error of the server', (_request, response) => response.writeHead(500).end()],
    ['too many requests', (_request, response) => response.writeHead(429).end()],
  ]
  for (const [what, listener] of failures) {
    test(`${what}: RegistryUnreachable`, async () => {
      await assert.rejects(ask(listener, [['npm', one]]), RegistryUnreachable)
    })
  }
})
