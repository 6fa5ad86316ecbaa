import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { JobRow } from '#foundation/jobs/store.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { untilUndisturbed } from '#test/servers/until-undisturbed.ts'
import type { Db } from './database.ts'
import { inTransaction } from './in-transaction.ts'
import {
  type Keyset,
  type Page,
  type Position,
  partsOf,
  preparedPage,
  readPage,
  rememberedPage,
  type Window,
} from './keyset.ts'

const DUE = [10, 20, 20, 20, 30, 40, 40]
const LIMITS = [1, 3, 7, 8]

onEveryEngine('pages of a list', (engine) => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  before(async () => {
    database = await freshDatabase(engine)
    await database.db
      .insertInto('jobs')
      .values([...DUE.map(toJob), { ...toJob(25, 9), kind: 'a single one' }])
      .execute()
  })
  after(() => database[Symbol.asyncDispose]())

  function toJob(due_at: number, index: number) {
    const never = { org_id: null, unique_key: null, lease_owner: null, lease_ends_at: null, last_error: null }
    const id = `0000000${index}-0000-4000-8000-000000000000`
    return {
      id,
      kind: 'a kind',
      payload: '{}',
      state: 'waiting',
      due_at,
      attempts: 0,
      created_at: 1,
      updated_at: 1,
      ...never,
    }
  }

  const byDueTime = (order?: 'asc' | 'desc'): Keyset<JobRow> => ({
    columns: ['jobs.due_at', 'jobs.id'],
    position: ({ due_at, id }) => [due_at, id],
    ...(order !== undefined && { order }),
  })
  const jobs = (db: Db, { kind }: { kind: string }) => db.selectFrom('jobs').selectAll().where('kind', '=', kind)
  const parameters = { kind: 'a kind' }

  type Read = (keyset: Keyset<JobRow>, values: { kind: string }, window: Window) => Promise<Page<JobRow>>
  const readers: Record<string, Read> = {
    'read once': (keyset, values, window) => readPage(jobs(database.db, values), keyset, window),
    prepared: async (keyset, values, window) => preparedPage(jobs, keyset)(database.db, values, window),
    remembered: async (keyset, values, window) => {
      const readPart = (db: Db, from: { kind: string }) => partsOf(jobs(db, from), keyset)
      return rememberedPage(readPart, () => keyset)(database.db, values, window)
    },
  }

  /** Returns the page computed from an array of all rows. */
  function expected(sorted: readonly JobRow[], order: Keyset<JobRow>['order'], window: Window): Page<JobRow> {
    const { limit, direction, position } = window
    const isForward = direction === 'after'
    const places = sorted.map((row) => (isAfter(row, position, order) ? 'after' : 'before'))
    const isHere = (row: JobRow) => row.due_at === position[0] && row.id === position[1]
    const side = sorted.filter((row, index) => places[index] === direction && !isHere(row))
    const rows = isForward ? side.slice(0, limit) : side.slice(-limit)
    // Without a row on the page, one at the position itself is on the other side.
    const more = side.length > limit
    const beyond = side.length < sorted.length
    return { rows, hasNext: isForward ? more : beyond, hasPrevious: isForward ? beyond : more }
  }

  function isAfter(row: JobRow, position: Position, order: Keyset<JobRow>['order']): boolean {
    if (typeof position === 'string') return position === 'start'
    const isGreater = row.due_at > Number(position[0]) || (row.due_at === position[0] && row.id > String(position[1]))
    return isGreater !== (order === 'desc')
  }

  for (const [name, read] of Object.entries(readers)) {
    for (const order of [undefined, 'asc', 'desc'] as const) {
      test(`${name}, ${order ?? 'in no stated order'}: every window has its rows and knows whether more exist`, async () => {
        const keyset = byDueTime(order)
        const all = await database.db.selectFrom('jobs').selectAll().orderBy('due_at').orderBy('id').execute()
        const positions: Position[] = ['start', 'end', ...all.map(keyset.position), [25, ''], [0, ''], [99, '']]
        for (const kind of ['a kind', 'a single one', 'none']) {
          const rows = all.filter((row) => row.kind === kind)
          const sorted = order === 'desc' ? rows.toReversed() : rows
          for (const window of windowsAt(positions)) {
            const page = await read(keyset, { kind }, window)
            assert.deepEqual(page, expected(sorted, order, window), `${kind} ${JSON.stringify(window)}`)
          }
        }
      })
    }
  }

  function windowsAt(positions: readonly Position[]): Window[] {
    const directions = ['after', 'before'] as const
    return positions.flatMap((position) =>
      directions.flatMap((direction) => LIMITS.map((limit) => ({ limit, direction, position }))),
    )
  }

  test('remembered pages: kept until the next commit, separately for each list, value and window', async () => {
    let reads = 0
    const keyset = byDueTime()
    const list = () =>
      rememberedPage(
        (db: Db, values: { kind: string }) => {
          const part = partsOf(jobs(db, values), keyset)
          return (...args) => {
            reads++
            return part(...args)
          }
        },
        () => keyset,
      )
    let one = list()
    const other = list()
    const first: Window = { limit: 2, direction: 'after', position: 'start' }
    const { db } = database
    let page: Page<JobRow>
    await untilUndisturbed(engine, async () => {
      reads = 0
      one = list()
      page = await one(db, parameters, first)
      assert.equal(await one(db, parameters, first), page)
      await one(db, parameters, { limit: 2, direction: 'before', position: 'end' })
      // Nothing is before the start or after the end, so that the first and the last page take one query each.
      assert.equal(reads, 2)
    })
    assert.deepEqual((await one(db, { kind: 'another' }, first)).rows, [])
    assert.equal((await one(db, parameters, { ...first, limit: 3 })).rows.length, 3)
    assert.notEqual(await other(db, parameters, first), page!)
    assert.equal(reads, 5)
    await inTransaction(db, async (tx) => {
      await tx.updateTable('jobs').set({ updated_at: 2 }).where('kind', '=', 'a kind').execute()
      assert.equal((await one(tx, parameters, first)).rows[0]!.updated_at, 2)
    })
    assert.equal((await one(db, parameters, first)).rows[0]!.updated_at, 2)
    assert.equal(reads, 7)
  })

  test('prepared pages: built once for each shape of window', async () => {
    let builds = 0
    const keyset = byDueTime()
    const read = preparedPage((db: Db, values: { kind: string }) => {
      builds++
      return jobs(db, values)
    }, keyset)
    const rowsAfter = async (position: Position) =>
      (await read(database.db, parameters, { limit: 1, direction: 'after', position })).rows.map(({ due_at }) => due_at)
    assert.deepEqual(await rowsAfter([10, '']), [10])
    const before = builds
    assert.deepEqual(await rowsAfter([15, '']), [20])
    assert.deepEqual(await rowsAfter([35, '']), [40])
    assert.equal(builds, before)
  })
})
