import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, mkdirSync, symlinkSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Problem } from '#foundation/problem.ts'
import { readAll } from '#test/repositories/git-reader.ts'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import { type GitServer, serveGit } from '#test/repositories/git-server.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { checkTarget } from './check-target.ts'
import type { Credentials } from './credentials.ts'
import { integrationKinds } from './kinds.ts'
import { getIntegration } from './store.ts'

const TOKEN = 'a-secret-token'
const LOGIN = { username: 'user', password: 'a-secret-password' }

interface KindCase {
  readonly kind: string
  /** Path below the server's address. */
  readonly base?: string
  readonly credentials: Credentials
  readonly target: object
  /** Expected clone path. */
  readonly clonePath: string
  readonly login: string
  readonly displayName: string
  readonly webPath: string
  /** API requests with their responses. */
  readonly api?: Readonly<Record<string, object>>
  readonly authorization: readonly [header: string, value: string]
  readonly message: RegExp
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

const hosted: KindCase[] = [
  {
    kind: 'github',
    credentials: { token: TOKEN },
    target: { owner: 'Own-er', name: 'na.me', branch: '', extra: 1 },
    clonePath: 'Own-er/na.me.git',
    login: `x-access-token:${TOKEN}`,
    displayName: 'Own-er/na.me',
    webPath: 'Own-er/na.me',
    api: { '/api/v3/user': { login: 'octo' } },
    authorization: ['authorization', `Bearer ${TOKEN}`],
    message: /^Connected to .+ as octo$/,
  },
  {
    kind: 'github-enterprise',
    base: '/api/v3',
    credentials: { token: TOKEN },
    target: { owner: 'o', name: 'n.git', branch: 'main' },
    clonePath: 'o/n.git',
    login: `x-access-token:${TOKEN}`,
    displayName: 'o/n',
    webPath: 'o/n',
    api: { '/api/v3/user': { login: 'bad\nname' } },
    authorization: ['authorization', `Bearer ${TOKEN}`],
    message: /accepts the credentials$/,
  },
  {
    kind: 'gitlab',
    credentials: { token: TOKEN },
    target: { id: '42', branch: 'main' },
    clonePath: 'group/sub/na.me.git',
    login: `oauth2:${TOKEN}`,
    displayName: 'group/sub/na.me',
    webPath: 'group/sub/na.me',
    api: { '/api/v4/projects/42': { path_with_namespace: 'group/sub/na.me' }, '/api/v4/user': { username: 'root' } },
    authorization: ['private-token', TOKEN],
    message: /^Connected to .+ as root$/,
  },
  {
    kind: 'bitbucket-cloud',
    credentials: LOGIN,
    target: { owner: 'team', name: 'repo' },
    clonePath: 'team/repo.git',
    login: `${LOGIN.username}:${LOGIN.password}`,
    displayName: 'team/repo',
    webPath: 'team/repo',
    api: { '/2.0/user': { username: 'user' } },
    authorization: ['authorization', basic(`${LOGIN.username}:${LOGIN.password}`)],
    message: /^Connected to .+ as user$/,
  },
  {
    kind: 'bitbucket-server',
    base: '/context',
    credentials: { token: TOKEN },
    target: { projectKey: '~user', repoSlug: 'slug', name: 'Shown' },
    clonePath: 'context/scm/~user/slug.git',
    login: `x-token-auth:${TOKEN}`,
    displayName: '~user/slug',
    webPath: 'context/users/user/repos/slug',
    api: { '/context/rest/api/1.0/projects': { values: [] } },
    authorization: ['authorization', `Bearer ${TOKEN}`],
    message: /accepts the credentials$/,
  },
  {
    kind: 'azure-repos',
    base: '/organization',
    credentials: { token: TOKEN },
    target: { owner: 'My Project', name: 'repo' },
    clonePath: 'organization/My Project/_git/repo',
    login: `token:${TOKEN}`,
    displayName: 'My Project/repo',
    webPath: 'organization/My%20Project/_git/repo',
    api: { '/organization/_apis/projects': { value: [] } },
    authorization: ['authorization', basic(`token:${TOKEN}`)],
    message: /accepts the credentials$/,
  },
  {
    kind: 'git',
    base: '/below',
    credentials: LOGIN,
    target: { url: 'BASE/any/where.git/' },
    clonePath: 'below/any/where.git',
    login: `${LOGIN.username}:${LOGIN.password}`,
    displayName: 'below/any/where',
    webPath: 'below/any/where.git',
    authorization: ['authorization', ''],
    message: /Name a target to test the credentials$/,
  },
]

describe('kinds of integrations', () => {
  let app: TestApp
  before(async () => {
    app = await startApp('sqlite', { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' })
  })
  after(() => app.close())

  async function integrate(kind: string, attributes: object) {
    const body = { data: { type: 'integration', attributes: { kind, name: randomUUID(), ...attributes } } }
    const answer = await app.call('POST', `/rest/orgs/${app.orgId}/integrations`, { body })
    assert.equal(answer.statusCode, 201, answer.body)
    return getIntegration(app.parts.services.db, app.orgId, answer.json().data.id)
  }

  /** Serves the repository at one path, which requires the login, and an API. */
  async function serve(repository: BareRepository, { clonePath, login, api = {}, authorization }: KindCase) {
    const root = dirname(repository.path)
    mkdirSync(join(root, dirname(clonePath)), { recursive: true })
    symlinkSync(repository.path, join(root, clonePath))
    const answerApi = (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url!.split('?')[0]!
      const isGit = path.endsWith('/info/refs') || path.endsWith('/git-upload-pack')
      if (isGit) return false
      const isKnown = request.headers[authorization[0]] === authorization[1]
      const json = isKnown ? api[path] : { message: 'no' }
      response.writeHead(isKnown ? (json ? 200 : 404) : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify(json ?? {}))
      return true
    }
    return serveGit(repository.path, { login, before: answerApi })
  }

  for (const kindCase of hosted) {
    test(`${kindCase.kind}: finds targets with git, tests connections, refuses wrong credentials`, async () => {
      using repository = bareRepository()
      const commit = repository.commit([{ path: 'pom.xml', content: kindCase.kind }])
      await using server: GitServer = await serve(repository, kindCase)
      const base_url = `${server.url}${kindCase.base ?? ''}`
      const integration = await integrate(kindCase.kind, { base_url, credentials: kindCase.credentials })
      const target = JSON.parse(JSON.stringify(kindCase.target).replace('BASE', base_url))
      const { sources } = app.parts
      const { resolved, source } = await sources.open(integration, target)
      assert.deepEqual(await readAll(source), { 'pom.xml': kindCase.kind })
      await source.close()
      const { sourceKey, ...shown } = resolved
      assert.deepEqual(shown, {
        origin: kindCase.kind,
        displayName: kindCase.displayName,
        url: `${server.url}/${kindCase.webPath}`,
        isPrivate: true,
        reference: 'main',
        revision: commit,
      })
      const again = await sources.find(integration, sources.check(integration, target).target)
      assert.equal(again.sourceKey, sourceKey)
      assert.ok(sourceKey.startsWith(`${kindCase.kind} `), sourceKey)
      assert.match(await sources.test(integration), kindCase.message)

      const { kind } = kindCase
      const wrong = kindCase.credentials.token === undefined ? { ...LOGIN, password: 'wrong' } : { token: 'wrong' }
      const locked = await integrate(kind, { base_url, credentials: wrong })
      const refused = { code: 'repository-unreadable', message: /credentials/ }
      await assert.rejects(sources.find(locked, target), refused)
      if (kind !== 'git') await assert.rejects(sources.test(locked), refused)
      const open = await integrate(kind, { base_url })
      await assert.rejects(sources.find(open, target), { code: 'repository-unreadable' })
    })
  }

  for (const kindCase of hosted.filter(({ api }) => api !== undefined)) {
    test(`${kindCase.kind}: the connection test refuses HTTP 200 with another answer than the API's`, async () => {
      using repository = bareRepository()
      const api = Object.fromEntries(Object.keys(kindCase.api!).map((path) => [path, { welcome: 'Sign in' }]))
      await using server: GitServer = await serve(repository, { ...kindCase, api })
      const integration = await integrate(kindCase.kind, {
        base_url: `${server.url}${kindCase.base ?? ''}`,
        credentials: kindCase.credentials,
      })
      const refused = { code: 'repository-unreadable', message: /HTTP 200, but not an answer of/ }
      await assert.rejects(app.parts.sources.test(integration), refused)
    })
  }

  test('git credentials: sent only to URLs under the base URL', async () => {
    using repository = bareRepository()
    repository.commit([{ path: 'pom.xml', content: 'x' }])
    await using server = await serveGit(repository.path, { login: 'user:a-secret-password' })
    const url = `${server.url}/repository.git`
    for (const base_url of ['https://git.example', `${server.url}/repository`, `${server.url}/other`]) {
      const integration = await integrate('git', { base_url, credentials: LOGIN })
      await assert.rejects(app.parts.sources.find(integration, { url }), { message: /requires credentials/ }, base_url)
    }
    assert.ok(server.requests.length > 0)
    assert.deepEqual([...new Set(server.requests.map(({ login }) => login))], [undefined])
  })

  test('git credentials: sent to their server whatever the spelling of its host', async () => {
    using repository = bareRepository()
    repository.commit([{ path: 'pom.xml', content: 'x' }])
    await using server = await serveGit(repository.path, { login: `${LOGIN.username}:${LOGIN.password}` })
    const spelled = (host: string) => server.url.replace('127.0.0.1', host)
    const integration = await integrate('git', { base_url: spelled('127.0.0.1.'), credentials: LOGIN })
    for (const host of ['127.0.0.1', '127.0.0.1.', '127.0.0.1%2e', '0x7f.1', '１２７。1']) {
      const target = { url: `${spelled(host)}/repository.git` }
      assert.equal((await app.parts.sources.find(integration, target)).isPrivate, true, host)
    }
  })

  test('GitLab that answers with an error or no project: reported as unreadable or unreachable', async () => {
    const answers: [status: number, body: string, code: string][] = [
      [200, '{"path_with_namespace":"../../x"}', 'repository-unreadable'],
      [200, '{"path_with_namespace":"a/../b"}', 'repository-unreadable'],
      [200, '{"path_with_namespace":7}', 'repository-unreadable'],
      [200, '[]', 'repository-unreadable'],
      [200, 'no json', 'repository-unreadable'],
      [404, '{}', 'repository-unreadable'],
      [418, '{}', 'repository-unreadable'],
      [429, '{}', 'repository-unreachable'],
      [503, '{}', 'repository-unreachable'],
    ]
    using repository = bareRepository()
    let current = answers[0]!
    await using server = await serveGit(repository.path, {
      before: (_request, response) => {
        response.writeHead(current[0]).end(current[1])
        return true
      },
    })
    const integration = await integrate('gitlab', { base_url: server.url })
    for (current of answers)
      await assert.rejects(app.parts.sources.find(integration, { id: 1 }), { code: current[2] }, current[1])
  })

  test('checkTarget: refuses invalid targets (invalid-request) and unsupported ones (integration-unsupported)', () => {
    const misfits: [kind: string, target: unknown, pointer: string][] = [
      ['github', { owner: 'o' }, '/target/name'],
      ['github', { owner: '..', name: 'n' }, '/target/owner'],
      ['github', { owner: 'o/p', name: 'n' }, '/target/owner'],
      ['github', { owner: 'o', name: 'n', branch: 7 }, '/target/branch'],
      ['github', 'o/n', '/target'],
      ['github', null, '/target'],
      ['gitlab', { id: 0 }, '/target/id'],
      ['gitlab', { id: '1/../2' }, '/target/id'],
      ['gitlab', {}, '/target/id'],
      ['bitbucket-server', { projectKey: 'K' }, '/target/repoSlug'],
      ['azure-repos', { owner: 'a?b', name: 'n' }, '/target/owner'],
      ['git', { url: 'ssh://git@host.example/x' }, '/target/url'],
      ['git', { url: 'git@host.example:x/y' }, '/target/url'],
      ['git', { url: 'https://git.example../x' }, '/target/url'],
      ['git', { url: 'file:///etc' }, '/target/url'],
      ['git', { url: 'ext::sh -c x' }, '/target/url'],
      ['git', { url: 'https://user:secret@host.example/x' }, '/target/url'],
      ['local', { path: 'a\u0000b' }, '/target/path'],
      ['archive', {}, '/target'],
      ['archive', { id: 'x' }, '/target/id'],
    ]
    for (const [kind, target, pointer] of misfits)
      assert.throws(
        () => checkTarget(kind, target),
        (error: Error & { code?: string; faults?: { source?: { pointer?: string } }[] }) => {
          assert.equal(error.code, 'invalid-request', `${kind} ${JSON.stringify(target)}: ${error.message}`)
          assert.ok(
            error.faults!.some(({ source }) => source?.pointer === pointer),
            error.message,
          )
          return !error.message.includes('secret')
        },
      )
    assert.throws(() => checkTarget('archive', {}), {
      message: '/target must have at least 1 of these members: id, name',
    })
    const unserved = [
      { appId: 'a', slugId: 's' },
      { functionId: 'f' },
      { appId: 'a' },
      { name: 'org/repo:tag' },
      { name: 'registry.example:5000/repo:1.0' },
    ]
    for (const target of unserved)
      for (const kind of ['github', 'gitlab', 'bitbucket-server'])
        assert.throws(() => checkTarget(kind, target), {
          code: 'integration-unsupported',
          message: /Supported: github/,
        })
    assert.throws(() => checkTarget('ecr', { name: 'a:b' }), { code: 'integration-unsupported' })
  })

  test('checkTarget: refuses a long name without reading it again and again, which would take minutes', () => {
    assert.throws(() => checkTarget('github', { name: 'a'.repeat(900_000) }), Problem)
  })

  test('checkTarget: normalizes spellings of one URL, and empty branches', async () => {
    const check = (url: string) => (checkTarget('git', { url }).target as { url: string }).url
    const spellings = [
      'https://Git.Example/a/b.git',
      'https://git.example:443/a/b.git/',
      'https://git.example/a/b.git?x#y',
      'https://git.example./a/b.git',
      'https://ｇit%2Eexample/a/b.git',
    ]
    assert.deepEqual([...new Set(spellings.map(check))], ['https://git.example/a/b.git'])
    for (const branch of ['', null, undefined])
      assert.equal(checkTarget('github', { owner: 'o', name: 'n', branch }).branch, undefined)
  })

  test('display name of a long git URL: shortened to 500 characters', async () => {
    const kind = integrationKinds.find(({ id }) => id === 'git')!
    const url = `https://git.example/${'a'.repeat(1_900)}`
    const { displayName } = await kind.locate({ baseUrl: '' } as never, checkTarget('git', { url }).target as never)
    assert.equal(displayName.length, 500)
  })

  test('integrationKinds: has exactly the kinds of the folder kinds/, with unique ids', () => {
    const files = globSync(join(import.meta.dirname, 'kinds', '*.ts')).map((file) => basename(file, '.ts'))
    const ids = integrationKinds.map(({ id }) => id)
    assert.deepEqual([...files].sort(), ids.filter((id) => id !== 'github-enterprise').sort())
    assert.equal(new Set(ids).size, ids.length)
  })
})
