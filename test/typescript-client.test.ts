import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ApiError, type ApiRequest, createClient } from '../src/client/api/client.ts'
import { ADMIN_KEY, type TestApp } from './support/servers/app.ts'
import { startListening } from './support/servers/listening.ts'
import { programEnvironment } from './support/servers/program.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

describe('the exported TypeScript client', () => {
  let app: TestApp
  let folder: string
  before(async () => {
    app = await startListening('sqlite')
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-client-'))
    const written = /```ts .*\n([\s\S]*?)```/.exec(readFileSync('docs/guides/typescript-client.md', 'utf8'))![1]!
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'example.ts'), written)
    // The link that npm makes to install a folder.
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules', 'gatehouse'))
  })
  after(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })

  const client = () => createClient({ url: app.parts.services.baseUrl, credential: ADMIN_KEY })

  function example(key: string) {
    const env = { ...programEnvironment, GATEHOUSE_URL: app.parts.services.baseUrl, GATEHOUSE_KEY: key }
    return run(process.execPath, ['example.ts'], { cwd: folder, env })
  }

  test("the guide's example runs and reports a refusal with its request id", async () => {
    assert.match((await example(ADMIN_KEY)).stdout, /^Signed in as Administrator\n/)
    await assert.rejects(example('unknown-key'), /401 unauthenticated: .+ \(request [\w-]+\)/)
  })

  test("the guide's example compiles", async () => {
    const options = '--noEmit --strict --skipLibCheck --target esnext --module nodenext --allowImportingTsExtensions'
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    await run(join(root, 'node_modules/.bin/tsc'), [...options.split(' '), ...types, 'example.ts'], { cwd: folder })
  })

  test('list: follows pages to the end, and only as far as it is read', async () => {
    const params = { org_id: app.orgId }
    const names = Array.from({ length: 23 }, (_, at) => `account ${at}`)
    const role_id = '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0004'
    for (const name of names) {
      const attributes = { name, auth_type: 'api_key', role_id } as const
      await client().call('createOrgServiceAccount', { params, body: { data: { attributes } } })
    }
    const listed: string[] = []
    const pages = client().list('listOrgServiceAccounts', { params, query: { limit: 10 } })
    for await (const { attributes } of pages) listed.push(attributes.name)
    assert.deepEqual(listed.sort(), names.sort())
    for await (const { id } of client().list('listOrgServiceAccounts', { params })) {
      assert.match(id, /^[\da-f-]{36}$/)
      break
    }
  })

  test('errors of JSON:API, v1 and OAuth have status and code, and faults and request id where given', async () => {
    const { call } = client()
    const rest = await failureOf(call('getApp', { params: { org_id: app.orgId, app_id: 'no-uuid' } }))
    assert.deepEqual([rest.status, rest.code, rest.requestId === undefined], [400, 'invalid-request', false])
    const v1 = await failureOf(call('getProjectV1', { params: { orgId: app.orgId, projectId: app.orgId } }))
    assert.deepEqual([v1.status, v1.code, v1.faults.length], [404, 'not-found', 1])
    const oauth = await failureOf(
      call('getToken', { body: { grant_type: 'authorization_code', client_id: app.orgId } }),
    )
    assert.deepEqual([oauth.status, oauth.code], [401, 'invalid_client'])
  })

  test('a request has the version, encoded parts, repeated parameters, and the credential only in its header', async () => {
    let sent: { url: string; request: ApiRequest } | undefined
    const { call } = createClient({
      url: 'https://gate.example/base/',
      credential: async () => 'secret-1',
      transport: async (url, request) => {
        sent = { url, request }
        return { status: 204, headers: { get: () => null }, text: async () => '' }
      },
    })
    const query = { ids: ['a', 'b'], name: 'x&y' }
    assert.equal(await call('listOrgProjects', { params: { org_id: 'a/b' }, query }), undefined)
    assert.equal(
      sent!.url,
      'https://gate.example/base/rest/orgs/a%2Fb/projects?version=2024-10-15&ids=a&ids=b&name=x%26y',
    )
    assert.equal(sent!.request.headers['authorization'], 'token secret-1')
  })
})

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => assert.fail('no failure'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ApiError, String(error))
  return error
}
