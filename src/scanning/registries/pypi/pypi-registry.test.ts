import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { OutgoingLimits } from '#foundation/outgoing/settings.ts'
import { cacheIn } from '#test/registries/registry-cache.ts'
import { toTarGz } from '#test/repositories/tar.ts'
import { toZip } from '#test/repositories/zip.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { serveHttp } from '#test/servers/local-server.ts'
import { loopbackClient } from '#test/servers/loopback-client.ts'
import { createPyPiRegistry, type PyPiRegistrySettings } from './pypi-registry.ts'

const MINUTE = 60_000
const metadata = (...headers: string[]) =>
  ['Metadata-Version: 2.1', 'Name: a', 'Version: 1.0', ...headers, ''].join('\n')
const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const page = (...files: object[]) => JSON.stringify({ meta: { 'api-version': '1.0' }, name: 'a', files })
const wheel = (more: object = {}) => ({
  filename: 'a-1.0-py3-none-any.whl',
  url: '/f/a-1.0-py3-none-any.whl',
  hashes: {},
  ...more,
})
const source = (more: object = {}) => ({ filename: 'a-1.0.tar.gz', url: '/f/a-1.0.tar.gz', hashes: {}, ...more })
const ofWheel = { project: 'a', version: '1.0', filename: 'a-1.0-py3-none-any.whl' }
const ofSource = { project: 'a', version: '1.0', filename: 'a-1.0.tar.gz' }

type Answer = string | Buffer | number | ((request: IncomingMessage, response: ServerResponse) => void)

/** Short timeouts for servers that do not answer or stall. */
const impatient = { headersTimeoutMs: 300, bodyIdleTimeoutMs: 300 }

onAnyEngine('the Python package index', (engine) => {
  /** An index with responses by path; any other path is 404. */
  async function open(
    answers: Record<string, Answer>,
    settings: Partial<PyPiRegistrySettings> = {},
    limits: Partial<OutgoingLimits> = {},
  ) {
    const requests: IncomingMessage[] = []
    const server = await serveHttp((request, response) => {
      requests.push(request)
      const answer = answers[request.url!] ?? 404
      if (typeof answer === 'function') answer(request, response)
      else if (typeof answer === 'number') response.writeHead(answer).end()
      else sendPart(answer, request, response)
    })
    const database = await freshDatabase(engine)
    const outgoing = loopbackClient(limits)
    const clock = { at: Date.parse('2026-01-01') }
    const reader = (more: Partial<PyPiRegistrySettings> = {}) =>
      createPyPiRegistry(
        { cache: cacheIn(database.db, () => clock.at), outgoing, now: () => clock.at },
        { url: server.url, maxAgeMs: 10 * MINUTE, ...settings, ...more },
      )
    return {
      ...reader(),
      reader,
      requests,
      paths: () => requests.map(({ url }) => url),
      clock,
      server,
      async [Symbol.asyncDispose]() {
        await outgoing.close()
        await database[Symbol.asyncDispose]()
        await server[Symbol.asyncDispose]()
      },
    }
  }

  function sendPart(answer: string | Buffer, { headers }: IncomingMessage, response: ServerResponse): void {
    const bytes = Buffer.from(answer as string)
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
    if (first === undefined) return void response.end(bytes)
    const from = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first)
    const to = first === '' ? bytes.length : Number(last) + 1
    const part = bytes.subarray(from, to)
    response.writeHead(206, { 'content-range': `bytes ${from}-${from + part.length - 1}/${bytes.length}` }).end(part)
  }

  describe('projects of an index', () => {
    test('a project is requested by its normalized name, in JSON before HTML, and cached', async () => {
      await using index = await open({ '/simple/a-b/': JSON.stringify({ name: 'a-b', files: [] }) })
      assert.deepEqual(await index.project('A_.b'), { files: [] })
      assert.deepEqual(await index.reader().project('a-b'), { files: [] })
      assert.deepEqual(index.paths(), ['/simple/a-b/'])
      assert.match(index.requests[0]!.headers.accept!, /^application\/vnd\.pypi\.simple\.v1\+json,/)
    })

    test('a project lists its files without their URLs', async () => {
      await using index = await open({
        '/simple/a/': page(wheel({ 'requires-python': '>=3', 'core-metadata': true }), source({ yanked: true })),
      })
      assert.deepEqual(await index.project('a'), {
        files: [
          { filename: ofWheel.filename, version: '1.0', yanked: false, hasMetadata: true, requiresPython: '>=3' },
          { filename: ofSource.filename, version: '1.0', yanked: true, hasMetadata: false },
        ],
      })
    })

    test('unknown projects are undefined; impossible names are not requested', async () => {
      await using index = await open({})
      assert.equal(await index.project('a'), undefined)
      for (const name of ['', '..', '../a', 'a/b', '-a', 'ä', 'a?b', 'a%2fb', 'x'.repeat(201)]) {
        assert.equal(await index.project(name), undefined, name)
        assert.equal(await index.metadata({ ...ofWheel, project: name }), undefined, name)
      }
      assert.equal(index.requests.length, 1)
    })

    for (const [base, path] of [
      ['', '/simple/a/'],
      ['/', '/simple/a/'],
      ['/simple', '/simple/a/'],
      ['/root/pypi/+simple/', '/root/pypi/+simple/a/'],
    ] as const) {
      test(`projects are requested below the base URL "${base}"`, async () => {
        await using index = await open({ [path]: page(wheel()) })
        assert.equal((await index.reader({ url: `${index.server.url}${base}` }).project('a'))?.files.length, 1)
      })
    }

    const failures: [why: string, answer: Answer][] = [
      ['an error of the server', 500],
      ['too many requests', 429],
      ['credentials required', 401],
      ['an HTML page without links', '<html><form>'],
      ['another project', JSON.stringify({ name: 'b', files: [] })],
      ['an empty response', ''],
      ['a broken connection', (_request, response) => response.destroy()],
      ['silence', () => {}],
      [
        'a truncated response',
        (_request, response) => void response.writeHead(200, { 'content-length': '999' }).write('{'),
      ],
      ['a response above the size limit', (_request, response) => response.end(Buffer.alloc(33 * 1024 * 1024, ' '))],
      [
        'a redirect to a private address',
        (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      ],
    ]
    for (const [why, answer] of failures) {
      test(`project page, ${why}: RegistryUnreachable`, async () => {
        await using index = await open({ '/simple/a/': answer }, {}, impatient)
        await assert.rejects(index.project('a'), RegistryUnreachable)
      })
    }
  })

  describe('metadata of files', () => {
    const text = metadata('Requires-Dist: b>=1', 'Requires-Python: >=3', 'Provides-Extra: X_y')
    const expected = { requiresDist: ['b>=1'], requiresPython: '>=3', provides: ['x-y'] }

    test('metadata beside a file is verified by its digest and cached permanently', async () => {
      const files = page(wheel({ 'core-metadata': { sha256: digest(text) } }))
      await using index = await open({ '/simple/a/': files, '/f/a-1.0-py3-none-any.whl.metadata': text })
      assert.deepEqual(await index.metadata(ofWheel), expected)
      index.clock.at += 60 * MINUTE
      assert.deepEqual(await index.reader().metadata(ofWheel), expected)
      assert.equal(index.paths().filter((path) => path!.endsWith('.metadata')).length, 1)
    })

    test('metadata with a wrong digest is refused, without a fallback', async () => {
      const files = page(wheel({ 'core-metadata': { sha256: digest('other') } }))
      await using index = await open({ '/simple/a/': files, '/f/a-1.0-py3-none-any.whl.metadata': text })
      await assert.rejects(index.metadata(ofWheel), /not what the index promised/)
    })

    test('metadata in a wheel is read with one request for its end', async () => {
      const bytes = toZip([
        { name: 'a.so', content: Buffer.alloc(300_000, 'x'), method: 0 },
        { name: 'a-1.0.dist-info/METADATA', content: text },
      ])
      await using index = await open({ '/simple/a/': page(wheel()), '/f/a-1.0-py3-none-any.whl': bytes })
      assert.deepEqual(await index.metadata(ofWheel), expected)
      assert.deepEqual(await index.reader().metadata(ofWheel), expected)
      assert.deepEqual(
        index.requests.map(({ headers }) => headers.range),
        [undefined, 'bytes=-65536'],
      )
    })

    test('metadata in a wheel is read after a redirect', async () => {
      const bytes = toZip([
        { name: 'a.so', content: Buffer.alloc(300_000, 'x'), method: 0 },
        { name: 'a-1.0.dist-info/METADATA', content: text },
      ])
      const ranges: (string | undefined)[] = []
      await using other = await serveHttp((request, response) => {
        ranges.push(request.headers.range)
        sendPart(bytes, request, response)
      })
      const away: Answer = (_request, response) => response.writeHead(302, { location: `${other.url}/w` }).end()
      await using index = await open({ '/simple/a/': page(wheel()), '/f/a-1.0-py3-none-any.whl': away })
      assert.deepEqual(await index.metadata(ofWheel), expected)
      assert.deepEqual(ranges, ['bytes=-65536'])
    })

    test('metadata in a wheel is read from a server without range requests', async () => {
      const bytes = toZip([{ name: 'a-1.0.dist-info/METADATA', content: text }])
      const whole: Answer = (_request, response) => response.end(bytes)
      await using index = await open({ '/simple/a/': page(wheel()), '/f/a-1.0-py3-none-any.whl': whole })
      assert.deepEqual(await index.metadata(ofWheel), expected)
    })

    test('metadata from a range other than the requested one is refused', async () => {
      const bytes = toZip([{ name: 'a-1.0.dist-info/METADATA', content: text }])
      for (const range of ['bytes 0-5/999999', 'bytes */9', '', `bytes 5-${bytes.length + 4}/${bytes.length}`]) {
        const lie: Answer = (_request, response) => response.writeHead(206, { 'content-range': range }).end(bytes)
        await using index = await open({ '/simple/a/': page(wheel()), '/f/a-1.0-py3-none-any.whl': lie })
        await assert.rejects(index.metadata(ofWheel), RegistryUnreachable, range)
      }
    })

    test("metadata comes from the version's JSON if the wheel is unreadable", async () => {
      const described = JSON.stringify({
        info: { name: 'a', requires_dist: ['b>=1'], requires_python: '>=3', provides_extra: ['x-y'] },
      })
      const answers = {
        '/simple/a/': page(wheel()),
        '/f/a-1.0-py3-none-any.whl': 'no wheel',
        '/pypi/a/1.0/json': described,
      }
      await using index = await open(answers)
      assert.deepEqual(await index.metadata(ofWheel), expected)
      assert.deepEqual(await index.reader({ url: `${index.server.url}/simple/` }).metadata(ofWheel), expected)
    })

    test("a version's JSON without dependencies: none for a wheel, unknown for a source", async () => {
      const described = JSON.stringify({ info: { name: 'a', requires_dist: null } })
      await using index = await open({ '/simple/a/': page(wheel(), source()), '/pypi/a/1.0/json': described })
      assert.deepEqual(await index.metadata(ofWheel), { requiresDist: [], provides: [] })
      assert.deepEqual(await index.metadata(ofSource), { provides: [] })
    })

    test('metadata in a source distribution is read', async () => {
      const archive = toTarGz({ 'a-1.0/PKG-INFO': metadata(), 'a-1.0/a.egg-info/requires.txt': 'b>=1\n' })
      await using index = await open({ '/simple/a/': page(source()), '/f/a-1.0.tar.gz': archive })
      assert.deepEqual(await index.metadata(ofSource), { requiresDist: ['b>=1'], provides: [] })
    })

    test('a too large source distribution has unknown metadata, without an error', async () => {
      const large: Answer = (_request, response) => response.end(Buffer.alloc(33 * 1024 * 1024))
      await using index = await open({ '/simple/a/': page(source()), '/f/a-1.0.tar.gz': large })
      assert.equal(await index.metadata(ofSource), undefined)
    })

    test('metadata of an unlisted file is undefined', async () => {
      await using index = await open({ '/simple/a/': page(wheel()) })
      assert.equal(await index.metadata(ofSource), undefined)
      assert.equal(await index.metadata({ ...ofWheel, project: 'b' }), undefined)
    })

    for (const [why, answer] of [
      ['an error of the server', 503],
      ['silence', () => {}],
      ['a broken connection', (_request: IncomingMessage, response: ServerResponse) => response.destroy()],
    ] as const) {
      test(`metadata, ${why} on every way: RegistryUnreachable`, async () => {
        const answers = { '/simple/a/': page(wheel()), '/f/a-1.0-py3-none-any.whl': answer, '/pypi/a/1.0/json': answer }
        await using index = await open(answers, {}, impatient)
        await assert.rejects(index.metadata(ofWheel), RegistryUnreachable)
      })
    }
  })

  describe('configured indexes', () => {
    test('permitted indexes: those that the operator lists; the public one counts as the configured one', async () => {
      await using index = await open({})
      const further = ['https://user:secret@registry.example/simple', 'https://registry.example/other/']
      const { permitted } = index.reader({ furtherIndexes: further })
      assert.deepEqual(
        await permitted([
          'https://registry.example/simple/',
          'https://someone:else@registry.example/simple?x=1#y',
          'https://registry.example/other',
          `${index.server.url}/simple`,
          'https://registry.example/simple2',
          'http://registry.example/simple',
          'file:///etc',
          './wheels',
          '',
        ]),
        [
          'https://registry.example/simple',
          'https://registry.example/simple',
          'https://registry.example/other',
          null,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
        ],
      )
    })

    test('a project is read from all requested permitted indexes and no other', async () => {
      await using index = await open({ '/simple/a/': page(wheel()), '/more/a/': page(source()) })
      const more = `${index.server.url}/more`
      const reader = index.reader({ furtherIndexes: [more] })
      const names = async (indexes: (string | null)[]) =>
        (await reader.project('a', indexes))?.files.map((file) => file.filename)
      assert.deepEqual(await names([null, more]), [ofWheel.filename, ofSource.filename])
      assert.deepEqual(await names([more]), [ofSource.filename])
      assert.equal(await names(['https://registry.example/simple']), undefined)
    })

    test('credentials of an index are sent only to it and its own files', async () => {
      const elsewhere: IncomingMessage[] = []
      await using other = await serveHttp((request, response) => {
        elsewhere.push(request)
        response.end(metadata())
      })
      const files = page(
        wheel({ 'core-metadata': true, url: `${other.url}/a-1.0-py3-none-any.whl` }),
        source({ 'core-metadata': true }),
      )
      await using index = await open({ '/simple/a/': files, '/f/a-1.0.tar.gz.metadata': metadata('Dynamic: x') })
      const url = index.server.url.replace('//', '//user:hunter2@')
      const reader = index.reader({ url })
      await reader.metadata(ofWheel)
      await reader.metadata(ofSource)
      const sent = Buffer.from('user:hunter2').toString('base64')
      assert.ok(index.requests.length >= 2)
      for (const { headers } of index.requests) assert.equal(headers.authorization, `Basic ${sent}`)
      assert.equal(elsewhere.length, 1)
      assert.ok(!JSON.stringify(elsewhere[0]!.rawHeaders).includes(sent))
    })

    test('errors do not contain the credentials of an index', async () => {
      await using index = await open({ '/simple/a/': 401 })
      const reader = index.reader({ url: index.server.url.replace('//', '//user:hunter2@') })
      await assert.rejects(reader.project('a'), (error: Error) => !`${error.message}${error.stack}`.includes('hunter2'))
    })
  })
})
