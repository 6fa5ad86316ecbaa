import assert from 'node:assert/strict'
import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gitReader, readAll } from '#test/repositories/git-reader.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { serveGit } from '#test/repositories/git-server.ts'
import { serveHttp } from '#test/servers/local-server.ts'

const SECRET = 'p&%/"$ s3cret-\\token'
const credentials = { username: 'us:er', password: SECRET }
const FILES = [{ path: 'package.json', content: '{}' }]

test('git credentials: sent to the server that asks for them; its repository counts as private', async () => {
  using repository = bareRepository()
  repository.commit(FILES)
  await using server = await serveGit(repository.path, { login: `us:er:${SECRET}` })
  await using reader = gitReader()
  const url = `${server.url}/repository.git`
  const { resolved, source } = await reader.open({ url, credentials })
  assert.equal(resolved.isPrivate, true)
  assert.deepEqual(await readAll(source), { 'package.json': '{}' })
  const refusals: [typeof credentials | undefined, RegExp][] = [
    [undefined, /requires credentials \(HTTP 401\)\. Add credentials to the integration/],
    [{ username: 'us:er', password: 'wrong' }, /refused the integration’s credentials \(HTTP 401\)/],
    [{ username: '', password: '' }, /refused the integration’s credentials \(HTTP 401\)/],
  ]
  for (const [wrong, message] of refusals)
    await assert.rejects(reader.find({ url, credentials: wrong }), { code: 'repository-unreadable', message })
})

test('git credentials: apply to their host with or without a trailing dot', async () => {
  using repository = bareRepository()
  const commit = repository.commit(FILES)
  await using server = await serveGit(repository.path, { login: `us:er:${SECRET}` })
  const resolve = async (name: string) => (name === 'git.example' ? [{ address: '127.0.0.1', family: 4 }] : [])
  await using reader = gitReader({ resolve, outgoing: { allow: ['Git.Example.'] } })
  for (const host of ['git.example.', 'GIT.example', 'git%2Eexample.']) {
    const url = `${server.url.replace('127.0.0.1', host)}/repository.git`
    const { resolved, source } = await reader.open({ url, credentials })
    assert.deepEqual(resolved, { branch: 'main', commit, isPrivate: true }, host)
    assert.deepEqual(await readAll(source), { 'package.json': '{}' }, host)
    await source.close()
  }
  const refused = { code: 'repository-unreadable' }
  await assert.rejects(reader.find({ url: 'http://git.example../x', credentials }), refused)
})

test('git credentials: not sent for public repositories', async () => {
  using repository = bareRepository()
  repository.commit(FILES)
  await using server = await serveGit(repository.path)
  await using reader = gitReader()
  const { resolved } = await reader.open({ url: `${server.url}/repository.git`, credentials })
  assert.equal(resolved.isPrivate, false)
  assert.deepEqual([...new Set(server.requests.map(({ login }) => login))], [undefined])
})

test('git credentials: not visible in process arguments, environments or files', {
  skip: existsSync('/proc/self/cmdline') ? false : 'needs /proc',
}, async () => {
  using repository = bareRepository()
  repository.commit(FILES)
  const looked: { commands: string[]; environments: string; files: string } = {
    commands: [],
    environments: '',
    files: '',
  }
  await using reader = gitReader()
  await using server = await serveGit(repository.path, {
    login: `us:er:${SECRET}`,
    before: (request) => {
      // Inspects all processes of the fetch during each request of git.
      if (!request.headers['user-agent']?.startsWith('git/')) return false
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        const command = readIfThere(`/proc/${pid}/cmdline`)
        if (!command.includes(reader.folder)) continue
        looked.commands.push(command)
        looked.environments += readIfThere(`/proc/${pid}/environ`)
      }
      for (const file of listBelow(reader.folder))
        if (file.isFile()) looked.files += readIfThere(join(file.parentPath, file.name))
      for (const name of readdirSync(reader.folder))
        assert.equal(statSync(join(reader.folder, name)).mode & 0o077, 0, 'others can enter the folder')
      return false
    },
  })
  const { source } = await reader.open({ url: `${server.url}/repository.git`, credentials })
  await readAll(source)
  const encoded = Buffer.from(`us:er:${SECRET}`).toString('base64')
  assert.ok(
    looked.commands.some((command) => command.includes('fetch')),
    'a fetch was looked at',
  )
  assert.ok(looked.environments.includes('GIT_CONFIG_GLOBAL'), 'environments were looked at')
  assert.ok(looked.files.includes('followRedirects'), 'files were looked at')
  for (const place of [looked.commands.join('\n'), looked.environments, looked.files])
    for (const secret of ['s3cret', encodeURIComponent(SECRET), encoded]) assert.ok(!place.includes(secret))
})

test('git credentials: not sent to another server after a redirect', async () => {
  using repository = bareRepository()
  repository.commit(FILES)
  await using other = await serveGit(repository.path)
  await using first = await serveHttp((request, response) => {
    if (request.headers.authorization === undefined) response.writeHead(401).end()
    else response.writeHead(301, { location: `${other.url}${request.url}` }).end()
  })
  await using reader = gitReader()
  const { resolved, source } = await reader.open({ url: `${first.url}/repository.git`, credentials })
  assert.deepEqual(await readAll(source), { 'package.json': '{}' })
  assert.equal(resolved.isPrivate, false)
  assert.ok(other.requests.length > 1)
  assert.deepEqual([...new Set(other.requests.map(({ login }) => login))], [undefined])
})

test('git credentials: absent from error messages, stacks and causes', async () => {
  await using server = await serveHttp((request, response) => {
    if (request.method === 'GET') {
      const type = 'application/x-git-upload-pack-advertisement'
      response.writeHead(request.headers.authorization ? 200 : 401, { 'content-type': type })
      response.end('001e# service=git-upload-pack\n0000000eversion 2\n0000')
    } else response.writeHead(403).end(request.headers.authorization)
  })
  await using reader = gitReader()
  const error = await reader.open({ url: `${server.url}/x.git`, credentials }).catch((thrown: Error) => thrown)
  assert.ok(error instanceof Error)
  assert.match(error.message, /refused|could not read|connection/)
  const text = `${error.message} ${error.stack} ${(error.cause as Error).message}`
  assert.ok(!text.includes('s3cret') && !text.includes(Buffer.from(`us:er:${SECRET}`).toString('base64')), text)
})

/** Lists all files and folders; git may remove a folder meanwhile. */
function listBelow(folder: string): Dirent[] {
  for (;;) {
    try {
      return readdirSync(folder, { recursive: true, withFileTypes: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
