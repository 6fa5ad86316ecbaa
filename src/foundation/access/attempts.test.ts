import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '../config.ts'
import { Problem } from '../problem.ts'
import { type Attempt, createAttempts } from './attempts.ts'

const HERE = '192.0.2.1'
const ELSEWHERE = '192.0.2.2'

function setUp(perMinute = 10) {
  const clock = { at: 1_000_000 }
  const reached: object[] = []
  const attempts = createAttempts({ perMinute, now: () => clock.at, onLimit: (limit) => reached.push(limit) })
  /** Fails an attempt with a wrong secret; returns the answer. */
  function fail(attempt: Attempt): 'checked' | number {
    try {
      attempts.admit(attempt)
    } catch (error) {
      assert.ok(error instanceof Problem && error.code === 'rate-limited')
      assert.ok(!error.message.includes(attempt.proof))
      return Number(error.headers?.['retry-after'])
    }
    attempts.failed(attempt)
    return 'checked'
  }
  const key = (proof: string, address = HERE): Attempt => ({ kind: 'api_key', address, proof })
  const secret = (proof: string, client = 'a client', address = HERE): Attempt => ({
    kind: 'client',
    address,
    client,
    proof,
  })
  return { clock, reached, attempts, fail, key, secret }
}

describe('limits of failed credentials', () => {
  test('an address: checked up to the limit, then refused until the minute is over', () => {
    const { clock, reached, fail, key } = setUp()
    for (let n = 0; n < 10; n++) assert.equal(fail(key(`wrong ${n}`)), 'checked')
    assert.equal(fail(key('another')), 60)
    clock.at += 20_999
    assert.equal(fail(key('another')), 40)
    clock.at += 39_000
    assert.equal(fail(key('another')), 1)
    clock.at += 1
    assert.equal(fail(key('another')), 'checked')
    assert.deepEqual(reached, [{ kind: 'api_key', address: HERE }])
  })

  test('a client: refused from one address after a fifth of the limit of the address', () => {
    const { fail, secret } = setUp()
    assert.deepEqual(
      ['1', '2', '3'].map((proof) => fail(secret(proof))),
      ['checked', 'checked', 60],
    )
    assert.equal(fail(secret('4', 'another client')), 'checked')
    assert.equal(fail(secret('5', 'a client', ELSEWHERE)), 'checked')
  })

  test('failures of many clients count together for their address', () => {
    const { fail, secret, key } = setUp()
    for (let n = 0; n < 10; n++) assert.equal(fail(secret(`${n}`, `client ${n}`)), 'checked')
    assert.equal(fail(secret('x', 'yet another')), 60)
    assert.equal(fail(key('x')), 60)
    assert.equal(fail(secret('x', 'yet another', ELSEWHERE)), 'checked')
  })

  test('the count of an address restarts after a minute', () => {
    const { clock, fail, secret } = setUp()
    for (let n = 0; n < 10; n++) assert.equal(fail(secret(`${n}`, `client ${n}`)), 'checked')
    clock.at += 60_000
    for (let n = 10; n < 20; n++) assert.equal(fail(secret(`${n}`, `client ${n}`)), 'checked')
    assert.equal(fail(secret('x', 'yet another')), 60)
  })

  test('a repeated wrong credential counts once for its address', () => {
    const { fail, secret, key } = setUp()
    for (let n = 0; n < 10; n++) assert.equal(fail(key('outdated')), 'checked')
    assert.equal(fail(secret('1')), 'checked')
  })

  test('a limit of one: the second failure waits', () => {
    const { fail, key } = setUp(1)
    assert.deepEqual([fail(key('1')), fail(key('2'))], ['checked', 60])
  })

  test('the limit of a client is reported once, when it is reached', () => {
    const { reached, fail, secret } = setUp()
    fail(secret('1'))
    assert.deepEqual(reached, [])
    for (const proof of ['2', '3', '4']) fail(secret(proof))
    assert.deepEqual(reached, [{ kind: 'client', address: HERE }])
  })

  test('addresses of one IPv6 /64 network share a limit', () => {
    const { fail, key } = setUp()
    for (let n = 0; n < 10; n++) assert.equal(fail(key(`${n}`, `2001:db8:1:2::${n}`)), 'checked')
    assert.equal(fail(key('x', '2001:db8:1:2:ffff::1')), 60)
    assert.equal(fail(key('x', '2001:db8:1:3::1')), 'checked')
  })

  test('a repeated failing secret is refused at the limit, but another secret is still checked', () => {
    const { fail, secret, attempts } = setUp()
    for (let n = 0; n < 2; n++) assert.equal(fail(secret('replaced')), 'checked')
    assert.equal(fail(secret('replaced')), 60)
    assert.doesNotThrow(() => attempts.admit(secret('new')))
  })

  test('a secret that has worked from an address is not refused there; elsewhere it is', () => {
    const { fail, secret, attempts } = setUp()
    attempts.worked(secret('right'))
    for (const proof of ['1', '2', '3']) fail(secret(proof))
    assert.doesNotThrow(() => attempts.admit(secret('right')))
    // The secret has no successes from another address, so there it counts as a guess.
    for (const proof of ['1', '2', '3']) fail(secret(proof, 'a client', ELSEWHERE))
    assert.throws(() => attempts.admit(secret('right', 'a client', ELSEWHERE)))
  })

  test('failed and unchecked attempts are counted by kind', () => {
    const { fail, secret, attempts } = setUp()
    for (const proof of ['1', '2', '3', '4']) fail(secret(proof))
    attempts.count('sign_in', 'failed')
    assert.deepEqual(attempts.totals(), [
      { kind: 'client', end: 'failed', attempts: 2 },
      { kind: 'client', end: 'not_checked', attempts: 2 },
      { kind: 'sign_in', end: 'failed', attempts: 1 },
    ])
  })

  test('a limit of 0: all failures are checked', () => {
    const { fail, key } = setUp(0)
    for (let n = 0; n < 1000; n++) assert.equal(fail(key(`${n}`)), 'checked')
  })

  test('the default limit: 900 wrong keys of a scanner do not refuse a new valid key from its address', () => {
    const { failedSecretsPerMinute } = readConfig({})
    const { fail, key, attempts } = setUp(failedSecretsPerMinute)
    for (let n = 0; n < 900; n++) assert.equal(fail(key(`wrong ${n}`)), 'checked')
    assert.doesNotThrow(() => attempts.admit(key('right')))
  })

  test('attempts and successes: the oldest are forgotten once memory is full', () => {
    const { fail, secret, key, attempts } = setUp(10)
    const first = () => secret('another', 'a client', '10.255.0.1')
    attempts.worked(key('right', '10.255.0.2'))
    for (const proof of ['1', '2']) fail(secret(proof, 'a client', '10.255.0.1'))
    assert.equal(fail(first()), 60)
    for (let n = 0; n < 10; n++) fail(secret(`${n}`, `client ${n}`, '10.255.0.3'))
    const another = () => secret('x', 'yet another', '10.255.0.3')
    assert.equal(fail(another()), 60)
    for (let n = 0; n < 21_000; n++) {
      const address = `10.0.${n >> 8}.${n & 255}`
      fail(secret(`wrong ${n}`, `client ${n}`, address))
      attempts.worked(key(`right ${n}`, address))
    }
    assert.equal(fail(first()), 'checked')
    assert.equal(fail(another()), 'checked')
    for (let n = 0; n < 10; n++) fail(key(`${n}`, '10.255.0.2'))
    assert.equal(fail(key('right', '10.255.0.2')), 60)
    const last = secret('another', 'client 20999', '10.0.82.7')
    assert.deepEqual([fail(last), fail(last)], ['checked', 60])
  })

  test('an address that failed before is kept as long as addresses whose first failure is later', () => {
    const { clock, fail, secret } = setUp()
    const addressOf = (n: number) => `10.0.${n >> 8}.${n & 255}`
    for (let n = 0; n < 9_990; n++) fail(secret('wrong', 'a client', addressOf(n)))
    clock.at += 60_000
    for (let n = 0; n < 10; n++) fail(secret(`${n}`, `client ${n}`, addressOf(0)))
    for (let n = 9_990; n < 10_010; n++) fail(secret('wrong', 'a client', addressOf(n)))
    assert.equal(fail(secret('x', 'yet another', addressOf(0))), 60)
  })

  test('100,000 secrets are remembered; those of an earlier minute no longer count', () => {
    const { clock, fail, key, secret } = setUp(100)
    const failFrom = (first: number, addresses: number) => {
      for (let n = first; n < first + addresses; n++) {
        for (let proof = 0; proof < 100; proof++) fail(key(`${proof}`, `10.1.${n >> 8}.${n & 255}`))
      }
    }
    const early = (proof: number) => secret(`${proof}`, 'a client', '10.255.0.1')
    fail(early(0))
    failFrom(0, 500)
    clock.at += 60_000
    for (let proof = 0; proof < 20; proof++) assert.equal(fail(early(proof)), 'checked')
    failFrom(500, 600)
    assert.equal(fail(early(20)), 60)
    failFrom(1100, 500)
    assert.equal(fail(early(20)), 'checked')
  })

  test('the last 10,000 secrets that worked from an address are never refused there', () => {
    const { fail, secret, attempts } = setUp()
    for (let n = 0; n < 10_000; n++) attempts.worked(secret(`right ${n}`))
    for (const proof of ['1', '2', '3']) fail(secret(proof))
    assert.doesNotThrow(() => attempts.admit(secret('right 0')))
  })

  test('overlong client names count as one client', () => {
    const { fail, secret } = setUp()
    const long = (n: number) => secret(`${n}`, `${n}`.repeat(100))
    assert.deepEqual(
      [1, 2, 3].map((n) => fail(long(n))),
      ['checked', 'checked', 60],
    )
  })
})

describe('limits of a client', () => {
  test('the limit of a client is a fifth of that of an address, rounded up', () => {
    const { fail, secret } = setUp(11)
    for (let n = 0; n < 3; n++) assert.equal(fail(secret(`wrong ${n}`)), 'checked')
    assert.equal(fail(secret('another')), 60)
  })

  test('client names of up to 64 characters count apart, longer ones together', () => {
    for (const [length, isApart] of [
      [64, true],
      [65, false],
    ] as const) {
      const { fail, secret } = setUp()
      const [one, other] = ['a', 'b'].map((end) => `${'x'.repeat(length - 1)}${end}`)
      for (let n = 0; n < 2; n++) assert.equal(fail(secret(`wrong ${n}`, one)), 'checked')
      assert.equal(fail(secret('wrong 2', one)), 60)
      assert.equal(fail(secret('wrong 3', other)), isApart ? 'checked' : 60)
    }
  })
})
