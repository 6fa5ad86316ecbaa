import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { startServer } from '#test/server-process.ts'

const KEY = '2d0c41e2-91f4-4d57-8a8b-0f6b8a6c2f10'

describe('gatehouse backup', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  const back = (args: string[], environment: Record<string, string> = {}) =>
    spawnSync(process.execPath, ['src/main.ts', 'backup', ...args], {
      env: { PATH: process.env['PATH'], GATEHOUSE_DATA_DIR: join(root, 'data'), ...environment },
      encoding: 'utf8',
    })
  const environment = (folder: string) => ({ GATEHOUSE_DATA_DIR: join(root, folder), GATEHOUSE_ADMIN_API_KEY: KEY })
  const headers = { authorization: `token ${KEY}`, 'content-type': 'application/json' }

  test('holds what a running server has answered so far, and a server starts from it', async () => {
    const server = await startServer(environment('data'))
    const create = (name: string) =>
      fetch(`${server.baseUrl}/v1/org`, { method: 'POST', headers, body: JSON.stringify({ name }) })
    assert.equal((await create('Before')).status, 201)
    const { status, stdout, stderr } = back([join(root, 'copy.sqlite'), '--with-key'])
    assert.equal(status, 0, stderr)
    assert.match(stdout, /copy\.sqlite: [\d.]+ MB, checked/)
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
    assert.deepEqual(orgs.map(({ name }) => name).sort(), ['Before', 'Default organisation'])
    assert.equal(await restored.end('SIGTERM'), 0)
  })

  test('refuses, with the reason, what it cannot or must not do', async () => {
    const there = join(root, 'there.sqlite')
    const refusals: [args: string[], environment: Record<string, string>, said: RegExp][] = [
      [[there], {}, /There is no database at .*GATEHOUSE_DATA_DIR/],
      [[there], { DATABASE_URL: 'postgres://user@127.0.0.1/x' }, /use pg_dump/],
    ]
    for (const [args, environment, said] of refusals) {
      const { status, stderr } = back(args, environment)
      assert.equal(status, 1)
      assert.match(stderr, said)
    }
    await (await startServer(environment('data'))).end('SIGTERM')
    assert.equal(back([there]).status, 0)
    const again = back([there])
    assert.equal(again.status, 1)
    assert.match(again.stderr, /is there already/)
    assert.notEqual(back([join(root, 'no', 'such', 'folder.sqlite')]).status, 0)
    assert.deepEqual(readdirSync(root).sort(), ['data', 'there.sqlite'])
  })
})
