import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryEngine } from '#test/servers/engines.ts'
import { openTwoConnections, type TwoConnections } from '#test/servers/two-connections.ts'
import { untilUndisturbed } from '#test/servers/until-undisturbed.ts'
import { postgresCommits } from './commit-versions.ts'
import { findCommits } from './commits.ts'
import type { Db } from './database.ts'

onEveryEngine('versions of the database', (engine) => {
  let connections: TwoConnections
  let db: Db
  before(async () => {
    connections = await openTwoConnections(engine)
    db = connections.db
  })
  after(() => connections.close())

  test('every commit of any process gives a new version', async () => {
    const commits = findCommits(db)!
    const seen = new Set<unknown>()
    for (let n = 0; n < 20; n++) {
      await connections.commit(n % 2 === 0 ? db : connections.other.db)
      // Undefined means that pages are read again, which is also correct.
      seen.add((await commits.version()) ?? `unknown ${n}`)
    }
    assert.equal(seen.size, 20)
  })

  test('a transaction has no version', async () => {
    await db.transaction().execute(async (tx) => assert.equal(findCommits(tx), undefined))
  })

  test('one check serves all callers of a turn and those who continue synchronously', async () => {
    const commits = findCommits(db)!
    await untilUndisturbed(engine, async () => {
      const [one, other] = [commits.version(), commits.version()]
      assert.equal(one, other)
      assert.equal(await one, commits.version())
      await new Promise(setImmediate)
      const later = commits.version()
      assert.ok(later instanceof Promise, 'requests of a later turn need another check')
      await later
    })
  })

  const onPostgres = engine === 'postgres' ? {} : { skip: 'has one connection that reads' }

  test('synchronous continuations need no second check unless a change was notified', onPostgres, async () => {
    const commits = postgresCommits(db)
    const first = await commits.version()
    assert.equal(commits.version(), first)
    commits.onChange()
    const looking = commits.version()
    assert.ok(looking instanceof Promise)
    await new Promise(setImmediate)
    commits.onChange()
    await looking
    assert.ok(commits.version() instanceof Promise, 'the look began before the change')
    await new Promise(setImmediate)
    assert.ok(commits.version() instanceof Promise, 'others came meanwhile')
  })

  test('a broken connection gives a new version; a check in progress has no result', onPostgres, async () => {
    const commits = postgresCommits(db)
    const before = await commits.version()
    commits.onBroken()
    const now = await commits.version()
    assert.ok(now !== undefined && now !== before)
    await new Promise(setImmediate)
    const looking = commits.version()
    await new Promise(setImmediate)
    commits.onBroken()
    assert.equal(await looking, undefined, 'it may be the answer of either server')
  })

  test('after three checks that found changes, none is made for a while', onPostgres, async () => {
    let at = 0
    const commits = postgresCommits(db, () => at)
    for (let n = 0; n < 3; n++) {
      await connections.commit(connections.other.db)
      assert.ok(await commits.version())
      await new Promise(setImmediate)
    }
    assert.equal(commits.version(), undefined)
    at += 1_000
    assert.ok(await commits.version())
  })
})
