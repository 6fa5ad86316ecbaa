import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandProcess } from '#test/servers/command-process.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { startServer } from '#test/servers/server-process.ts'
import { type StoragePlace, storagePlaces } from '#test/servers/storage-places.ts'

const KEY = '2d0c41e2-91f4-4d57-8a8b-0f6b8a6c2f10'
const headers = { authorization: `token ${KEY}` }
const VERSION = '?version=2024-10-15'

const commands = commandProcess()
after(() => commands[Symbol.asyncDispose]())

async function run({ environment }: StoragePlace, ...args: string[]): Promise<{ code: number | null; output: string }> {
  const { code, output, errors } = await commands.run(['secret-key', ...args], { environment })
  return { code, output: output + errors }
}

const start = ({ environment }: StoragePlace) => startServer({ ...environment, GATEHOUSE_ADMIN_API_KEY: KEY })

/** Creates and lists webhooks; URL, secret and idempotent responses are stored encrypted. */
function client(baseUrl: string, org: string) {
  const path = `${baseUrl}/rest/orgs/${org}/webhooks${VERSION}`
  const attributes = { url: 'https://hooks.example/in?token=t', events: ['import.finished'] }
  const body = JSON.stringify({ data: { type: 'webhook', attributes } })
  const sent = { ...headers, 'content-type': 'application/vnd.api+json' }
  return {
    async create(key: string) {
      const answer = await fetch(path, { method: 'POST', headers: { ...sent, 'idempotency-key': key }, body })
      assert.equal(answer.status, 201, await answer.clone().text())
      return (await answer.json()) as { data: { id: string; attributes: { secret: string } } }
    },
    async list() {
      const answer = await fetch(path, { headers })
      assert.equal(answer.status, 200)
      const { data } = (await answer.json()) as { data: { attributes: { url: string } }[] }
      return data.map(({ attributes: { url } }) => url)
    },
  }
}

async function findOrg(baseUrl: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/v1/orgs`, { headers })
  return ((await answer.json()) as { orgs: { id: string }[] }).orgs[0]!.id
}

onEveryEngine('gatehouse secret-key', (engine) => {
  test('secret-key rotate: a running server serves throughout; afterward only the new key works', async () => {
    await using places = storagePlaces()
    const place = await places.make(engine)
    const server = await start(place)
    const org = await findOrg(server.baseUrl)
    const { create, list } = client(server.baseUrl, org)
    const idempotencyKey = randomUUID()
    const first = await create(idempotencyKey)

    let isStopped = false
    let requests = 0
    const asking = (async () => {
      while (!isStopped) {
        assert.ok((await list()).every((url) => url === 'https://hooks.example/in?token=t'))
        if (requests++ === 20) await create(randomUUID())
        await sleep(50)
      }
    })()
    let fault: unknown
    asking.catch((error) => (fault = error))
    const keyFile = join(place.dataDir, 'secret.key')
    const before = readFileSync(keyFile, 'utf8')
    const rotated = await run(place, 'rotate', '--lead-seconds', '3')
    assert.equal(rotated.code, 0, rotated.output)
    assert.match(rotated.output, /The previous one stays valid/)
    const after = readFileSync(keyFile, 'utf8')
    assert.notEqual(after, before)
    for (const key of [before, after]) assert.ok(!rotated.output.includes(key.trim()), 'no key is printed')
    const twice = await run(place, 'rotate')
    assert.match(twice.output, /A rotation is not finished yet/)
    assert.match((await run(place, 'status')).output, /A rotation is pending/)
    const finished = await run(place, 'finish')
    assert.equal(finished.code, 0, finished.output)
    assert.match((await run(place, 'status')).output, /No rotation of the secret key is pending/)
    // The server learns within seconds that the previous key is gone.
    const previousCount = requests
    await sleep(3000)
    assert.ok(requests > previousCount, String(fault))
    isStopped = true
    await asking
    assert.deepEqual(await create(idempotencyKey), first, 'the stored answer opens with the new key')
    assert.doesNotMatch(server.logged(), /"level":(50|60)/)
    assert.equal(await server.end('SIGTERM'), 0)

    writeFileSync(keyFile, before)
    await assert.rejects(start(place), /The database uses another secret key/)
    writeFileSync(keyFile, after)
    const again = await start(place)
    assert.ok((await client(again.baseUrl, org).list()).length > 0)
    assert.deepEqual(await client(again.baseUrl, org).create(idempotencyKey), first)
    assert.equal(await again.end('SIGTERM'), 0)
  })
})

test('secret-key with GATEHOUSE_SECRET_KEY: both keys work until the rotation is finished', async () => {
  await using places = storagePlaces()
  const { dataDir, environment } = await places.make('sqlite')
  const withKey = (key: string) => ({ dataDir, environment: { ...environment, GATEHOUSE_SECRET_KEY: key } })
  const [previous, next] = [withKey('a'.repeat(64)), withKey('b'.repeat(64))]
  assert.equal(await (await start(previous)).end('SIGTERM'), 0)
  assert.match((await run(previous, 'rotate')).output, /pass --key-file FILE/)
  const file = join(places.root, 'next.key')
  writeFileSync(file, 'short')
  assert.match((await run(previous, 'rotate', '--key-file', file)).output, /64 hexadecimal digits/)
  writeFileSync(file, 'b'.repeat(64))
  const rotated = await run(previous, 'rotate', '--key-file', file, '--lead-seconds', '1')
  assert.equal(rotated.code, 0, rotated.output)
  const server = await start(next)
  assert.match((await run(previous, 'finish')).output, /started with the previous secret key/)
  assert.equal((await run(next, 'finish')).code, 0)
  assert.equal(await server.end('SIGTERM'), 0)
  const refused = await run(previous, 'status')
  assert.match(refused.output, /The database uses another secret key/)
  assert.equal(existsSync(join(dataDir, 'secret.key')), false)
})

test('secret-key rotate: completes a rotation interrupted before the key file was replaced', async () => {
  await using places = storagePlaces()
  const place = await places.make('sqlite')
  assert.equal((await commands.run(['migrate'], { environment: place.environment })).code, 0)
  assert.match((await run(place, 'status')).output, /No rotation of the secret key is pending/)
  const keyFile = join(place.dataDir, 'secret.key')
  copyFileSync(keyFile, join(places.root, 'before.key'))
  assert.equal((await run(place, 'rotate', '--lead-seconds', '1')).code, 0)
  // Simulates a program that ended after storing the new key in the database.
  copyFileSync(keyFile, `${keyFile}.next`)
  copyFileSync(join(places.root, 'before.key'), keyFile)
  const resumed = await run(place, 'rotate')
  assert.equal(resumed.code, 0, resumed.output)
  assert.notEqual(readFileSync(keyFile, 'utf8'), readFileSync(join(places.root, 'before.key'), 'utf8'))
  assert.equal((await run(place, 'finish')).code, 0)
  const copies = readdirSync(place.dataDir).filter((name) => name.startsWith('secret.key'))
  assert.deepEqual(copies.map((name) => name.replace(/[0-9a-f]{8}$/, 'N')).sort(), ['secret.key', 'secret.key.N'])
  rmSync(keyFile)
})
