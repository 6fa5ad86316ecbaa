import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import type { Db } from '#foundation/db/database.ts'
import { ORG, rowsIn } from '#test/access/stored-rows.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type FreshDatabase, freshDatabase } from '#test/servers/fresh-database.ts'
import { defineJob, type JobKind } from './job.ts'
import { createJobNotifier } from './job-notifier.ts'
import { addJob, claimJob } from './store.ts'
import { scheduleRepeating, startWorker } from './worker.ts'

const settings = { concurrency: 4, pollMs: 10, leaseMs: 30_000 }
/** Short leases that expire during a test, but not because of a slow machine. */
const brief = { ...settings, leaseMs: 3000 }

onEveryEngine('background jobs', (engine) => {
  let database: FreshDatabase
  let add: ReturnType<typeof rowsIn>
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  before(async () => {
    database = await freshDatabase(engine)
    add = rowsIn(database.db)
    await add.place()
  })
  after(() => database[Symbol.asyncDispose]())

  const now = () => Date.now()
  const services = () => ({ database, db: database.db, log, now })
  const rows = (kind: string) => services().db.selectFrom('jobs').selectAll().where('kind', '=', kind).execute()
  async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
    for (let tries = 0; tries < 6000; tries++) {
      if (await holds()) return
      await sleep(10)
    }
    assert.fail('did not happen within a minute')
  }

  test('every job runs once, whatever the number of workers', async () => {
    const ran: number[] = []
    const kind = defineJob<{ n: number }>({ name: 'count', maxAttempts: 1, run: async ({ n }) => void ran.push(n) })
    for (let n = 0; n < 60; n++) await addJob(services().db, { kind: 'count', payload: { n }, dueAt: now() }, now())
    const workers = [1, 2, 3].map(() => startWorker(services(), [kind], settings))
    await until(async () => (await rows('count')).length === 0)
    await Promise.all(workers.map((worker) => worker.close()))
    assert.deepEqual(
      ran.sort((a, b) => a - b),
      Array.from({ length: 60 }, (_, n) => n),
    )
  })

  test('a failing job is retried and then kept as failed, with its error', async () => {
    let tries = 0
    const kind: JobKind = defineJob({
      name: 'fail',
      maxAttempts: 2,
      run: async () => {
        tries++
        throw new Error('no luck')
      },
    })
    await addJob(services().db, { kind: 'fail', payload: {}, dueAt: now() }, now())
    let later = 0
    const worker = startWorker({ ...services(), now: () => Date.now() + later }, [kind], settings)
    await until(async () => (await rows('fail'))[0]?.last_error === 'no luck')
    later = 10_000
    await until(async () => (await rows('fail'))[0]?.state === 'failed')
    await worker.close()
    assert.equal(tries, 2)
    assert.equal((await rows('fail'))[0]?.last_error, 'no luck')
  })

  test('a failing job: the backoff doubles with each attempt, up to an hour', async () => {
    const time = now()
    const kind = defineJob({ name: 'back off', maxAttempts: 99, run: () => Promise.reject(new Error('no luck')) })
    await addJob(services().db, { kind: 'back off', payload: {}, dueAt: time }, time)
    const waits: number[] = []
    for (const attempts of [0, 1, 10, 11, 30]) {
      await services().db.updateTable('jobs').set({ attempts, due_at: time }).where('kind', '=', 'back off').execute()
      const worker = startWorker({ ...services(), now: () => time }, [kind], settings)
      await until(async () => (await rows('back off'))[0]!.due_at > time)
      await worker.close()
      waits.push((await rows('back off'))[0]!.due_at - time)
    }
    assert.deepEqual(waits, [2000, 4000, 2_048_000, 3_600_000, 3_600_000])
    await services().db.deleteFrom('jobs').where('kind', '=', 'back off').execute()
  })

  test('a job of a dead process is resumed when its lease expires', async () => {
    await addJob(services().db, { kind: 'orphan', payload: {}, dueAt: now() }, now())
    const lease = { owner: 'a dead process', endsAt: now() + 100 }
    assert.ok(await claimJob(services().database, { kinds: ['orphan'], lease, now: now() }))
    let ran = 0
    const kind = defineJob({ name: 'orphan', maxAttempts: 5, run: async () => void ran++ })
    const worker = startWorker(services(), [kind], settings)
    await until(() => ran === 1)
    await worker.close()
    assert.deepEqual(await rows('orphan'), [])
  })

  test('a stalled process that claims its own job again ends the first run and returns nothing', async () => {
    const ends: string[] = []
    let go = () => {}
    const ready = new Promise<void>((resolve) => {
      go = resolve
    })
    const kind = defineJob({
      name: 'still',
      maxAttempts: 9,
      async run(_payload, { signal, attempt }) {
        if (attempt === 1) await new Promise((done) => signal.addEventListener('abort', done))
        else await ready
        ends.push(`${attempt} ${signal.aborted}`)
        signal.throwIfAborted()
      },
    })
    await addJob(services().db, { kind: 'still', payload: {}, dueAt: now() }, now())
    let later = 0
    const worker = startWorker({ ...services(), now: () => Date.now() + later }, [kind], brief)
    await until(() => worker.running === 1)
    later = 60_000
    await until(() => ends.length === 1)
    assert.deepEqual(
      (await rows('still')).map(({ state, attempts }) => [state, attempts]),
      [['running', 2]],
    )
    go()
    await until(async () => (await rows('still')).length === 0)
    await worker.close()
    assert.deepEqual(ends, ['1 true', '2 false'])
  })

  test('a long job keeps its lease', async () => {
    let running = 0
    let most = 0
    const kind = defineJob({
      name: 'long',
      maxAttempts: 1,
      run: async () => {
        most = Math.max(most, ++running)
        const firstEnd = (await rows('long'))[0]!.lease_ends_at!
        await until(async () => (await rows('long'))[0]!.lease_ends_at! > firstEnd + brief.leaseMs)
        running--
      },
    })
    await addJob(services().db, { kind: 'long', payload: {}, dueAt: now() }, now())
    const workers = [1, 2].map(() => startWorker(services(), [kind], brief))
    await until(async () => (await rows('long')).length === 0)
    await Promise.all(workers.map((worker) => worker.close()))
    assert.equal(most, 1)
  })

  test('organizations take turns, and none exceeds its limit of running jobs', async () => {
    const [{ id: many }, { id: few }] = [await add.org(), await add.org()]
    const order: string[] = []
    const open = new Map<string, number>()
    let most = 0
    let isFull = false
    const kind = defineJob<{ org: string }>({
      name: 'fair',
      maxAttempts: 1,
      fair: { perProcess: 3, perOrg: 2 },
      run: async ({ org }) => {
        order.push(org)
        open.set(org, (open.get(org) ?? 0) + 1)
        most = Math.max(most, ...open.values())
        // No job ends before the maximum number runs.
        isFull ||= order.length === 3
        await until(() => isFull)
        await sleep(20)
        open.set(org, open.get(org)! - 1)
      },
    })
    const addFor = (org: string, dueAt: number) =>
      addJob(services().db, { kind: 'fair', payload: { org }, dueAt, orgId: org }, now())
    for (let n = 0; n < 8; n++) await addFor(many, 1000 + n)
    for (let n = 0; n < 2; n++) await addFor(few, 2000 + n)
    const worker = startWorker(services(), [kind], settings)
    await until(async () => (await rows('fair')).length === 0)
    await worker.close()
    assert.equal(most, 2)
    assert.deepEqual(order.slice(0, 2).sort(), [many, few].sort(), 'the second one waits for none of the first')
    assert.ok(order.lastIndexOf(few) < 7, order.join())
  })

  test('a kind with its own slots leaves the shared slots to others', async () => {
    let stop = () => {}
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    const long = defineJob({ name: 'slow', maxAttempts: 1, fair: { perProcess: 1, perOrg: 9 }, run: () => stopped })
    let ran = 0
    const short = defineJob({ name: 'quick', maxAttempts: 1, run: async () => void ran++ })
    for (let n = 0; n < 3; n++) {
      await addJob(services().db, { kind: 'slow', payload: {}, dueAt: now(), orgId: ORG }, now())
      await addJob(services().db, { kind: 'quick', payload: {}, dueAt: now() }, now())
    }
    const worker = startWorker(services(), [long, short], { ...settings, concurrency: 1 })
    await until(() => ran === 3 && worker.running === 1)
    stop()
    await until(async () => (await rows('slow')).length === 0)
    await addJob(services().db, { kind: 'quick', payload: {}, dueAt: now() }, now())
    await until(() => ran === 4)
    await worker.close()
  })

  test('a second job with the same key is not added, and a job is deleted with its organization', async () => {
    const { id: orgId } = await add.org()
    const job = { kind: 'keyed', payload: {}, dueAt: now(), uniqueKey: 'one', orgId }
    assert.equal(await addJob(services().db, job, now()), true)
    assert.equal(await addJob(services().db, job, now()), false)
    await services().db.deleteFrom('orgs').where('id', '=', orgId).execute()
    assert.deepEqual(await rows('keyed'), [])
  })

  test('a job interrupted by a stop waits for the next process', async () => {
    const kind = defineJob({
      name: 'interrupted',
      maxAttempts: 1,
      run: (_payload, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    })
    await addJob(services().db, { kind: 'interrupted', payload: {}, dueAt: now() }, now())
    const worker = startWorker(services(), [kind], settings)
    await until(() => worker.running === 1)
    await worker.close()
    assert.equal((await rows('interrupted'))[0]?.state, 'waiting')
  })

  test('a worker that is closed while it looks for jobs leaves none running', async () => {
    let open = true
    const kind = defineJob({ name: 'late', maxAttempts: 1, run: async () => assert.ok(open, 'run after the end') })
    for (let round = 0; round < 20; round++) {
      await addJob(services().db, { kind: 'late', payload: {}, dueAt: now() }, now())
      open = true
      const worker = startWorker(services(), [kind], settings)
      for (let turn = 0; turn < round % 4; turn++) await nextTurn()
      await worker.close()
      open = false
      const left = await rows('late')
      assert.deepEqual(
        left.filter(({ state }) => state !== 'waiting'),
        [],
      )
    }
  })

  test('a repeating kind waits exactly once, and again after its run', async () => {
    let ran = 0
    const kind = defineJob({ name: 'repeat', maxAttempts: 1, everyMinutes: 10, run: async () => void ran++ })
    await Promise.all([scheduleRepeating(services(), [kind]), scheduleRepeating(services(), [kind])])
    assert.equal((await rows('repeat')).length, 1)
    const worker = startWorker(services(), [kind], settings)
    await until(async () => ran === 1 && (await rows('repeat'))[0]?.state === 'waiting')
    await worker.close()
    assert.ok((await rows('repeat'))[0]!.due_at > now() + 500_000)
  })

  test('a repeating kind runs again one interval after its end; other kinds are not scheduled', async () => {
    const time = now()
    const still = { ...services(), now: () => time }
    const once = defineJob({ name: 'once', maxAttempts: 1, run: async () => {} })
    const hourly = defineJob({ name: 'hourly', maxAttempts: 1, everyMinutes: 60, run: async () => {} })
    await scheduleRepeating(still, [once, hourly])
    assert.deepEqual(await rows('once'), [])
    assert.equal((await rows('hourly'))[0]!.due_at, time)
    const worker = startWorker(still, [hourly], settings)
    await until(async () => (await rows('hourly'))[0]!.due_at !== time)
    await worker.close()
    assert.equal((await rows('hourly'))[0]!.due_at, time + 3_600_000)
  })

  test('a failing repeating kind is retried, however often it failed', async () => {
    const kind = defineJob({
      name: 'stubborn',
      maxAttempts: 1,
      everyMinutes: 60,
      run: () => Promise.reject('no error object'),
    })
    await scheduleRepeating(services(), [kind])
    await services().db.updateTable('jobs').set({ attempts: 7 }).where('kind', '=', 'stubborn').execute()
    const worker = startWorker(services(), [kind], settings)
    await until(async () => (await rows('stubborn'))[0]!.last_error !== null)
    await worker.close()
    const [{ state, last_error, attempts }] = (await rows('stubborn')) as [Awaited<ReturnType<typeof rows>>[number]]
    assert.deepEqual([state, last_error, attempts], ['waiting', 'no error object', 8])
  })

  test('running jobs never exceed the slots, and the end of one starts the next without a poll', async () => {
    const ends: (() => void)[] = []
    const run = () => new Promise<void>((end) => void ends.push(end))
    const shared = defineJob({ name: 'shared', maxAttempts: 1, run })
    const fair = defineJob({ name: 'own', maxAttempts: 1, fair: { perProcess: 2, perOrg: 9 }, run })
    for (const kind of ['shared', 'own']) {
      for (let n = 0; n < 4; n++) {
        await addJob(services().db, { kind, payload: {}, dueAt: now(), orgId: ORG }, now())
      }
    }
    const worker = startWorker(services(), [shared, fair], { ...settings, concurrency: 2, pollMs: 3_600_000 })
    for (let ended = 0; ended < 8; ended++) {
      await until(() => ends.length === Math.min(8, ended + 4))
      assert.ok(worker.running <= 4)
      ends[ended]!()
    }
    await until(async () => (await rows('shared')).length + (await rows('own')).length === 0)
    await worker.close()
  })

  test('a new job starts immediately in the notified process', async () => {
    const notifier = createJobNotifier()
    let ran = 0
    const kind = defineJob({ name: 'notified', maxAttempts: 1, run: async () => void ran++ })
    const worker = startWorker(services(), [kind], { ...settings, pollMs: 3_600_000 })
    notifier.onNotify(worker.wake)
    notifier.notifyWorkers()
    await nextTurn()
    await addJob(services().db, { kind: 'notified', payload: {}, dueAt: now() }, now())
    notifier.notifyWorkers()
    await until(() => ran === 1)
    await worker.close()
  })

  /** Counts how often a worker reads its clock, which it does whenever it looks for jobs. */
  function clock() {
    const counted = { reads: 0, now: () => (counted.reads++, Date.now()) }
    return counted
  }
  /** Waits for its own writes, before which pending claims end. */
  async function settle(db = database.db): Promise<void> {
    for (let round = 0; round < 5; round++) {
      await db.updateTable('jobs').set({ updated_at: 0 }).where('kind', '=', 'none').execute()
      await nextTurn()
    }
  }
  const idle = defineJob({ name: 'idle', maxAttempts: 1, run: async () => {} })

  /** Waits until a worker stops looking for jobs: the clock is not read three times in a row. */
  async function readsOfOneLook(counted: { reads: number }, db: Db): Promise<number> {
    for (let same = 0, before = 0; same < 3; before = counted.reads) {
      await settle(db)
      same = counted.reads === before && before > 0 ? same + 1 : 0
    }
    return counted.reads
  }

  /** Waits until the clock was read `reads` times, and requires that it is not read again. */
  async function untilRead(counted: { reads: number }, reads: number, db: Db): Promise<void> {
    while (counted.reads < reads) await settle(db)
    await settle(db)
    assert.equal(counted.reads, reads)
  }

  test('an idle worker looks for jobs once per wake-up and poll', async (t) => {
    const counted = clock()
    t.mock.timers.enable({ apis: ['setTimeout'] })
    // Opened with these timers: real ones, which these cannot clear, would end connections in use after ten seconds.
    const own = database.openAgain()
    const { db } = own
    try {
      const services = { database: own, db, log, now: counted.now }
      const worker = startWorker(services, [idle], { ...settings, pollMs: 60_000 })
      const perLook = await readsOfOneLook(counted, db)
      for (let times = 2; times <= 4; times++) {
        worker.wake()
        await untilRead(counted, times * perLook, db)
      }
      t.mock.timers.tick(60_000)
      await untilRead(counted, 5 * perLook, db)
      await worker.close()
      worker.wake()
      t.mock.timers.tick(60_000)
      await settle(db)
      assert.equal(counted.reads, 5 * perLook)
    } finally {
      t.mock.timers.reset()
      await own[Symbol.asyncDispose]()
    }
  })

  test('a closed worker leaves no timer, whether it waited or looked for jobs', async (t) => {
    const pollMs = 3_600_000
    const waiting = new Set<unknown>()
    const { setTimeout: set, clearTimeout: clear } = globalThis
    t.mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) => {
      const timer = set(run, ms)
      if (ms === pollMs) waiting.add(timer)
      return timer
    })
    t.mock.method(globalThis, 'clearTimeout', (timer: NodeJS.Timeout) => {
      waiting.delete(timer)
      clear(timer)
    })
    for (const waits of [true, false]) {
      const worker = startWorker(services(), [idle], { ...settings, pollMs })
      if (waits) await until(() => waiting.size === 1)
      await worker.close()
      assert.equal(waiting.size, 0)
    }
  })

  test('a worker that is woken while it looks for jobs takes no more than its concurrency', async () => {
    const { promise: done, resolve: end } = Promise.withResolvers<void>()
    const kind = defineJob({ name: 'crowded', maxAttempts: 1, run: () => done })
    for (let n = 0; n < 4; n++) await addJob(services().db, { kind: 'crowded', payload: {}, dueAt: now() }, now())
    const worker = startWorker(services(), [kind], { ...settings, concurrency: 1 })
    for (let times = 0; times < 3; times++) worker.wake()
    await until(() => worker.running > 0)
    await settle()
    assert.equal(worker.running, 1)
    end()
    await until(async () => (await rows('crowded')).length === 0)
    await worker.close()
  })

  test('a job that becomes due while a worker looks for work starts at once if it was woken', async () => {
    let time = now()
    let ran = 0
    const kind = defineJob({ name: 'just due', maxAttempts: 1, run: async () => void ran++ })
    await addJob(services().db, { kind: 'just due', payload: {}, dueAt: time + 10 }, time)
    // The look has begun, with the earlier time.
    const worker = startWorker({ ...services(), now: () => time }, [kind], { ...settings, pollMs: 3_600_000 })
    time += 10
    worker.wake()
    await until(() => ran === 1)
    await worker.close()
  })

  test('a job that is claimed while its worker stops is not begun', async () => {
    let ran = 0
    const kind = defineJob({ name: 'too late', maxAttempts: 1, run: async () => void ran++ })
    await addJob(services().db, { kind: 'too late', payload: {}, dueAt: now() }, now())
    await startWorker(services(), [kind], settings).close()
    assert.equal(ran, 0)
    const [{ state, lease_owner, last_error }] = (await rows('too late')) as [Awaited<ReturnType<typeof rows>>[number]]
    assert.deepEqual([state, lease_owner, last_error], ['waiting', null, null])
  })

  test('an ended job no longer extends its lease', async () => {
    const counted = clock()
    await addJob(services().db, { kind: 'idle', payload: {}, dueAt: now() }, now())
    // A lease of 30 ms is extended every 10 ms.
    const worker = startWorker({ ...services(), now: counted.now }, [idle], { ...settings, leaseMs: 30 })
    await until(async () => (await rows('idle')).length === 0)
    await worker.close()
    const reads = counted.reads
    await sleep(50)
    assert.equal(counted.reads, reads)
  })

  test('a job that lost its lease is logged as lost, not as failed, and no worker logs an error', () => {
    const messages = lines.map((line) => JSON.parse(line) as { msg: string; kind?: string })
    assert.ok(messages.some(({ msg }) => msg.startsWith('the lease of a job was lost')))
    for (const { kind } of messages.filter(({ msg }) => msg === 'a job failed'))
      assert.match(String(kind), /^(?:fail|back off|stubborn)$/)
    assert.deepEqual(
      messages.filter(({ msg }) => /polling for jobs failed|could not be/.test(msg)),
      [],
    )
  })
})
