import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '#foundation/db/open-database.ts'
import { createKeyring } from '#foundation/secrets/keyring.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { type Admitted, type Attempt, admitAttempt, confirmFailure, forgiveAttempt, waitSeconds } from './throttle.ts'

describe('waits after failed sign-ins', () => {
  const longest: [Parameters<typeof waitSeconds>[0], free: number, longest: number][] = [
    ['account from an address', 5, 900],
    ['known browser', 5, 900],
    ['address', 30, 300],
    ['account', 50, 60],
  ]
  for (const [countedFor, free, seconds] of longest) {
    test(`wait per ${countedFor}: begins after ${free} failures, doubles, and is at most ${seconds} s`, () => {
      assert.deepEqual(
        [0, 1, 2, 3].map((more) => waitSeconds(countedFor, free + more)),
        [0, 1, 2, 4],
      )
      assert.equal(waitSeconds(countedFor, free + 30), seconds)
      assert.equal(waitSeconds(countedFor, 1_000_000), seconds)
    })
  }
})

onEveryEngine('throttling of sign-ins', (engine) => {
  let database: Database & AsyncDisposable
  let time = Date.UTC(2026, 0, 1)
  before(async () => {
    database = await freshDatabase(engine)
  })
  after(() => database[Symbol.asyncDispose]())

  const keyring = createKeyring(Buffer.alloc(32, 1))
  let strangers = 0
  const stranger = (attempt: Partial<Attempt> = {}): Attempt => {
    strangers++
    return { email: `${strangers}@example.test`, address: `192.0.2.${strangers}`, ...attempt }
  }
  const needs = () => ({ db: database.db, keyring, now: () => time })
  const admit = (attempt: Attempt) => admitAttempt(needs(), attempt)
  const isAdmitted = (result: Awaited<ReturnType<typeof admit>>): result is Admitted => 'counts' in result
  const wait = async (attempt: Attempt) => {
    const result = await admit(attempt)
    return isAdmitted(result) ? 0 : result.waitSeconds
  }
  const fail = async (attempt: Attempt, times: number) => {
    for (let count = 0; count < times; count++) {
      const result = await admit(attempt)
      assert.ok(isAdmitted(result), `attempt ${count + 1} was not admitted`)
    }
  }
  const succeed = async (attempt: Attempt) => {
    const admitted = await admit(attempt)
    assert.ok(isAdmitted(admitted))
    await forgiveAttempt(database.db, admitted)
  }

  test('sign-in throttle: six failures are free, then waits double; refused attempts do not extend them', async () => {
    const attempt = stranger()
    await fail(attempt, 6)
    assert.equal(await wait(attempt), 1)
    assert.equal(await wait(attempt), 1)
    time += 1000
    assert.equal(await wait(attempt), 0)
    assert.equal(await wait(attempt), 2)
    time += 2000
    assert.equal(await wait(attempt), 0)
    assert.equal(await wait(attempt), 4)
  })

  test('sign-in throttle: counts simultaneous attempts one by one', async () => {
    const attempt = stranger()
    const results = await Promise.all(Array.from({ length: 20 }, () => admit(attempt)))
    assert.equal(results.filter(isAdmitted).length, 6)
  })

  test('sign-in throttle: a success resets its own count', async () => {
    const attempt = stranger()
    await fail(attempt, 5)
    await succeed(attempt)
    await fail(attempt, 6)
    assert.equal(await wait(attempt), 1)
  })

  test('sign-in throttle: forgets failures after a day without one', async () => {
    const attempt = stranger()
    await fail(attempt, 6)
    time += 86_400_000
    assert.equal(await wait(attempt), 0)
    assert.equal(await wait(attempt), 2)
    time += 86_400_001
    await fail(attempt, 6)
    assert.equal(await wait(attempt), 1)
  })

  test('sign-in throttle: a failure is dated by the end of its check', async () => {
    const attempt = stranger()
    const admitted = await admit(attempt)
    assert.ok(isAdmitted(admitted))
    await confirmFailure(database.db, admitted, time + 5000)
    time += 86_404_000
    await fail(attempt, 5)
    assert.equal(await wait(attempt), 1)
  })

  test('throttle per address: counts failures of all accounts; successes with an own account do not reset it', async () => {
    const { address } = stranger()
    const own = { email: 'own@example.test', address }
    for (let count = 0; count < 31; count++) {
      await fail(stranger({ address }), 1)
      if (count < 30) await succeed(own)
    }
    assert.equal(await wait(own), 1)
    assert.equal(await wait(stranger({ address })), 1)
    time += 1000
    await succeed(own)
    await fail(stranger({ address }), 1)
    assert.equal(await wait(stranger({ address })), 2)
    assert.equal(await wait(stranger()), 0)
  })

  test('throttle per address: an IPv6 /64 network counts as one address', async () => {
    const email = 'v6@example.test'
    for (let host = 1; host <= 6; host++) await fail({ email, address: `2001:db8:1:2::${host}` }, 1)
    assert.equal(await wait({ email, address: '2001:db8:1:2:ffff::1' }), 1)
    assert.equal(await wait({ email, address: '2001:db8:1:3::1' }), 0)
  })

  test('throttle per account: strangers wait at most a minute; a known browser does not wait', async () => {
    const { email } = stranger()
    const own = { ...stranger(), email, knownBrowser: 'the laptop' }
    let waited = 0
    for (let count = 0; count < 70; count++) {
      const attempt = stranger({ email })
      const seconds = await wait(attempt)
      assert.ok(seconds <= 60)
      waited = Math.max(waited, seconds)
      time += seconds * 1000
      if (seconds > 0) await fail(attempt, 1)
    }
    assert.equal(waited, 60)
    assert.equal(await wait(stranger({ email })), 60)
    await succeed(own)
    // The owner's mistakes are slowed down too, but counted separately from others'.
    await fail(own, 6)
    assert.equal(await wait(own), 1)
    assert.equal(await wait({ ...own, knownBrowser: 'the telephone' }), 0)
    assert.equal(await wait({ ...own, email: 'other@example.test' }), 0)
  })

  test('sign-in throttle: stores neither addresses nor e-mail addresses', async () => {
    await fail({ email: 'somebody@example.test', address: '198.51.100.7' }, 1)
    const rows = await database.db.selectFrom('sign_in_failures').selectAll().execute()
    assert.ok(rows.length > 0)
    assert.doesNotMatch(JSON.stringify(rows), /example|198/)
  })
})
