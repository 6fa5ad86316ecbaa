import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { cacheIn } from '#test/registries/registry-cache.ts'
import { toPomXml } from '#test/registries/short-poms.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { serveHttp } from '#test/servers/local-server.ts'
import { loopbackClient } from '#test/servers/loopback-client.ts'
import { createMavenRegistry, type MavenRegistrySettings } from './maven-registry.ts'
import { decodePom } from './pom-text.ts'

const MINUTE = 60_000
const coordinates = { group: 'org.example', artifact: 'thing', version: '1.0' }
const pom = toPomXml('org.example:thing:1.0')
const metadata = (...versions: string[]) =>
  `<metadata><versioning><latest>${versions.at(-1)}</latest><release>${versions[0]}</release><versions>` +
  `${versions.map((version) => `<version>${version}</version>`).join('')}</versions></versioning></metadata>`

type Answer = (request: IncomingMessage, response: ServerResponse) => void

onAnyEngine('Maven repositories', (engine) => {
  /** Repositories with these responses, the first one configured by default, and a reader of them. */
  async function open(...answers: [Answer, ...Answer[]]) {
    const requests: {
      readonly repository: number
      readonly path: string
      readonly authorization: string | undefined
    }[] = []
    const servers = await Promise.all(
      answers.map((answer, repository) =>
        serveHttp((request, response) => {
          requests.push({ repository, path: request.url!, authorization: request.headers.authorization })
          answer(request, response)
        }),
      ),
    )
    const database = await freshDatabase(engine)
    const outgoing = loopbackClient()
    const clock = { at: Date.parse('2026-01-01') }
    const urls = servers.map(({ url }) => url)
    const reader = (more: Partial<MavenRegistrySettings> = {}) =>
      createMavenRegistry(
        { cache: cacheIn(database.db, () => clock.at), outgoing, now: () => clock.at },
        { repositories: urls.slice(0, 1), maxAgeMs: 10 * MINUTE, ...more },
      )
    return {
      ...reader(),
      reader,
      requests,
      urls,
      clock,
      paths: () => requests.map(({ path }) => path),
      async [Symbol.asyncDispose]() {
        await outgoing.close()
        await database[Symbol.asyncDispose]()
        await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
      },
    }
  }

  const serve =
    (files: Readonly<Record<string, string>>): Answer =>
    (request, response) => {
      const text = files[request.url!]
      response.writeHead(text === undefined ? 404 : 200).end(text)
    }
  const empty = serve({})
  const pomPath = '/org/example/thing/1.0/thing-1.0.pom'
  const metadataPath = '/org/example/thing/maven-metadata.xml'

  test('a POM is requested at its path in the repository layout', async () => {
    await using maven = await open(serve({ [pomPath]: pom }))
    assert.deepEqual(await maven.pom(coordinates), { text: pom, repository: maven.urls[0] })
    assert.deepEqual(maven.paths(), [pomPath])
  })

  test('Gradle metadata comes from the repository that has the POM, and is cached', async () => {
    const module = (name: string) => JSON.stringify({ formatVersion: '1.1', variants: [{ name }] })
    const modulePath = pomPath.replace(/pom$/, 'module')
    const another = serve({ [pomPath]: pom, [modulePath]: module('second') })
    await using maven = await open(serve({ [modulePath]: module('first') }), another, serve({ [pomPath]: pom }))
    const read = (repositories: readonly string[]) => maven.reader({ repositories }).module!(coordinates)
    const [first = '', second = '', third = ''] = maven.urls
    assert.deepEqual(
      (await read([first, second, third]))?.variants.map(({ name }) => name),
      ['second'],
    )
    assert.equal(await read([third, second]), undefined)
    assert.equal(await read([first]), undefined)
    const before = maven.requests.length
    await read([first, second, third])
    assert.equal(maven.requests.length, before, 'it is kept')
  })

  test('a base URL may have a path and a trailing slash', async () => {
    await using maven = await open(serve({ [`/repository/all${pomPath}`]: pom }))
    const reader = maven.reader({ repositories: [`${maven.urls[0]}/repository/all/`] })
    assert.equal((await reader.pom(coordinates))?.text, pom)
  })

  test('coordinates are encoded as single path segments', async () => {
    await using maven = await open(empty)
    await maven.pom({ group: 'a.b/', artifact: 'c?d', version: '1#2' })
    assert.deepEqual(maven.paths(), ['/a/b%2F/c%3Fd/1%232/c%3Fd-1%232.pom'])
  })

  test('requested repositories are used in order until one has the POM', async () => {
    await using maven = await open(empty, empty, serve({ [pomPath]: pom }), serve({ [pomPath]: pom }))
    const requested = maven.urls.slice(1)
    const answer = await maven.pom(coordinates, { requested, declared: [] })
    assert.equal(answer?.repository, maven.urls[2])
    assert.deepEqual(
      maven.requests.map(({ repository }) => repository),
      [1, 2],
    )
  })

  test('configured repositories replace those declared in build files', async () => {
    await using maven = await open(empty, serve({ [pomPath]: pom }))
    assert.equal(await maven.pom(coordinates, { requested: [], declared: maven.urls.slice(1) }), undefined)
    assert.deepEqual(
      maven.requests.map(({ repository }) => repository),
      [0],
    )
  })

  test('repositories of the request replace the configured ones', async () => {
    await using maven = await open(serve({ [pomPath]: pom }), empty)
    assert.equal(await maven.pom(coordinates, { requested: maven.urls.slice(1), declared: [] }), undefined)
    assert.deepEqual(
      maven.requests.map(({ repository }) => repository),
      [1],
    )
  })

  test('without configuration, repositories declared in build files are used first', async () => {
    await using maven = await open(empty, serve({ [pomPath]: pom }))
    const reader = maven.reader({ repositories: undefined })
    const answer = await reader.pom(coordinates, { requested: [], declared: maven.urls })
    assert.equal(answer?.repository, maven.urls[1])
  })

  test('a failing repository does not hide the next one, but prevents concluding absence', async () => {
    const broken: Answer = (_request, response) => response.writeHead(500).end()
    await using maven = await open(broken, serve({ [pomPath]: pom }))
    const requested = maven.urls
    assert.equal((await maven.pom(coordinates, { requested, declared: [] }))?.text, pom)
    await assert.rejects(
      maven.pom({ ...coordinates, version: '2.0' }, { requested, declared: [] }),
      RegistryUnreachable,
    )
    await assert.rejects(maven.versions(coordinates, { requested, declared: [] }), RegistryUnreachable)
  })

  test('a released POM is cached far longer than metadata', async () => {
    await using maven = await open(serve({ [pomPath]: pom, [metadataPath]: metadata('1.0') }))
    for (let day = 0; day < 3; day++) {
      await maven.pom(coordinates)
      await maven.versions(coordinates)
      maven.clock.at += 24 * 60 * MINUTE
    }
    assert.equal(maven.paths().filter((path) => path === pomPath).length, 1)
    assert.equal(maven.paths().filter((path) => path === metadataPath).length, 3)
  })

  test('versions of all repositories are merged', async () => {
    await using maven = await open(
      serve({ [metadataPath]: metadata('1.0', '2.0') }),
      serve({ [metadataPath]: metadata('2.0', '3.0') }),
      empty,
    )
    assert.deepEqual(await maven.versions(coordinates, { requested: maven.urls, declared: [] }), {
      versions: ['1.0', '2.0', '3.0'],
      latest: '2.0',
      release: '1.0',
    })
    assert.equal(await maven.versions({ group: 'g', artifact: 'unknown' }), undefined)
  })

  describe('SNAPSHOT versions', () => {
    const version = '1.0-SNAPSHOT'
    const folder = `/org/example/thing/${version}`
    const cases: [what: string, metadata: string | undefined, file: string][] = [
      [
        'is found by the name of its POM',
        '<metadata><versioning><snapshotVersions><snapshotVersion><extension>jar</extension><value>x</value>' +
          '</snapshotVersion><snapshotVersion><extension>pom</extension><value>1.0-20260101.000000-7</value>' +
          '</snapshotVersion></snapshotVersions></versioning></metadata>',
        'thing-1.0-20260101.000000-7.pom',
      ],
      [
        'is found by its timestamp and build number',
        `<metadata><version>${version}</version><versioning><snapshot><timestamp>20260101.000000</timestamp>` +
          '<buildNumber>7</buildNumber></snapshot></versioning></metadata>',
        'thing-1.0-20260101.000000-7.pom',
      ],
      ['may have no timestamp', '<metadata/>', `thing-${version}.pom`],
      ['may have no metadata', undefined, `thing-${version}.pom`],
    ]
    for (const [what, text, file] of cases) {
      test(`a SNAPSHOT ${what}`, async () => {
        const files = {
          [`${folder}/${file}`]: pom,
          ...(text === undefined ? {} : { [`${folder}/maven-metadata.xml`]: text }),
        }
        await using maven = await open(serve(files))
        assert.equal((await maven.pom({ ...coordinates, version }))?.text, pom)
      })
    }
  })

  test('unusable responses throw RegistryUnreachable with the reason', async () => {
    const cases: [why: string, answer: Answer, message: RegExp][] = [
      ['server error', (_request, response) => response.writeHead(503).end(), /answered 503/],
      [
        'too many requests',
        (_request, response) => response.writeHead(429, { 'retry-after': '900' }).end(),
        /429: it limits the rate/,
      ],
      ['credentials wanted', (_request, response) => response.writeHead(401).end(), /answered 401/],
      ['a page', (_request, response) => response.end('<html><body>Sign in</body></html>'), /something else than/],
      ['nothing', (_request, response) => response.end(), /something else than/],
      ['no end', (_request, response) => response.write('<project>', () => response.destroy()), /connection was lost/],
      [
        'a redirect inside',
        (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
        /Refused to request/,
      ],
    ]
    for (const [why, answer, message] of cases) {
      await using maven = await open(answer)
      const fits = (error: unknown) => error instanceof RegistryUnreachable && message.test(error.message)
      await assert.rejects(maven.pom(coordinates), fits, why)
      await assert.rejects(maven.versions(coordinates), fits, why)
    }
  })

  test('credentials of a configured repository are sent only to it and never shown', async () => {
    await using maven = await open(empty, serve({ [pomPath]: pom }))
    const withPassword = maven.urls[1]!.replace('//', '//robot:hunter%202@')
    const reader = maven.reader({ repositories: [maven.urls[0]!, withPassword] })
    const answer = await reader.pom(coordinates)
    assert.equal(answer?.repository, maven.urls[1])
    assert.deepEqual(
      maven.requests.map(({ authorization }) => authorization),
      [undefined, `Basic ${Buffer.from('robot:hunter 2').toString('base64')}`],
    )
    await using wrong = await open((_request, response) => response.writeHead(401).end())
    const refused = wrong.reader({ repositories: [wrong.urls[0]!.replace('//', '//robot:hunter2@')] })
    await assert.rejects(
      refused.pom(coordinates),
      (error: Error) => !`${error.message}${error.stack}`.includes('hunter2'),
    )
  })

  const unusable: [why: string, base: string][] = [
    ['credentials', 'https://user:hunter2@registry.example'],
    ['another scheme', 'file:///etc'],
    ['no URL', 'central'],
  ]
  for (const [why, base] of unusable) {
    test(`${why} in a requested repository is refused without a request`, async () => {
      await using maven = await open(empty)
      await assert.rejects(maven.pom(coordinates, { requested: [base], declared: [] }), (error) => {
        assert.ok(error instanceof RegistryUnreachable)
        assert.ok(!error.message.includes('hunter2'))
        return true
      })
      assert.deepEqual(maven.requests, [])
    })
  }
})

describe('encodings of POMs', () => {
  const documentIn = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><project><name>Zoë</name></project>`
  const cases: [why: string, bytes: Buffer][] = [
    ['UTF-8', Buffer.from(documentIn('UTF-8'))],
    ['UTF-8 by default', Buffer.from(documentIn('UTF-8').replace(/<\?.*\?>/, ''))],
    ['ISO-8859-1', Buffer.from(documentIn('ISO-8859-1'), 'latin1')],
    ['UTF-16 with its mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(documentIn('UTF-16'), 'utf16le')])],
    ['an unknown encoding', Buffer.from(documentIn('x-unheard-of'))],
  ]
  for (const [why, bytes] of cases) {
    test(`a POM is decoded in ${why}`, () => assert.match(decodePom(bytes), /<name>Zoë<\/name>/))
  }

  test('a POM above the size limit is refused', () => {
    const large = Buffer.from(`<project>${' '.repeat(9_000_000)}</project>`)
    assert.throws(() => decodePom(large), /too large/)
  })
})
