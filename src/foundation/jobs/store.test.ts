import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Registry } from 'prom-client'
import { onEveryEngine } from '#test/servers/engines.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { measureJobs } from './metrics.ts'
import {
  addJob,
  claimJob,
  extendLease,
  finishJob,
  type JobInput,
  type JobRow,
  makeJobsDue,
  releaseJobs,
  returnJob,
} from './store.ts'

const NOW = 1_700_000_000_000

onEveryEngine('stored jobs', (engine) => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  before(async () => {
    database = await freshDatabase(engine)
  })
  afterEach(() => database.db.deleteFrom('jobs').execute())
  after(() => database[Symbol.asyncDispose]())

  const add = (kind: string, input: Partial<JobInput> = {}) =>
    addJob(database.db, { kind, payload: {}, dueAt: NOW, ...input }, NOW)
  const rows = () => database.db.selectFrom('jobs').selectAll().orderBy('kind').execute()
  const row = async (kind: string) => (await rows()).find((job) => job.kind === kind)!
  /** Adds a job and claims it. Unlike claims of a worker, jobs may share an owner. */
  async function claimed(kind: string, owner = 'an owner', input: Partial<JobInput> = {}): Promise<JobRow> {
    await add(kind, input)
    const job = await claimJob(database, { kinds: [kind], lease: { owner, endsAt: NOW + 1000 }, now: NOW })
    assert.deepEqual([job?.state, job?.attempts, job?.lease_owner], ['running', 1, owner])
    return job!
  }

  test('a new job is stored as waiting with its input and is deleted with its organization', async () => {
    const stamps = { created_at: NOW, updated_at: NOW }
    const [group, org] = [
      { id: 'g', name: 'G', slug: 'g', ...stamps },
      { id: 'o', group_id: 'g', name: 'O', slug: 'o', ...stamps },
    ]
    await database.db.insertInto('groups').values(group).execute()
    await database.db.insertInto('orgs').values(org).execute()
    await add('a', { payload: { n: 1 }, dueAt: NOW + 5, uniqueKey: 'a key', orgId: org.id })
    const { id: _, ...stored } = await row('a')
    assert.deepEqual(stored, {
      kind: 'a',
      org_id: 'o',
      payload: '{"n":1}',
      unique_key: 'a key',
      state: 'waiting',
      due_at: NOW + 5,
      attempts: 0,
      lease_owner: null,
      lease_ends_at: null,
      last_error: null,
      ...stamps,
    })
    await add('b')
    const { org_id, unique_key } = await row('b')
    assert.deepEqual([org_id, unique_key], [null, null])
    await database.db.deleteFrom('orgs').execute()
    assert.deepEqual(
      (await rows()).map(({ kind }) => kind),
      ['b'],
    )
  })

  test('releaseJobs: running jobs wait without a lease, others stay unchanged', async () => {
    await claimed('running')
    await returnJob(database.db, await claimed('failed'), { dueAt: undefined, error: 'no luck', now: NOW })
    await add('waiting', { dueAt: NOW + 5 })
    const others = [await row('failed'), await row('waiting')]
    await releaseJobs(database.db, NOW + 7)
    const { state, lease_owner, lease_ends_at, updated_at } = await row('running')
    assert.deepEqual([state, lease_owner, lease_ends_at, updated_at], ['waiting', null, null, NOW + 7])
    assert.deepEqual([await row('failed'), await row('waiting')], others)
  })

  test('makeJobsDue: later waiting jobs of the kind become due; overdue and running ones stay unchanged', async () => {
    await add('later', { dueAt: NOW + 5000 })
    await add('other', { dueAt: NOW + 5000 })
    await makeJobsDue(database.db, 'later', NOW + 1)
    assert.deepEqual(
      (await rows()).map(({ due_at }) => due_at),
      [NOW + 1, NOW + 5000],
    )
    await makeJobsDue(database.db, 'later', NOW + 2)
    assert.equal((await row('later')).due_at, NOW + 1)
    const running = await claimed('running')
    await database.db
      .updateTable('jobs')
      .set({ due_at: NOW + 9000 })
      .where('id', '=', running.id)
      .execute()
    await makeJobsDue(database.db, 'running', NOW + 3)
    assert.equal((await row('running')).due_at, NOW + 9000)
  })

  test('extendLease: only the owner extends a lease, and only that of its job', async () => {
    const [a, b] = [await claimed('a'), await claimed('b')]
    assert.equal(await extendLease(database.db, a, NOW + 5000), true)
    assert.deepEqual(
      (await rows()).map(({ lease_ends_at }) => lease_ends_at),
      [NOW + 5000, NOW + 1000],
    )
    assert.equal(await extendLease(database.db, { ...b, lease_owner: 'another' }, NOW + 5000), false)
    await database.db.updateTable('jobs').set({ state: 'failed' }).where('id', '=', b.id).execute()
    assert.equal(await extendLease(database.db, b, NOW + 5000), false)
    assert.equal((await row('b')).lease_ends_at, NOW + 1000)
  })

  test('finishJob: only the owner deletes a finished job, and no other job', async () => {
    const [a, b] = [await claimed('a'), await claimed('b')]
    await finishJob(database.db, { ...a, lease_owner: 'another' }, { now: NOW })
    assert.deepEqual(await rows(), [a, b])
    await finishJob(database.db, a, { now: NOW })
    assert.deepEqual(await rows(), [b])
  })

  test('finishJob: a repeating job waits like a new one; only its owner resets it, and no other job', async () => {
    const [a, b] = [await claimed('a', 'an owner', { uniqueKey: 'a' }), await claimed('b')]
    await database.db.updateTable('jobs').set({ last_error: 'no luck' }).where('id', '=', a.id).execute()
    await finishJob(database.db, { ...a, lease_owner: 'another' }, { nextDueAt: NOW + 60, now: NOW + 6 })
    assert.equal((await row('a')).state, 'running')
    await finishJob(database.db, a, { nextDueAt: NOW + 60, now: NOW + 6 })
    assert.deepEqual(await rows(), [
      {
        ...a,
        state: 'waiting',
        due_at: NOW + 60,
        attempts: 0,
        lease_owner: null,
        lease_ends_at: null,
        last_error: null,
        updated_at: NOW + 6,
      },
      b,
    ])
  })

  test('returnJob: only the owner returns a job, which keeps its key, and no other job', async () => {
    const [a, b] = [await claimed('a', 'an owner', { uniqueKey: 'a' }), await claimed('b')]
    const again = { dueAt: NOW + 60, error: 'no luck', now: NOW + 6 }
    await returnJob(database.db, { ...a, lease_owner: 'another' }, again)
    assert.equal((await row('a')).state, 'running')
    await returnJob(database.db, a, again)
    const returned = { lease_owner: null, lease_ends_at: null, last_error: 'no luck', updated_at: NOW + 6 }
    assert.deepEqual(await rows(), [{ ...a, ...returned, state: 'waiting', due_at: NOW + 60 }, b])
    assert.equal(await add('a', { uniqueKey: 'a' }), false)
  })

  test('returnJob: a job that failed permanently keeps its due time, and its key is free', async () => {
    const job = await claimed('a', 'an owner', { uniqueKey: 'a', dueAt: NOW - 10 })
    await returnJob(database.db, job, { dueAt: undefined, error: 'no luck', now: NOW + 6 })
    const { state, unique_key, due_at, last_error } = await row('a')
    assert.deepEqual([state, unique_key, due_at, last_error], ['failed', null, NOW - 10, 'no luck'])
    assert.equal(await add('a', { uniqueKey: 'a' }), true)
  })

  test('metrics: jobs by kind and state, without deleted ones', async () => {
    const registry = new Registry()
    measureJobs(registry, database.db)
    for (const kind of ['a', 'a', 'b']) await add(kind)
    await claimed('c')
    const lines = async () =>
      (await registry.metrics()).split('\n').filter((line) => line.startsWith('gatehouse_jobs{'))
    assert.deepEqual((await lines()).sort(), [
      'gatehouse_jobs{kind="a",state="waiting"} 2',
      'gatehouse_jobs{kind="b",state="waiting"} 1',
      'gatehouse_jobs{kind="c",state="running"} 1',
    ])
    await database.db.deleteFrom('jobs').where('kind', '!=', 'b').execute()
    assert.deepEqual(await lines(), ['gatehouse_jobs{kind="b",state="waiting"} 1'])
  })
})
