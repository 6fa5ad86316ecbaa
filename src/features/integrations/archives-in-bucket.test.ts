import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { assertRefusal } from '#test/access/refusals.ts'
import { readAll } from '#test/repositories/git-reader.ts'
import { toTar } from '#test/repositories/tar.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import {
  lacksObjectStore,
  SECRET_ACCESS_KEY,
  startObjectStore,
  type TestObjectStore,
} from '#test/servers/object-store.ts'
import { createArchiveStorage } from './archive-storage.ts'
import { purgeObjects } from './purge-objects.job.ts'
import { getIntegration } from './store.ts'

const MB = 1024 * 1024
const DAY_MS = 86_400_000
const MARKER = 'gatehouse-installation'
const small = toTar([{ name: 'pom.xml', content: 'x' }])

describe('archives in an object store', { skip: lacksObjectStore }, () => {
  let store: TestObjectStore
  before(async () => {
    store = await startObjectStore()
  })
  after(() => store[Symbol.asyncDispose]())

  onEveryEngine('archives in an object store', (engine) => {
    const prefix = randomUUID()
    let app: TestApp
    let integrationId: string
    before(async () => {
      app = await startApp(engine, { ...store.environment(prefix), GATEHOUSE_LOG_LEVEL: 'trace' })
      const attributes = { kind: 'archive', name: 'archives' }
      const body = { data: { type: 'integration', attributes } }
      integrationId = (await app.call('POST', `/rest/orgs/${app.orgId}/integrations`, { body })).json().data.id
    })
    after(() => app.close())

    const path = () => `/rest/orgs/${app.orgId}/integrations/${integrationId}/archives`
    const send = (bytes: Buffer, name: string) =>
      app.server.inject({
        method: 'POST',
        url: `${path()}?${new URLSearchParams({ version: '2024-10-15', name })}`,
        headers: { authorization: `token ${app.adminKey}`, 'content-type': 'application/octet-stream' },
        payload: bytes,
      })
    const remove = (id: string) => app.call('DELETE', `${path()}/${id}`)
    const keys = () => store.keys(prefix).filter((key) => key !== MARKER)

    async function sent(bytes: Buffer, name: string): Promise<string> {
      const answer = await send(bytes, name)
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json().data.id
    }

    async function read(name: string) {
      const integration = await getIntegration(app.parts.services.db, app.orgId, integrationId)
      const { source } = await app.parts.sources.open(integration, { name })
      const contents = await readAll(source)
      await source.close()
      return contents
    }

    /** Runs the purge as it would run after some days. */
    async function purgeAfter(days: number, { isConfigured = true } = {}): Promise<void> {
      const { services, objects } = app.parts
      const now = () => services.now() + days * DAY_MS
      const context = { log: services.log, attempt: 1, signal: new AbortController().signal }
      await purgeObjects({ ...services, now }, isConfigured ? objects : undefined).run({}, context)
    }

    async function recorded(): Promise<string[]> {
      const rows = await app.parts.services.db.selectFrom('stored_objects').select('key').orderBy('key').execute()
      return rows.map(({ key }) => key)
    }

    test('a large archive: stored in the bucket in pieces of 8 MiB, none of it in the database', async () => {
      const files = [
        { name: 'noise', content: randomBytes(17 * MB) },
        { name: 'pom.xml', content: 'large' },
      ]
      const bytes = toTar(files)
      const id = await sent(bytes, 'large')
      assert.deepEqual(
        keys(),
        [0, 1, 2].map((place) => `archives/${id}/00000${place}`),
      )
      assert.ok(Buffer.concat(keys().map((key) => store.read(`${prefix}/${key}`))).equals(bytes))
      assert.deepEqual(await recorded(), keys())
      const { db } = app.parts.services
      assert.deepEqual(await db.selectFrom('archive_pieces').select('place').execute(), [])
      assert.equal((await read('large'))['pom.xml'], 'large')
      assert.equal((await remove(id)).statusCode, 204)
    })

    test('objects of a deleted archive: kept for some days, then removed', async () => {
      const kept = await sent(small, 'kept')
      const deleted = await sent(small, 'deleted')
      await remove(deleted)
      await purgeAfter(0)
      await purgeAfter(6.9)
      assert.ok(keys().includes(`archives/${deleted}/000000`))
      await purgeAfter(7)
      assert.deepEqual(keys(), [`archives/${kept}/000000`])
      assert.deepEqual(await recorded(), keys())
      assert.equal((await read('kept'))['pom.xml'], 'x')
      await remove(kept)
    })

    test('objects of a refused or unfinished upload: removed later', async () => {
      const { services, archives } = app.parts
      assertRefusal(await send(Buffer.from('no archive'), 'refused'), { status: 422, code: 'unprocessable' })
      assert.ok((await recorded()).every((key) => !keys().includes(key) || key.startsWith('archives/')))
      const id = randomUUID()
      const begun = { id, integration_id: integrationId, name: 'begun', size_bytes: 1, digest: '', is_whole: 0 }
      const row = { ...begun, is_in_bucket: 1, created_at: services.now() - DAY_MS - 1 }
      await services.db.insertInto('archives').values(row).execute()
      await archives.storePiece({ archiveId: id, place: 0, content: small })
      assert.ok(keys().includes(`archives/${id}/000000`))
      await purgeAfter(0)
      const left = await services.db.selectFrom('archives').select('id').where('id', '=', id).execute()
      assert.deepEqual(left, [])
      await purgeAfter(8)
      assert.deepEqual([keys(), await recorded()], [[], []])
      await assert.rejects(archives.storePiece({ archiveId: id, place: 1, content: small }), { code: 'not-found' })
      assert.deepEqual(keys(), [])
    })

    test('object store that is down: uploads and imports get 503, nothing is lost, later they work again', async () => {
      const id = await sent(small, 'through')
      await store.stop()
      const answer = await send(small, 'while down')
      assertRefusal(answer, { status: 503, code: 'unavailable' })
      assert.equal(answer.headers['retry-after'], '10')
      assert.ok(!answer.body.includes(store.origin))
      await assert.rejects(read('through'), { code: 'unavailable', message: /Try again later/ })
      const deleted = (await recorded()).filter((key) => !key.includes(id))
      assert.equal((await remove(id)).statusCode, 204, 'deleting does not need the store')
      await purgeAfter(0)
      await purgeAfter(8)
      assert.equal((await recorded()).length, deleted.length + 1, 'objects are recorded until they are removed')
      await store.start()
      await sent(small, 'through')
      assert.equal((await read('through'))['pom.xml'], 'x')
      await purgeAfter(8)
      assert.deepEqual(await recorded(), keys())
      assert.equal(keys().length, 1)
    })

    test('archive whose object is missing: reading asks to send it again', async () => {
      const id = await sent(small, 'gone')
      store.remove(`${prefix}/archives/${id}/000000`)
      await assert.rejects(read('gone'), { code: 'repository-unreadable', message: /incomplete. Send it again/ })
      await remove(id)
    })

    test('stored archives: read from where they were stored, whatever the setting is now', async () => {
      const { services, objects } = app.parts
      const inBucket = await sent(small, 'in bucket')
      const config = { ...services.config, archiveStorage: 'database' } as const
      const database = createArchiveStorage({ ...services, config }, objects)
      assert.equal(database.isInBucket, false)
      const pieces = await Array.fromAsync(database.readPieces({ id: inBucket, is_in_bucket: 1 }, undefined))
      assert.ok(Buffer.concat(pieces).equals(small))
      const without = createArchiveStorage(services, undefined)
      await assert.rejects(Array.fromAsync(without.readPieces({ id: inBucket, is_in_bucket: 1 }, undefined)), {
        code: 'unavailable',
        message: /GATEHOUSE_OBJECT_STORE/,
      })
      await remove(inBucket)
      await purgeAfter(0, { isConfigured: false })
      await purgeAfter(8, { isConfigured: false })
      assert.ok(
        (await recorded()).some((key) => key.includes(inBucket)),
        'kept until there is a store again',
      )
    })

    test('concurrent uploads of a client: pieces count as request bodies, so further uploads get 429', async () => {
      const strict = { bodiesMb: 8, bodiesPerClientMb: 1 }
      const other = await startApp(engine, { ...store.environment(randomUUID()), ...strict })
      const begun: ClientRequest[] = []
      try {
        await other.server.listen({ port: 0, host: '127.0.0.1' })
        const { port } = other.server.server.address() as AddressInfo
        const body = { data: { type: 'integration', attributes: { kind: 'archive', name: 'archives' } } }
        const { id } = (await other.call('POST', `/rest/orgs/${other.orgId}/integrations`, { body })).json().data
        const begin = (name: string) => {
          const sending = httpRequest({
            port,
            method: 'POST',
            path: `/rest/orgs/${other.orgId}/integrations/${id}/archives?version=2024-10-15&name=${name}`,
            headers: { authorization: `token ${other.adminKey}`, 'content-length': 2 * MB },
          })
          begun.push(sending)
          const status = once(sending, 'response').then(([response]) => response.resume().statusCode)
          return { sending, status }
        }
        const archive = Buffer.concat([small, Buffer.alloc(2 * MB - small.length)])
        const first = begin('first')
        first.sending.write(archive.subarray(0, MB))
        const { db } = other.parts.services
        const isStored = async () => (await db.selectFrom('stored_objects').select('key').execute()).length > 0
        for (let tries = 0; tries < 1000 && !(await isStored()); tries++) await setTimeout(10)
        const second = begin('second')
        second.sending.end(archive)
        assert.equal(await second.status, 429)
        first.sending.end(archive.subarray(MB))
        assert.equal(await first.status, 201)
        const third = begin('third')
        third.sending.end(archive)
        assert.equal(await third.status, 201)
      } finally {
        for (const sending of begun) sending.destroy()
        await other.close()
      }
    })

    test('metrics of the object store: count requests; neither log nor metrics contain the secret key', async () => {
      const { body } = await app.server.inject('/metrics')
      const text = body
        .split('\n')
        .filter((line) => line.includes('gatehouse_object'))
        .join('\n')
      assert.match(text, /gatehouse_object_requests_total\{operation="put",outcome="done"\} [1-9]/)
      assert.match(text, /gatehouse_object_requests_total\{operation="get",outcome="failed"\} [1-9]/)
      assert.match(text, /gatehouse_object_request_seconds_total\{operation="put",outcome="done"\} [\d.]+/)
      assert.match(app.log(), /object store .* does not respond/)
      for (const place of [text, app.log()]) {
        assert.ok(!place.includes(SECRET_ACCESS_KEY))
        assert.doesNotMatch(place, /Signature=/)
      }
    })
  })
})
