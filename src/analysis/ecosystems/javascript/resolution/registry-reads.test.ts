import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { createRegistryReads } from './registry-reads.ts'

describe('reads of a registry', () => {
  test('registry reads: each package is requested once, at most sixteen at a time', async () => {
    const requests: string[] = []
    let inFlight = 0
    let most = 0
    const reads = createRegistryReads({
      async get(name) {
        requests.push(name)
        most = Math.max(most, ++inFlight)
        await setImmediate()
        inFlight--
        return undefined
      },
    })
    const names = Array.from({ length: 50 }, (_, index) => `p${index}`)
    for (const name of names) reads.prefetch(name)
    await Promise.all([...names, ...names].map((name) => reads.get(name)))
    assert.deepEqual(requests, names)
    assert.equal(most, 16)
  })

  const answers: [name: string, get: () => Promise<undefined>, code: string][] = [
    ['unknown', async () => undefined, 'not-in-registry'],
    ['down', () => Promise.reject(new RegistryUnreachable('down')), 'registry-unreachable'],
    ['../escape', () => assert.fail('asked'), 'not-in-registry'],
    ['@scope/../x', () => assert.fail('asked'), 'not-in-registry'],
    ['a%2fb', () => assert.fail('asked'), 'not-in-registry'],
    ['.hidden', () => assert.fail('asked'), 'not-in-registry'],
    ['x'.repeat(215), () => assert.fail('asked'), 'not-in-registry'],
  ]
  for (const [name, get, code] of answers) {
    test(`registry reads: ${name.slice(0, 20)} is ${code}`, async () => {
      const answer = await createRegistryReads({ get }).get(name)
      assert.ok('code' in answer)
      assert.equal(answer.code, code)
    })
  }

  test('registry reads: an internal error is not reported as an unreachable registry', async () => {
    const reads = createRegistryReads({ get: () => Promise.reject(new TypeError('a fault of ours')) })
    reads.prefetch('a')
    await assert.rejects(reads.get('a'), TypeError)
  })
})
