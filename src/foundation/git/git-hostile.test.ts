import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sizeOfFolder } from '#foundation/repositories/workspaces.ts'
import { type GitReaderSettings, gitReader, localGit, readAll } from '#test/repositories/git-reader.ts'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import { serveGit } from '#test/repositories/git-server.ts'
import { serveHttp } from '#test/servers/local-server.ts'
import { isFullVolume } from '#test/volume.ts'
import { createGitProgram } from './git-program.ts'

const MB = 1024 * 1024
/** More than the memory that reading it may take. Compressing it takes the longest. */
const LARGE_BYTES = (isFullVolume ? 1024 : 224) * MB
const LARGE_MEMORY_BYTES = (isFullVolume ? 200 : 160) * MB
/** Names in a folder of the highest level, each with ten thousand files below it. */
const LARGE_FOLDERS = isFullVolume ? 100 : 10
const ADVERTISEMENT = 'application/x-git-upload-pack-advertisement'

function open(url: string, settings: GitReaderSettings = {}) {
  return async () => {
    await using reader = gitReader(settings)
    try {
      const { source } = await reader.open({ url, credentials: undefined })
      await source.close()
    } finally {
      assert.deepEqual(readdirSync(reader.folder), [], 'something was left behind')
    }
  }
}

test('hostile git: files above the size limit are reported by name, the others are read', async () => {
  for (const settings of [{}, { protocol: '0' }]) {
    using repository = bareRepository()
    repository.commit([
      { path: 'a/package.json', content: '{}' },
      { path: 'b/package.json', content: randomBytes(3 * MB) },
      { path: 'c/package.json', content: Buffer.alloc(10 * MB) },
      { path: 'd/package.json', content: '[]' },
    ])
    await using server = await serveGit(repository.path, settings)
    const diskBytes = (settings.protocol === '0' ? 8 : 2) * MB
    await using reader = gitReader({ bounds: { diskBytes } })
    const { source } = await reader.open({ url: `${server.url}/repository.git`, credentials: undefined })
    assert.deepEqual(await readAll(source), {
      'a/package.json': '{}',
      'b/package.json': `The file is larger than ${MB} bytes`,
      'c/package.json': `The file is larger than ${MB} bytes`,
      'd/package.json': '[]',
    })
    await source.close()
  }
})

test('hostile git: a large file costs no disk until it is requested, and never its size in memory', async () => {
  using repository = bareRepository()
  const sparse = join(repository.path, 'sparse')
  writeFileSync(sparse, '')
  truncateSync(sparse, LARGE_BYTES)
  const large = repository.git(['-c', 'core.compression=1', 'hash-object', '-w', sparse])
  const small = repository.git(['hash-object', '-w', '--stdin'], '{}')
  const tree = repository.git(['mktree'], `100644 blob ${large}\tpom.xml\n100644 blob ${small}\tpackage.json\n`)
  repository.git(['update-ref', 'refs/heads/main', repository.git(['commit-tree', tree, '-m', 'x'])])
  await using server = await serveGit(repository.path)
  await using reader = gitReader()
  const { source } = await reader.open({ url: `${server.url}/repository.git`, credentials: undefined })
  const { entries } = await source.list((path) => path === 'package.json')
  const [read] = await Array.fromAsync(source.readFiles(entries))
  assert.equal(read?.content?.toString(), '{}')
  assert.ok((await sizeOfFolder(join(reader.folder, readdirSync(reader.folder)[0]!, 'repository'))) < MB)

  const before = process.memoryUsage().rss
  assert.deepEqual(await readAll(source), {
    'package.json': '{}',
    'pom.xml': `The file is larger than ${MB} bytes`,
  })
  assert.ok(process.memoryUsage().rss - before < LARGE_MEMORY_BYTES)
})

test('hostile git: a server without filters that sends too much is stopped at the disk limit', async () => {
  using repository = bareRepository()
  repository.commit([
    { path: 'package.json', content: '{}' },
    { path: 'film', content: randomBytes(12 * MB) },
  ])
  await using server = await serveGit(repository.path, { hasFilter: false })
  await assert.rejects(open(`${server.url}/repository.git`, { bounds: { diskBytes: 4 * MB } }), {
    code: 'repository-too-large',
    message: 'The repository takes more than 4 MB on disk (GATEHOUSE_IMPORT_DISK_MB)',
  })
})

test('hostile git: files above the limit of read bytes together are refused', async () => {
  using repository = bareRepository()
  repository.commit(
    Array.from({ length: 8 }, (_, at) => ({ path: `${at}/pom.xml`, content: 'x'.repeat(500_000 + at) })),
  )
  await using server = await serveGit(repository.path)
  await using reader = gitReader({ bounds: { readBytes: 2 * MB } })
  const { source } = await reader.open({ url: `${server.url}/repository.git`, credentials: undefined })
  await assert.rejects(readAll(source), { code: 'repository-too-large', message: /larger than 2 MB together/ })
})

test('hostile git: very many files are listed; more files than the limit are refused', async () => {
  using repository = bareRepository()
  treesOf(repository, [100, 100, LARGE_FOLDERS])
  const files = LARGE_FOLDERS * 10_000
  await using server = await serveGit(repository.path)
  await using reader = gitReader({ bounds: { files } })
  const { source } = await reader.open({ url: `${server.url}/repository.git`, credentials: undefined })
  const listing = await source.list((path) => path.endsWith('/7/7'))
  assert.deepEqual([listing.fileCount, listing.entries.length], [files, LARGE_FOLDERS])
  await assert.rejects(
    source.list(() => true),
    { code: 'repository-too-large', message: /more than 10000 files to test/ },
  )

  treesOf(repository, [100, 100, 100, 100, 100, 100])
  await using small = gitReader({ bounds: { files: 50_000 } })
  const endless = await small.open(localGit(repository.path))
  await assert.rejects(
    endless.source.list(() => false),
    { code: 'repository-too-large', message: /more than 50000 files/ },
  )
})

test('hostile git: servers that answer anything but the smart protocol are refused', async () => {
  const cases: [why: string, answer: [status: number, type: string, body?: string], code: string, message: RegExp][] = [
    ['a page', [200, 'text/html', '<html>'], 'repository-unreadable', /Not a git repository \(HTTP 200\)/],
    [
      'the old, dumb protocol',
      [200, 'text/plain', 'x\trefs/heads/main\n'],
      'repository-unreadable',
      /Not a git repository/,
    ],
    ['nothing there', [404, 'text/plain'], 'repository-unreadable', /The repository does not exist.*404/],
    ['forbidden', [403, 'text/plain'], 'repository-unreadable', /requires credentials \(HTTP 403\)/],
    ['too many requests', [429, 'text/plain'], 'repository-unreachable', /HTTP 429/],
    ['broken', [500, 'text/plain'], 'repository-unreachable', /HTTP 500/],
    ['garbage as references', [200, ADVERTISEMENT, '\0garbage'], 'repository-unreadable', /git could not read/],
  ]
  for (const [why, [status, type, body], code, message] of cases) {
    await using server = await serveHttp((_request, response) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    )
    await assert.rejects(open(`${server.url}/x.git`), { code, message }, why)
  }
})

test('hostile git: endless redirects, redirects to private addresses and redirects of git alone are refused', async () => {
  await using circle = await serveHttp((request, response) =>
    response.writeHead(302, { location: `${request.url}&again` }).end(),
  )
  await assert.rejects(open(`${circle.url}/x.git`), {
    code: 'repository-unreachable',
    message: /more than 5 redirects/,
  })

  await using inward = await serveHttp((_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/x.git/info/refs?service=git-upload-pack' }).end(),
  )
  await assert.rejects(open(`${inward.url}/x.git`), {
    code: 'repository-unreadable',
    message: /not public: link-local/,
  })

  await using file = await serveHttp((_request, response) =>
    response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  )
  await assert.rejects(open(`${file.url}/x.git`), { code: 'repository-unreadable', message: /only http: and https:/ })

  using repository = bareRepository()
  repository.commit([{ path: 'a', content: 'a' }])
  let secondAsked = 0
  await using second = await serveHttp((_request, response) => {
    secondAsked++
    response.writeHead(404).end()
  })
  await using sly = await serveGit(repository.path, {
    before: (request, response) => {
      if (!request.headers['user-agent']?.startsWith('git/')) return false
      response.writeHead(302, { location: `${second.url}${request.url}` }).end()
      return true
    },
  })
  await assert.rejects(open(`${sly.url}/repository.git`), {
    code: 'repository-unreachable',
    message: /redirected during a fetch/,
  })
  assert.equal(secondAsked, 0)
})

test('hostile git: private addresses are not dialed, even when a name resolves differently later', async () => {
  using repository = bareRepository()
  repository.commit([{ path: 'a', content: 'a' }])
  await using server = await serveGit(repository.path)
  const outgoing = { allow: [] }
  await assert.rejects(open(`${server.url}/repository.git`, { outgoing }), {
    code: 'repository-unreadable',
    message: /not public: loopback \(GATEHOUSE_OUTGOING_ALLOW can allow it\)/,
  })
  const url = `http://git.example:${server.port}/repository.git`
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  await assert.rejects(open(url, { outgoing, resolve }), { code: 'repository-unreadable', message: /not public/ })

  // git.example does not resolve: git reaches it only at the judged address.
  await open(url, { outgoing: { allow: ['git.example'] }, resolve })()
  assert.ok(server.requests.some(({ method }) => method === 'POST'))

  let lookups = 0
  const rebinding = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
  const some = { allow: ['127.0.0.0/8'] }
  await assert.rejects(open(url, { outgoing: some, resolve: rebinding }), {
    code: 'repository-unreadable',
    message: /not public: private/,
  })
  const nowhere = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
  await assert.rejects(open(url, { outgoing: some, resolve: nowhere }), {
    code: 'repository-unreachable',
    message: /could not be resolved/,
  })
})

test('hostile git: stalled servers time out at each step and leave no files', async () => {
  using repository = bareRepository()
  repository.commit([{ path: 'a', content: 'a' }])
  let posts = 0
  await using server = await serveGit(repository.path, {
    before: (request, response) => {
      if (request.method !== 'POST' || ++posts < 2) return false
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' }).flushHeaders()
      return true
    },
  })
  await assert.rejects(open(`${server.url}/repository.git`, { bounds: { seconds: 1 } }), {
    code: 'repository-unreachable',
    message: /not read within 1 s/,
  })
  await using silent = await serveHttp(() => {})
  const outgoing = { allow: ['127.0.0.1'], limits: { attempts: 1, headersTimeoutMs: 200 } }
  await assert.rejects(open(`${silent.url}/x.git`, { outgoing }), { code: 'repository-unreachable' })

  await using reader = gitReader()
  const controller = new AbortController()
  posts = 0
  setTimeout(() => controller.abort(), 500)
  await assert.rejects(
    reader.open({ url: `${server.url}/repository.git`, credentials: undefined }, { signal: controller.signal }),
    { code: 'unavailable', message: /stopped/ },
  )
  assert.deepEqual(readdirSync(reader.folder), [])
})

/** Writes until the client leaves. */
function writeForever(response: ServerResponse, text: string): void {
  if (!response.destroyed) response.write(text, () => setImmediate(writeForever, response, text))
}

test('hostile git: endless lists of references are refused', async () => {
  await using server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'content-type': ADVERTISEMENT })
    response.write('001e# service=git-upload-pack\n0000')
    const line = `003f${'1'.repeat(40)} refs/heads/a-branch-like-all\n`
    const lines = line.repeat(1000)
    writeForever(response, lines)
  })
  await assert.rejects(open(`${server.url}/x.git`), { code: 'repository-too-large', message: /too many references/ })

  await using sly = await serveHttp((request, response) => {
    response.writeHead(200, { 'content-type': ADVERTISEMENT })
    if (request.method === 'GET') return void response.end('001e# service=git-upload-pack\n0000000eversion 2\n0000')
    response.setHeader('content-type', 'application/x-git-upload-pack-result')
    writeForever(response, `003d${'1'.repeat(40)} refs/heads/a-branch\n`.repeat(1000))
  })
  await assert.rejects(open(`${sly.url}/x.git`, { bounds: { seconds: 2 } }))
})

test('git: a missing or too old git program is reported with its remedy', async () => {
  const url = 'http://127.0.0.1:1/x.git'
  await assert.rejects(open(url, { program: '/nowhere/git' }), {
    code: 'unavailable',
    message: /git cannot be run on this server \("\/nowhere\/git"\): install it/,
  })
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-old-git-'))
  const program = join(folder, 'git')
  writeFileSync(program, '#!/bin/sh\necho git version 2.30.2\n', { mode: 0o755 })
  await assert.rejects(open(url, { program }), {
    code: 'unavailable',
    message: 'git 2.38 or newer is needed on this server; it has git version 2.30.2',
  })
  rmSync(folder, { recursive: true })
})

test('git: versions that run programs named by a local repository are refused for local repositories', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-unsafe-git-'))
  const of = async (version: string) => {
    const program = join(folder, version)
    writeFileSync(program, `#!/bin/sh\necho git version ${version}\n`, { mode: 0o755 })
    const [result] = await Promise.allSettled([createGitProgram(program).findForFolders()])
    return result.status === 'fulfilled'
  }
  for (const version of ['2.38.9', '2.39.3', '2.43.0', '2.45', '2.44.0.windows.1'])
    assert.equal(await of(version), false)
  for (const version of ['2.39.4', '2.43.5', '2.45.1', '2.46.0', '3.0.0']) assert.equal(await of(version), true)
  await using reader = gitReader({ program: join(folder, '2.39.3') })
  await assert.rejects(reader.open(localGit(folder)), {
    code: 'unavailable',
    message:
      'Install a newer git on this server to read local repositories: git version 2.39.3 may run programs that their settings name',
  })
  rmSync(folder, { recursive: true })
})

/** A commit of as many files as the product of `widths`, from one file and one tree per level. */
function treesOf(repository: BareRepository, widths: readonly number[]): void {
  let id = repository.git(['hash-object', '-w', '--stdin'], 'x')
  let type = '100644 blob'
  for (const width of widths) {
    const names = Array.from({ length: width }, (_, at) => `${type} ${id}\t${at}\n`)
    id = repository.git(['mktree'], names.join(''))
    type = '040000 tree'
  }
  const commit = repository.git(['commit-tree', id, '-m', 'x'])
  repository.git(['update-ref', 'refs/heads/main', commit])
}
