import assert from 'node:assert/strict'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { npmProject } from '#test/repositories/imports.ts'
import { commandProcess } from '#test/servers/command-process.ts'
import { copyPreparedData } from '#test/servers/prepared-data.ts'
import { startServer } from '#test/servers/server-process.ts'
import { volume } from '#test/volume.ts'

/** So many that the import still runs when it is copied. */
const MANIFESTS = volume(250, { atLeast: 120 })
const KEY = '2d0c41e2-91f4-4d57-8a8b-0f6b8a6c2f10'

describe('gatehouse backup', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  const commands = commandProcess()
  after(() => commands[Symbol.asyncDispose]())
  const back = (args: string[], environment: Record<string, string> = {}) =>
    commands.run(['backup', ...args], { environment: { GATEHOUSE_DATA_DIR: join(root, 'data'), ...environment } })
  const environment = (folder: string) => ({ GATEHOUSE_DATA_DIR: join(root, folder), GATEHOUSE_ADMIN_API_KEY: KEY })
  const headers = { authorization: `token ${KEY}`, 'content-type': 'application/json' }

  function query(file: string, statement: string) {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      return database.prepare(statement).all()
    } finally {
      database.close()
    }
  }

  test('backup: contains the writes of a running server so far, and starts a new server', async () => {
    const server = await startServer(environment('data'))
    const create = (name: string) =>
      fetch(`${server.baseUrl}/v1/org`, { method: 'POST', headers, body: JSON.stringify({ name }) })
    assert.equal((await create('Before')).status, 201)
    const { code, output, errors } = await back([join(root, 'copy.sqlite'), '--with-key'])
    assert.equal(code, 0, errors)
    assert.match(output, /copy\.sqlite: [\d.]+ MB, checked/)
    assert.equal((await create('After')).status, 201)
    assert.equal(await server.end('SIGTERM'), 0)
    assert.deepEqual(readdirSync(root).sort(), ['copy.sqlite', 'copy.sqlite.key', 'data'])
    for (const name of ['copy.sqlite', 'copy.sqlite.key']) assert.equal(statSync(join(root, name)).mode & 0o077, 0)

    mkdirSync(join(root, 'restored'))
    copyFileSync(join(root, 'copy.sqlite'), join(root, 'restored', 'gatehouse.sqlite'))
    copyFileSync(join(root, 'copy.sqlite.key'), join(root, 'restored', 'secret.key'))
    const restored = await startServer(environment('restored'))
    assert.doesNotMatch(restored.printed(), /first start/)
    const { orgs } = (await (await fetch(`${restored.baseUrl}/v1/orgs`, { headers })).json()) as {
      orgs: { name: string }[]
    }
    assert.deepEqual(orgs.map(({ name }) => name).sort(), ['Before', 'Default organization'])
    assert.equal(await restored.end('SIGTERM'), 0)
  })

  test('backup during an import: the restored server completes the import without duplicates', async () => {
    using repository = bareRepository()
    const names = Array.from({ length: MANIFESTS }, (_, n) => `p${n}`)
    repository.commit(names.flatMap((name, n) => npmProject(name, `package-${n}`)))
    const importing = { GATEHOUSE_LOCAL_REPOSITORIES: tmpdir(), GATEHOUSE_ADVISORIES_SYNC_MINUTES: '0' }
    const server = await startServer({ ...environment('data'), ...importing })
    const call = async (baseUrl: string, path: string, body?: object): Promise<Response> => {
      const init = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) }
      const answer = await fetch(`${baseUrl}${path}`, init)
      assert.ok(answer.ok, `${answer.status} ${await answer.clone().text()}`)
      return answer
    }
    const asJson = async (answer: Promise<Response>) => JSON.parse(await (await answer).text())
    const [{ id: orgId }] = (await asJson(call(server.baseUrl, '/v1/orgs'))).orgs
    const rest = `/rest/orgs/${orgId}`
    const integration = { data: { type: 'integration', attributes: { kind: 'local', name: 'local' } } }
    const made = await asJson(call(server.baseUrl, `${rest}/integrations?version=2024-10-15`, integration))
    const path = `/v1/org/${orgId}/integrations/${made.data.id}/import`
    const begun = await call(server.baseUrl, path, { target: { path: repository.path } })
    const id = begun.headers.get('location')!.split('/').at(-1)!
    const read = async (baseUrl: string) =>
      (await asJson(call(baseUrl, `${rest}/imports/${id}?version=2024-10-15`))).data.attributes
    let begunImport = await read(server.baseUrl)
    while (begunImport.state === 'pending' && begunImport.manifests.done === 0) {
      await sleep(5)
      begunImport = await read(server.baseUrl)
    }
    assert.notEqual(begunImport.state, 'failed', begunImport.message)
    const { code, errors } = await back([join(root, 'copy.sqlite'), '--with-key'])
    assert.equal(code, 0, errors)
    assert.equal(await server.end('SIGTERM'), 0, 'what runs is left to the next start')

    mkdirSync(join(root, 'restored'))
    copyFileSync(join(root, 'copy.sqlite'), join(root, 'restored', 'gatehouse.sqlite'))
    copyFileSync(join(root, 'copy.sqlite.key'), join(root, 'restored', 'secret.key'))
    const [jobs] = query(join(root, 'copy.sqlite'), "select count(*) as n from jobs where kind = 'import'")
    assert.equal(jobs!['n'], 1, 'the import had ended before it was copied')
    const restored = await startServer({ ...environment('restored'), ...importing })
    let now = await read(restored.baseUrl)
    for (let tries = 0; now.state === 'pending' && tries < 6000; tries++) {
      await sleep(50)
      now = await read(restored.baseUrl)
    }
    assert.deepEqual([now.state, now.manifests], ['complete', { waiting: 0, done: MANIFESTS, failed: 0 }])
    assert.equal(await restored.end('SIGTERM'), 0)
    const [one] = query(
      join(root, 'restored', 'gatehouse.sqlite'),
      'select count(*) as n, count(distinct target_file) as files from projects',
    )
    assert.deepEqual({ ...one }, { n: MANIFESTS, files: MANIFESTS })
  })

  test('backup: refuses missing databases, existing files, missing folders and missing keys', async () => {
    const there = join(root, 'there.sqlite')
    const refusals: [args: string[], environment: Record<string, string>, said: RegExp][] = [
      [[there], {}, /No database at .*GATEHOUSE_DATA_DIR/],
      [[there], { DATABASE_URL: 'postgres://user@127.0.0.1:1/x' }, /database cannot be reached/],
    ]
    for (const [args, environment, said] of refusals) {
      const { code, errors } = await back(args, environment)
      assert.notEqual(code, 0)
      assert.match(errors, said)
    }
    const prepared = await copyPreparedData('sqlite')
    renameSync(prepared.dataDir, join(root, 'data'))
    assert.equal((await back([there])).code, 0)
    const again = await back([there])
    assert.equal(again.code, 1)
    assert.match(again.errors, /already exists/)
    const apart = join(root, 'apart.sqlite')
    const others: [args: string[], environment: Record<string, string>, said: RegExp][] = [
      [[join(root, 'no', 'such', 'folder.sqlite')], {}, /The folder .*such does not exist/],
      [[apart, '--with-key'], { GATEHOUSE_SECRET_KEY: 'a'.repeat(64) }, /is the value of GATEHOUSE_SECRET_KEY/],
    ]
    for (const [args, environment, said] of others) {
      const { code, errors } = await back(args, environment)
      assert.equal(code, 1)
      assert.match(errors, said)
    }
    assert.match(
      (await back([apart], { GATEHOUSE_SECRET_KEY: 'a'.repeat(64) })).output,
      /Keep the value of GATEHOUSE_SECRET_KEY/,
    )
    rmSync(apart)
    writeFileSync(`${apart}.key`, 'of another backup')
    assert.match((await back([apart, '--with-key'])).errors, /apart\.sqlite\.key already exists/)
    assert.equal(readFileSync(`${apart}.key`, 'utf8'), 'of another backup')
    rmSync(`${apart}.key`)
    assert.deepEqual(readdirSync(root).sort(), ['data', 'there.sqlite'])
    rmSync(join(root, 'data', 'secret.key'))
    assert.match((await back([apart, '--with-key'])).errors, /No secret key at .*secret\.key/)
    assert.deepEqual(readdirSync(root).sort(), ['data', 'there.sqlite'])
  })

  test('backup --with-key: repeated after it was killed at any step, with the files that it left', async () => {
    const prepared = await copyPreparedData('sqlite')
    renameSync(prepared.dataDir, join(root, 'data'))
    const copy = join(root, 'copy.sqlite')
    mkdirSync(`${copy}.partial`)
    writeFileSync(join(`${copy}.partial`, 'gatehouse.sqlite'), 'half')
    copyFileSync(join(root, 'data', 'secret.key'), join(`${copy}.partial`, 'secret.key'))
    copyFileSync(join(root, 'data', 'secret.key'), `${copy}.key`)
    const { code, errors } = await back([copy, '--with-key'])
    assert.equal(code, 0, errors)
    assert.deepEqual(readdirSync(root).sort(), ['copy.sqlite', 'copy.sqlite.key', 'data'])
  })
})
