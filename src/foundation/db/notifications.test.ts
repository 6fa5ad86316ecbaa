import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createPostgresDatabase } from '#test/servers/postgres.ts'
import { listenToProcesses, notifyProcesses } from './notifications.ts'
import { type Database, openDatabase } from './open-database.ts'

const skip = process.env['TEST_DATABASE_URL'] === undefined && 'needs TEST_DATABASE_URL'

describe('PostgreSQL notifications', { skip }, () => {
  let dataDir: string
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  let database: Database
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-notifications-'))
    postgres = await createPostgresDatabase()
    database = openDatabase({ url: postgres.url, dataDir, maxConnections: 2, onError: () => {} })
  })
  after(async () => {
    await database.close()
    await postgres.drop()
    rmSync(dataDir, { recursive: true })
  })

  const db = () => database.db

  /** Listens, and lets tests wait for the next notification. */
  function listen(url = postgres.url, probeMs = 60_000) {
    const waiting: ((text: string) => void)[] = []
    const messages: string[] = []
    const tell = (what: string) => {
      const next = waiting.shift()
      if (next) next(what)
      else messages.push(what)
    }
    const listening = listenToProcesses({
      url,
      db: db(),
      probeMs,
      onTopic: tell,
      onFault: ({ reason }) => tell(reason),
    })
    const next = () =>
      new Promise<string>((resolve) => (messages.length > 0 ? resolve(messages.shift()!) : waiting.push(resolve)))
    return { ...listening, next, told: messages }
  }

  test('a committed notification arrives; one that is rolled back does not', async () => {
    const { next, told: messages, close } = listen()
    assert.equal(await next(), 'advisories', 'what came before the connection was missed')
    const failing = db()
      .transaction()
      .execute(async (tx) => {
        await notifyProcesses(tx, 'advisories')
        throw new Error('rolled back')
      })
    await assert.rejects(failing, /rolled back/)
    await notifyProcesses(db(), 'advisories')
    assert.equal(await next(), 'advisories')
    await close()
    assert.deepEqual(messages, [])
  })

  test('a terminated connection is opened again and receives later notifications', async () => {
    const { next, close } = listen()
    await next()
    const end = sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gatehouse-listen'
      and datname = current_database()`
    await end.execute(db())
    assert.equal(await next(), 'advisories', 'connected again')
    await notifyProcesses(db(), 'advisories')
    assert.equal(await next(), 'advisories')
    await close()
  })

  test('a pooler that loses notifications: the error names GATEHOUSE_DATABASE_LISTEN_URL', async () => {
    const proxy = await startLosingProxy(postgres.url)
    const { next, close } = listen(proxy.url, 50)
    assert.match(await next(), /GATEHOUSE_DATABASE_LISTEN_URL/)
    assert.equal(proxy.lost(), 1)
    await close()
    await proxy.close()
  })

  test('closing does not wait for an unreachable database', async () => {
    const { next, close } = listen('postgres://nobody@127.0.0.1:1/none')
    assert.match(await next(), /ECONNREFUSED|connection/)
    await close()
  })
})

/** Forwards everything but notifications (message `A`), as a pooler in transaction mode does. */
async function startLosingProxy(target: string) {
  const { hostname, port } = new URL(target)
  let lost = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect({ host: hostname || '127.0.0.1', port: Number(port || 5432) })
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}))
    client.pipe(upstream)
    let kept = Buffer.alloc(0)
    upstream.on('data', (bytes) => {
      kept = Buffer.concat([kept, bytes])
      while (kept.length >= 5 && kept.length > kept.readUInt32BE(1)) {
        const end = 1 + kept.readUInt32BE(1)
        if (kept[0] === 'A'.charCodeAt(0)) lost++
        else client.write(kept.subarray(0, end))
        kept = kept.subarray(end)
      }
    })
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    lost: () => lost,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
