import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#foundation/problem.ts'
import { createBodyMemory } from './body-memory.ts'

const KB = 1024

/** Opens memory with room for 800 KB of all bodies, 500 KB of them of one client. */
function open() {
  const memory = createBodyMemory({ totalBytes: 800 * KB, clientBytes: 500 * KB })
  const begin = (ip: string, credentialId?: string) => {
    const caller = credentialId && { principal: { credentialId } }
    const request = { ip, caller } as unknown as FastifyRequest
    const raw = new EventEmitter()
    memory.lend(request, { raw } as unknown as FastifyReply)
    const { add } = memory.leaseOf(request)
    return { add: (kilobytes: number) => add(kilobytes * KB), end: (event: string) => raw.emit(event) }
  }
  return { memory, begin }
}

const hasCode = (code: string) => (error: unknown) => error instanceof Problem && error.code === code

describe('memory of request bodies', () => {
  test('all clients together: large bodies leave an eighth of the memory to small ones; 503 once it is full', () => {
    const { memory, begin } = open()
    begin('192.0.2.1').add(400)
    const large = begin('192.0.2.2')
    large.add(300)
    assert.throws(() => large.add(1), hasCode('unavailable'))
    for (const ip of ['192.0.2.3', '192.0.2.4']) begin(ip).add(50)
    assert.throws(() => begin('192.0.2.5').add(1), hasCode('unavailable'))
    assert.equal(memory.usedBytes, 800 * KB)
  })

  test('one client, by address or by credential from several addresses: 429 above its limit', () => {
    const { begin } = open()
    begin('192.0.2.1').add(100)
    assert.throws(() => begin('192.0.2.1').add(401), hasCode('rate-limited'))
    begin('192.0.2.2', 'key').add(200)
    assert.throws(() => begin('192.0.2.3', 'key').add(301), hasCode('rate-limited'))
    begin('192.0.2.3', 'other').add(301)
  })

  test('an ended request frees its memory once and reserves no more', () => {
    const { memory, begin } = open()
    const [first, second] = [begin('192.0.2.1'), begin('192.0.2.1')]
    first.add(300)
    second.add(200)
    first.end('finish')
    first.end('close')
    first.add(300)
    assert.equal(memory.usedBytes, 200 * KB)
    second.add(300)
    second.end('close')
    assert.equal(memory.usedBytes, 0)
  })
})
