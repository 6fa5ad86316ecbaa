import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { readAll } from '#test/repositories/git-reader.ts'
import { toTar, toTarGz } from '#test/repositories/tar.ts'
import { toZip } from '#test/repositories/zip.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { completeArchive, insertArchive, insertPiece } from './archives-store.ts'
import { MAX_ARCHIVES, MAX_ARCHIVES_OF_ORG } from './receive-archive.ts'
import { getIntegration } from './store.ts'

const MB = 1024 * 1024

onAnyEngine('archives', (engine) => {
  let app: TestApp
  let integrationId: string
  before(async () => {
    app = await startApp(engine, {
      GATEHOUSE_ARCHIVE_MB: '4',
      archivesMb: 12,
      GATEHOUSE_IMPORT_DISK_MB: '16',
    })
    integrationId = await addIntegration('archive')
    await app.server.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => app.close())

  const path = (id = integrationId, orgId = app.orgId) => `/rest/orgs/${orgId}/integrations/${id}/archives`

  async function addIntegration(kind: string, orgId = app.orgId): Promise<string> {
    const body = { data: { type: 'integration', attributes: { kind, name: randomUUID() } } }
    const answer = await app.call('POST', `/rest/orgs/${orgId}/integrations`, { body })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().data.id
  }

  function send(bytes: Buffer, name: string, headers: Record<string, string> = {}, to = path()) {
    return app.server.inject({
      method: 'POST',
      url: `${to}?${new URLSearchParams({ version: '2024-10-15', name })}`,
      headers: { authorization: `token ${app.adminKey}`, 'content-type': 'application/octet-stream', ...headers },
      payload: bytes,
    })
  }

  async function open(target: object, revision?: string) {
    const integration = await getIntegration(app.parts.services.db, app.orgId, integrationId)
    return app.parts.sources.open(integration, target, { revision })
  }

  const pieces = async () =>
    (await app.parts.services.db.selectFrom('archive_pieces').select('archive_id').execute()).length
  /** Waits until unneeded pieces are deleted, which happens after the response. */
  async function untilPieces(expected: number): Promise<void> {
    for (let tries = 0; tries < 6000 && (await pieces()) !== expected; tries++) await setTimeout(10)
    assert.equal(await pieces(), expected)
  }
  const list = async () => (await app.call('GET', `${path()}?limit=100`)).json().data as { id: string }[]

  test('an archive: sent, listed, read like a repository, deleted and audited', async () => {
    const bytes = toTarGz({ 'x/pom.xml': '<project/>', 'x/a/package.json': '{}' })
    const sent = await send(bytes, ' our code ')
    assert.equal(sent.statusCode, 201, sent.body)
    const { data } = sent.json()
    const { created_at, ...attributes } = data.attributes
    const digest = createHash('sha256').update(bytes).digest('hex')
    assert.deepEqual(attributes, { name: 'our code', size_bytes: bytes.length, digest })
    assert.ok(String(sent.headers['location']).endsWith(`${path()}/${data.id}`))
    assert.deepEqual(await list(), [data])

    for (const target of [{ id: data.id.toUpperCase() }, { name: 'our code' }, { id: data.id, name: 'our code' }]) {
      const { resolved, source } = await open(target)
      assert.deepEqual(resolved, {
        origin: 'archive',
        sourceKey: `archive ${integrationId} our code`,
        displayName: 'our code',
        url: null,
        isPrivate: true,
        reference: null,
        revision: digest,
      })
      assert.deepEqual(await readAll(source), { 'a/package.json': '{}', 'pom.xml': '<project/>' })
      await source.close()
    }
    assert.deepEqual(readdirSync(join(app.parts.services.config.dataDir, 'reading')), [])

    assert.equal((await app.call('DELETE', `${path()}/${data.id}`)).statusCode, 204)
    assert.deepEqual([await list(), await pieces()], [[], 0])
    assertRefusal(await app.call('DELETE', `${path()}/${data.id}`), { status: 404, code: 'not-found' })
    await assert.rejects(open({ name: 'our code' }), { code: 'repository-unreadable', message: /Send it again/ })
    const { data: events } = (await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`)).json()
    assert.deepEqual(
      events.slice(0, 2).map(({ attributes: { action } }: { attributes: { action: string } }) => action),
      ['integration_archive.delete', 'integration_archive.create'],
    )
  })

  test('an archive name: means the newest upload; the one before stays readable, older ones are deleted', async () => {
    const ids: string[] = []
    const digests: string[] = []
    for (const content of ['first', 'second', 'third']) {
      const { data } = (await send(toTar([{ name: 'pom.xml', content }]), 'versions')).json()
      ids.push(data.id)
      digests.push(data.attributes.digest)
    }
    const read = async (target: object, revision?: string) => {
      const { source } = await open(target, revision)
      const contents = await readAll(source)
      await source.close()
      return contents['pom.xml']
    }
    assert.equal(await read({ name: 'versions' }), 'third')
    assert.equal(await read({ name: 'versions' }, digests[1]), 'second')
    assert.equal(await read({ id: ids[1] }), 'second')
    await assert.rejects(read({ name: 'versions' }, digests[0]), { code: 'repository-unreadable' })
    await assert.rejects(read({ id: ids[0] }), { code: 'repository-unreadable' })
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      ids.slice(1),
    )
  })

  test('a large archive: stored in pieces; too large or unreadable uploads leave no pieces', async () => {
    const before = await pieces()
    const noise = randomBytes(3 * MB)
    const large = toTar([
      { name: 'noise', content: noise },
      { name: 'pom.xml', content: 'x' },
    ])
    const sent = await send(large, 'large')
    assert.equal(sent.statusCode, 201, sent.body)
    assert.ok((await pieces()) - before >= 3)
    const { source } = await open({ name: 'large' })
    const { entries } = await source.list((path) => path === 'noise')
    const [read] = await Array.fromAsync(source.readFiles(entries))
    assert.ok(read?.content?.equals(noise))
    await source.close()
    await app.call('DELETE', `${path()}/${sent.json().data.id}`)

    const refusals: [why: string, bytes: Buffer, status: number, code: string][] = [
      ['too large', Buffer.concat([large, Buffer.alloc(MB)]), 413, 'too-large'],
      ['a text', Buffer.from('words'), 422, 'unprocessable'],
      ['a large text', Buffer.alloc(2 * MB, 'words'), 422, 'unprocessable'],
      ['nothing', Buffer.alloc(0), 422, 'unprocessable'],
    ]
    for (const [why, bytes, status, code] of refusals) {
      const answer = await send(bytes, 'refused')
      assert.equal(answer.statusCode, status, `${why}: ${answer.body}`)
      assertRefusal(answer, { status, code })
    }
    assert.equal(await pieces(), before)
  })

  test('an upload over the limit: refused early (413), with and without a declared length', async () => {
    const { port } = app.server.server.address() as AddressInfo
    for (const announced of [true, false]) {
      const sending = httpRequest({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `${path()}?version=2024-10-15&name=x`,
        headers: {
          authorization: `token ${app.adminKey}`,
          'content-type': 'application/gzip',
          ...(announced && { 'content-length': String(100 * MB) }),
        },
      })
      sending.on('error', () => {})
      const answered = once(sending, 'response')
      const piece = gzipSync(randomBytes(MB), { level: 0 })
      for (let count = 0; count < (announced ? 1 : 6); count++) sending.write(piece)
      const [response] = await answered
      assert.equal(response.statusCode, 413)
      sending.destroy()
    }
    const names = (await list()).map(
      (resource) => (resource as unknown as { attributes: { name: string } }).attributes.name,
    )
    assert.ok(!names.includes('x'))
  })

  test('an upload whose integration is deleted meanwhile: gets 404 and leaves no pieces', async () => {
    const own = await addIntegration('archive')
    const before = await pieces()
    const { port } = app.server.server.address() as AddressInfo
    const sending = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `${path(own)}?version=2024-10-15&name=x`,
      headers: { authorization: `token ${app.adminKey}`, 'content-type': 'application/gzip' },
    })
    const answered = once(sending, 'response')
    const piece = gzipSync(randomBytes(MB), { level: 0 })
    sending.write(piece)
    while ((await pieces()) === before) await setTimeout(10)
    assert.equal((await app.call('DELETE', `/rest/orgs/${app.orgId}/integrations/${own}`)).statusCode, 204)
    sending.end(piece)
    const [response] = await answered
    assert.equal(response.statusCode, 404)
    response.resume()
    assert.equal(await pieces(), before)
  })

  test('an interrupted upload: not listed, and deleted with the next upload after a day', async () => {
    const { db, now } = app.parts.services
    const before = await pieces()
    for (const age of [1, 25]) {
      const id = randomUUID()
      await insertArchive(db, {
        id,
        integrationId,
        name: 'broken',
        mostBytes: 1,
        isInBucket: false,
        at: now() - age * 3_600_000,
      })
      await insertPiece(db, { archiveId: id, place: 0, content: Buffer.from('half') })
    }
    const seen = await list()
    await assert.rejects(open({ name: 'broken' }), { code: 'repository-unreadable' })
    const { data } = (await send(toZip([{ name: 'pom.xml', content: 'x' }]), 'zip')).json()
    assert.equal((await list()).length, seen.length + 1)
    assert.equal(await pieces(), before + 2)
    await app.call('DELETE', `${path()}/${data.id}`)
  })

  test('a stored archive with a wrong digest: refused when it is read', async () => {
    const { db, now } = app.parts.services
    const id = randomUUID()
    await insertArchive(db, { id, integrationId, name: 'forged', mostBytes: 1, isInBucket: false, at: now() })
    await insertPiece(db, { archiveId: id, place: 0, content: toTar([{ name: 'pom.xml', content: 'x' }]) })
    await completeArchive(db, id, { sizeBytes: 1, digest: '0'.repeat(64), at: now() })
    await assert.rejects(open({ id }), { code: 'repository-unreadable' })
    await app.call('DELETE', `${path()}/${id}`)
  })

  test('an upload repeated with its Idempotency-Key: stored once and replayed; another body gets 409', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const bytes = toTarGz({ 'pom.xml': 'once' })
    const first = await send(bytes, 'once', headers)
    assert.equal(first.statusCode, 201, first.body)
    const before = await pieces()
    const again = await send(bytes, 'once', headers)
    assert.deepEqual([again.statusCode, again.body, again.headers['idempotency-replayed']], [201, first.body, 'true'])
    await untilPieces(before)
    const other = await send(toTarGz({ 'pom.xml': 'other' }), 'once', headers)
    assertRefusal(other, { status: 409, code: 'idempotency-key-reused' })
    await untilPieces(before)
  })

  test('archives: accepted by archive integrations only (422), and deleted with them', async () => {
    const git = await addIntegration('git')
    assertRefusal(await send(toTar([]), 'x', {}, path(git)), { status: 422, code: 'unprocessable' })
    const own = await addIntegration('archive')
    const before = await pieces()
    assert.equal((await send(toTar([]), 'x', {}, path(own))).statusCode, 201)
    assert.equal((await app.call('DELETE', `/rest/orgs/${app.orgId}/integrations/${own}`)).statusCode, 204)
    assert.equal(await pieces(), before)
    assertRefusal(await send(toTar([]), 'x', {}, path(own)), { status: 404, code: 'not-found' })
    assertRefusal(await send(toTar([]), 'x', {}, path(integrationId, await app.addOrg())), {
      status: 404,
      code: 'not-found',
    })
    assertRefusal(await send(toTar([]), '\n'), { status: 400, code: 'invalid-request' })
    assertRefusal(await send(toTar([]), 'x', { 'content-encoding': 'br' }), {
      status: 415,
      code: 'unsupported-media-type',
    })
    const coded = await send(gzipSync(toTar([])), 'coded', { 'content-encoding': 'gzip', 'content-type': 'text/plain' })
    assert.equal(coded.statusCode, 201, coded.body)
    assert.equal(coded.json().data.attributes.size_bytes, 1024)
  })

  const needs = { permission: 'org.edit', in: 'org' } as const
  const since = '2024-10-15'
  testRefusals(() => app, 'listing archives', { method: 'GET', path: () => path(), needs, since, isList: true })
  testRefusals(() => app, 'deleting an archive', {
    method: 'DELETE',
    path: () => `${path()}/${randomUUID()}`,
    needs,
    since,
  })
  testRefusals(() => app, 'sending an archive', { method: 'POST', path: () => `${path()}?name=x`, needs, since })

  describe('limits on archives', () => {
    const small = toTar([{ name: 'pom.xml', content: 'x' }])
    let orgId: string
    let own: string
    beforeEach(async () => {
      orgId = await app.addOrg()
      own = await addIntegration('archive', orgId)
    })
    const sendTo = (name: string, { bytes = small, headers = {}, id = own } = {}) =>
      send(bytes, name, headers, path(id, orgId))
    /** Inserts rows as they are during uploads, or after them. */
    async function fill(count: number, { id = own, isWhole = true, mostBytes = 1 } = {}): Promise<void> {
      const { db, now } = app.parts.services
      for (let at = 0; at < count; at++) {
        const archive = { id: randomUUID(), integrationId: id, name: `${at}`, mostBytes, isInBucket: false, at: now() }
        await insertArchive(db, archive)
        if (isWhole) await completeArchive(db, archive.id, { sizeBytes: mostBytes, digest: 'x', at: now() })
      }
    }
    const statuses = async (answers: readonly ReturnType<typeof send>[]) =>
      (await Promise.all(answers)).map(({ statusCode }) => statusCode).sort()

    test('limit of archives per integration: holds for concurrent uploads (409)', async () => {
      await fill(MAX_ARCHIVES - 2)
      const answers = ['a', 'b', 'c', 'd', 'e'].map((name) => sendTo(name))
      assert.deepEqual(await statuses(answers), [201, 201, 409, 409, 409])
      assertRefusal(await sendTo('f'), { status: 409, code: 'conflict' })
      assert.equal((await sendTo('g', { id: await addIntegration('archive', orgId) })).statusCode, 201)
    })

    test('limit of archives per organization: holds for concurrent uploads to several integrations (409)', async () => {
      const others = await Promise.all([1, 2, 3, 4, 5].map(() => addIntegration('archive', orgId)))
      for (const [at, id] of others.entries()) await fill(MAX_ARCHIVES - (at === 0 ? 1 : 0), { id })
      assert.equal(others.length * MAX_ARCHIVES, MAX_ARCHIVES_OF_ORG)
      assert.deepEqual(await statuses(['a', 'b', 'c'].map((name) => sendTo(name))), [201, 409, 409])
      assert.match((await sendTo('d')).json().errors[0].detail, /An organization keeps at most 500 archives/)
    })

    test('limit of archive bytes per organization: reserved before the bytes arrive (409)', async () => {
      const bytes = toTar([{ name: 'noise', content: randomBytes(3 * MB) }])
      const other = await addIntegration('archive', orgId)
      const answers = [own, other, own, other, own].map((id, at) => sendTo(`${at}`, { id, bytes }))
      assert.deepEqual(await statuses(answers), [201, 201, 201, 409, 409])
      assert.match((await sendTo('x', { bytes })).json().errors[0].detail, /at most 12582912 bytes in total/)
      assert.equal((await sendTo('small')).statusCode, 201)
    })

    test('an unfinished upload: counts toward the limit until it is removed', async () => {
      await fill(MAX_ARCHIVES, { isWhole: false })
      assertRefusal(await sendTo('a'), { status: 409, code: 'conflict' })
      const { db, now } = app.parts.services
      await db
        .updateTable('archives')
        .set({ created_at: now() - 25 * 3_600_000 })
        .where('integration_id', '=', own)
        .execute()
      assert.equal((await sendTo('a')).statusCode, 201)
    })

    test('the last allowed upload: replayed by its Idempotency-Key although the limit is reached', async () => {
      await fill(MAX_ARCHIVES - 1)
      const headers = { 'idempotency-key': randomUUID() }
      const first = await sendTo('last', { headers })
      assert.equal(first.statusCode, 201, first.body)
      const again = await sendTo('last', { headers })
      assert.deepEqual([again.statusCode, again.body], [201, first.body])
      assert.equal(again.headers['idempotency-replayed'], 'true')
      assertRefusal(await sendTo('last', { headers: { 'idempotency-key': randomUUID() } }), {
        status: 409,
        code: 'conflict',
      })
      const other = { headers, bytes: toTar([{ name: 'pom.xml', content: 'y' }]) }
      assertRefusal(await sendTo('last', other), { status: 409, code: 'idempotency-key-reused' })
    })
  })
})
