import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { runCommand } from '#test/servers/command-line.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { availableEngines } from '#test/servers/postgres.ts'
import { startServer } from '#test/servers/server-process.ts'
import { type StoragePlace, storagePlaces } from '#test/servers/storage-places.ts'

const KEY = '2d0c41e2-91f4-4d57-8a8b-0f6b8a6c2f10'
const headers = { authorization: `token ${KEY}`, 'content-type': 'application/json' }

async function run({ environment }: StoragePlace, ...args: string[]): Promise<{ code: number | null; output: string }> {
  const { code, output, errors } = await runCommand(args, { environment })
  return { code, output: output + errors }
}

const start = ({ environment }: StoragePlace) => startServer({ ...environment, GATEHOUSE_ADMIN_API_KEY: KEY })

async function createOrg(baseUrl: string, name: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/v1/org`, { method: 'POST', headers, body: JSON.stringify({ name }) })
  await answer.arrayBuffer()
  return answer.status
}

async function orgNames(baseUrl: string): Promise<string[]> {
  const answer = await fetch(`${baseUrl}/v1/orgs`, { headers })
  assert.equal(answer.status, 200)
  const { orgs } = (await answer.json()) as { orgs: { name: string }[] }
  return orgs.map(({ name }) => name)
}

/** Creates organizations continuously until it is stopped. */
function writeOnAndOn(baseUrl: string) {
  const [begun, acknowledged]: [string[], string[]] = [[], []]
  let isStopped = false
  const enough = Promise.withResolvers<void>()
  const done = (async () => {
    while (!isStopped) {
      const name = `Org ${begun.length}`
      begun.push(name)
      assert.equal(await createOrg(baseUrl, name), 201)
      if (acknowledged.push(name) === 20) enough.resolve()
    }
  })()
  done.catch(enough.reject)
  const stop = () => {
    isStopped = true
    return done
  }
  return { begun, acknowledged, enough: enough.promise, stop }
}

onEveryEngine('gatehouse restore', (engine) => {
  test('restore: contains every acknowledged write; refuses a running server and existing data', async () => {
    await using places = storagePlaces()
    const source = await places.make(engine)
    const server = await start(source)
    const writing = writeOnAndOn(server.baseUrl)
    await writing.enough
    const before = [...writing.acknowledged]
    const file = join(places.root, 'copy.sqlite')
    const taken = await run(source, 'backup', file, '--with-key')
    await writing.stop()
    assert.equal(taken.code, 0, taken.output)
    assert.deepEqual(readdirSync(places.root).sort(), ['copy.sqlite', 'copy.sqlite.key', 'data-1'])
    for (const name of ['', '.key']) assert.equal(statSync(file + name).mode & 0o077, 0)
    const running = await run(source, 'restore', file, '--replace')
    assert.match(running.output, engine === 'sqlite' ? /in use by another Gatehouse server/ : /Stop all of them/)
    assert.equal(await createOrg(server.baseUrl, 'Later'), 201)
    assert.equal(await server.end('SIGTERM'), 0)
    const occupied = await run(source, 'restore', file)
    assert.match(occupied.output, /already (exists|contains data of Gatehouse).*--replace/)

    const others = availableEngines.filter((other) => other !== engine)
    for (const other of [engine, ...others]) {
      const target = other === engine ? source : await places.make(other)
      const restored = await run(target, 'restore', file, ...(target === source ? ['--replace'] : []))
      assert.equal(restored.code, 0, restored.output)
      const again = await start(target)
      assert.doesNotMatch(again.printed(), /first start/)
      const names = await orgNames(again.baseUrl)
      const lost = before.filter((name) => !names.includes(name))
      assert.deepEqual(lost, [], 'acknowledged before the backup')
      const expected = new Set([...writing.begun, 'Default organization'])
      const surplus = names.filter((name) => !expected.has(name))
      assert.deepEqual(surplus, [], 'written after the backup')
      assert.equal(await createOrg(again.baseUrl, 'After'), 201)
      assert.equal(await again.end('SIGTERM'), 0)
    }
    const aside = readdirSync(source.dataDir).some((name) => /^gatehouse\.sqlite\.replaced-\d{14}$/.test(name))
    assert.equal(aside, engine === 'sqlite', 'the replaced file is kept')
  })
})

test('restore: requires the key of the backup and changes nothing without it', async () => {
  await using places = storagePlaces()
  const source = await places.make('sqlite')
  assert.equal((await run(source, 'migrate')).code, 0)
  const database = new DatabaseSync(join(source.dataDir, 'gatehouse.sqlite'))
  database.exec("insert into settings values ('secret-key-fingerprint', 'of another key')")
  database.close()
  const file = join(places.root, 'copy.sqlite')
  assert.equal((await run(source, 'backup', file)).code, 0)
  const empty = await places.make('sqlite')
  assert.match((await run(empty, 'restore', file)).output, /No secret key at .*copy\.sqlite\.key\. Pass --key-file/)
  const key = join(places.root, 'wrong.key')
  writeFileSync(key, 'short')
  assert.match((await run(empty, 'restore', file, '--key-file', key)).output, /64 hexadecimal digits/)
  writeFileSync(key, 'a'.repeat(64))
  assert.match((await run(empty, 'restore', file, '--key-file', key)).output, /is not the secret key of this backup/)
  const variable = { ...empty, environment: { ...empty.environment, GATEHOUSE_SECRET_KEY: 'a'.repeat(64) } }
  assert.match((await run(variable, 'restore', file)).output, /GATEHOUSE_SECRET_KEY is not the secret key/)
  assert.deepEqual(readdirSync(empty.dataDir), [])
})

test('restore: refuses other files, damaged backups and backups of a newer version', async () => {
  await using places = storagePlaces()
  const target = await places.make('sqlite')
  const file = join(places.root, 'copy.sqlite')
  assert.match((await run(target, 'restore', file)).output, /does not exist/)
  writeFileSync(file, randomUUID().repeat(100))
  assert.match((await run(target, 'restore', file)).output, /is not a backup of Gatehouse/)
  rmSync(file)
  const database = new DatabaseSync(file)
  database.exec("create table kysely_migration (name text); insert into kysely_migration values ('9999-later')")
  database.exec(
    'create table filler as with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select i, hex(randomblob(20)) as x from n; create index by_x on filler (x)',
  )
  database.close()
  assert.match(
    (await run(target, 'restore', file)).output,
    /written by a newer version of Gatehouse \(it has 9999-later\)/,
  )
  const bytes = readFileSync(file)
  bytes.fill(0, bytes.length - 8192)
  writeFileSync(file, bytes)
  assert.match((await run(target, 'restore', file)).output, /is damaged|malformed/)
  assert.equal(existsSync(join(target.dataDir, 'gatehouse.sqlite')), false)
})
