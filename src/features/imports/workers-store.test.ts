import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onPostgres } from '#test/servers/engines.ts'
import { insertManifests, type ManifestRow } from './manifests-store.ts'
import { insertImport } from './store.ts'
import {
  addWorker,
  claimManifests,
  extendWorker,
  findImportToShare,
  hasForeignManifests,
  type ImportWorker,
  LEAST_SHARED,
  removeWorker,
} from './workers-store.ts'

const NOW = 1_000_000
const LEASE_ENDS_AT = NOW + 20_000

onPostgres('workers that share an import', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const db = () => app.parts.services.db

  async function addImport(orgId: string, manifests: number): Promise<string> {
    const [id, integrationId] = [randomUUID(), randomUUID()]
    const plain = { base_url: null, settings: '{}', credentials: null, created_at: 1, updated_at: 1 }
    await db()
      .insertInto('integrations')
      .values({ id: integrationId, org_id: orgId, kind: 'git', name: id, ...plain })
      .execute()
    await insertImport(db(), {
      id,
      org_id: orgId,
      integration_id: integrationId,
      name: 'name',
      target: '{}',
      cause: 'request',
      state: 'pending',
      requested_by_name: 'somebody',
      is_truncated: 0,
      created_at: NOW,
      started_at: NOW,
      listed_at: NOW,
    })
    const rows = Array.from({ length: manifests }, (_, n) => ({ path: `p${n}/package.json`, type: 'npm' }))
    await insertManifests(db(), id, { manifests: rows, at: NOW })
    return id
  }

  async function addWorkerOf(importId: string, processId: string = randomUUID()): Promise<ImportWorker> {
    const worker = { id: randomUUID(), importId, processId }
    await addWorker(db(), worker, LEASE_ENDS_AT)
    return worker
  }

  const claim = (worker: ImportWorker, now = NOW) => claimManifests(db(), worker, { most: 100, now })
  const pathsOf = (rows: readonly ManifestRow[]) => rows.map(({ path }) => path)
  const find = (except: string[] = [], { processId = 'here', now = NOW } = {}) =>
    findImportToShare(db(), { processId, except, now }).then((row) => row?.id)

  test('simultaneous claims: take disjoint manifests, a quarter of the free ones at a time', async () => {
    const importId = await addImport(app.orgId, 100)
    const workers = await Promise.all([addWorkerOf(importId), addWorkerOf(importId), addWorkerOf(importId)])
    const claimed = (await Promise.all(workers.map((worker) => claim(worker)))).flat()
    const more = (await Promise.all(workers.map((worker) => claim(worker)))).flat()
    const all = pathsOf([...claimed, ...more])
    assert.equal(new Set(all).size, all.length)
    assert.ok(all.length < 100)
    for (const rows of [claimed, more]) assert.ok(rows.length >= 8)
  })

  test('claims of a worker: become free when its lease expires, or at once when it is removed', async () => {
    const importId = await addImport(app.orgId, 3)
    const [first, second] = [await addWorkerOf(importId), await addWorkerOf(importId)]
    const paths = ['p0/package.json', 'p1/package.json', 'p2/package.json']
    assert.deepEqual(pathsOf(await claim(first)), paths)
    assert.equal(await hasForeignManifests(db(), first), false)
    assert.equal(await hasForeignManifests(db(), second), true)
    assert.deepEqual(await claim(second), [])
    await extendWorker(db(), second.id, LEASE_ENDS_AT + 1)
    assert.deepEqual(pathsOf(await claim(second, LEASE_ENDS_AT)), paths)
    await removeWorker(db(), second.id)
    assert.deepEqual(pathsOf(await claim(first)), paths)
  })

  test('findImportToShare: prefers the organization with the fewest workers and enough free manifests', async () => {
    const [busyOrg, calmOrg] = [await app.addOrg(), await app.addOrg()]
    const busy = await addImport(busyOrg, LEAST_SHARED)
    const busier = await addImport(busyOrg, LEAST_SHARED)
    for (const importId of [busy, busier, busier]) await addWorkerOf(importId)
    assert.equal(
      await find([], { now: LEASE_ENDS_AT }),
      undefined,
      'without a live worker its lead is to be resumed first',
    )
    assert.equal(await find(), busy)
    const calm = await addImport(calmOrg, LEAST_SHARED)
    await addWorkerOf(calm, 'there')
    assert.equal(await find(), calm)
    assert.equal(await find([calm]), busy)
    assert.equal(await find([], { processId: 'there' }), busy, 'a process does not help itself')
    await claim(await addWorkerOf(calm))
    assert.equal(await find(), busy, 'too few are left')
  })
})
