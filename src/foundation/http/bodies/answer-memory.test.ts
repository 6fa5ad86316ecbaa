import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { until } from '#test/servers/webhooks.ts'
import { toPlainError } from '../plain-json.ts'
import { handleErrors } from '../refusals.ts'
import { limitAnswers } from './answer-memory.ts'

const MB = 1024 * 1024
/** More than the system takes of an unread answer. */
const LARGE = Buffer.alloc(24 * MB)

describe('memory of answers', () => {
  let server: FastifyInstance
  /** The last answer of `/large`. */
  let last: ServerResponse | undefined
  before(async () => {
    server = Fastify()
    server.decorateRequest('caller', null)
    handleErrors(server, toPlainError)
    limitAnswers(server, { answersMb: 64, answersPerClientMb: 32, answerSilenceSeconds: 1 })
    server.get('/large', (_request, reply) => {
      last = reply.raw
      return reply.send(LARGE)
    })
    server.get('/slow', (_request, reply) =>
      reply.send(
        Readable.from(
          (async function* () {
            yield 'begin '
            await sleep(2_000)
            yield 'end'
          })(),
        ),
      ),
    )
    await server.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => server.close())

  /** Requests a path from an address of loopback and reads nothing of the answer. */
  async function open(path: string, localAddress = '127.0.0.1'): Promise<IncomingMessage> {
    const { port } = server.server.address() as AddressInfo
    const [answer] = await once(get({ port, host: '127.0.0.1', path, localAddress, agent: false }), 'response')
    answer.on('error', () => {})
    return answer
  }

  test('answers that are not read: limited for each client and together; a client that leaves frees its memory', async () => {
    const first = await open('/large')
    assert.equal((await open('/large')).statusCode, 429)
    const second = await open('/large', '127.0.0.2')
    const third = await open('/large', '127.0.0.3')
    assert.deepEqual(
      [first, second, third].map(({ statusCode }) => statusCode),
      [200, 200, 503],
    )
    const closed = Promise.all([first, second].map((message) => once(message.socket, 'close')))
    for (const message of [first, second]) message.destroy()
    await closed
    await until('there is room again', async () => {
      const again = await open('/large')
      again.destroy()
      return again.statusCode === 200
    })
  })

  test('client that reads nothing: disconnected', async () => {
    const answer = await open('/large', '127.0.0.4')
    assert.equal(answer.statusCode, 200)
    if (!last!.closed) await once(last!, 'close')
    assert.equal(last!.writableFinished, false)
    answer.destroy()
  })

  test('stream with nothing to send for a while: not disconnected', async () => {
    const answer = await open('/slow', '127.0.0.5')
    assert.equal(await new Response(Readable.toWeb(answer) as ReadableStream).text(), 'begin end')
  })
})
