import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { createBodyReader } from '#foundation/http/bodies/read-body.ts'
import { readConfig } from '../config.ts'
import { cookieOf } from '../http/browser/cookies.ts'
import { createServer, type Server } from '../http/server.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { formOf, webPages } from './web-pages.ts'

const options = { config: { access: 'public' }, schema: { hide: true } } as const

describe('HTML pages', () => {
  const logged: string[] = []
  let server: Server
  before(async () => {
    const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) })
    const config = readConfig({ GATEHOUSE_RATE_LIMIT_PER_MINUTE: '20' })
    const bodies = createBodyReader(config)
    server = await createServer({ config, log, baseUrl: 'http://127.0.0.1' } as unknown as Services, bodies.memory)
    server.register(async (scope) => {
      webPages(scope as FastifyInstance, bodies)
      scope.post('/form', options, async (request) => [...formOf(request), cookieOf(request, 'b')])
      scope.get('/full', options, async () => {
        throw new Problem('unavailable', 'not now', { headers: { 'retry-after': '5' } })
      })
      scope.get('/broken', options, async () => {
        throw new Error('a secret detail')
      })
    })
    await server.ready()
  })
  after(() => server.close())

  test('forms and cookies are parsed', async () => {
    const answer = await server.inject({
      method: 'POST',
      url: '/form',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: 'a=1; b=x=y; c' },
      payload: 'a=1&a=2&b=%C3%BC+%26',
    })
    assert.deepEqual(answer.json(), [['a', '1'], ['a', '2'], ['b', 'ü &'], 'x=y'])
    assert.deepEqual((await server.inject({ method: 'POST', url: '/form' })).json(), [null])
  })

  test('an unavailable page: 503 with Retry-After', async () => {
    const answer = await server.inject('/full')
    assert.equal(answer.statusCode, 503)
    assert.equal(answer.headers['retry-after'], '5')
    assert.match(answer.body, /<h1>The server is busy<\/h1>/)
  })

  test('an unexpected error: 500 with the request id; details are logged, not shown', async () => {
    const answer = await server.inject({ url: '/broken', headers: { 'snyk-request-id': 'number-7' } })
    assert.equal(answer.statusCode, 500)
    assert.match(answer.body, /number-7/)
    assert.doesNotMatch(answer.body, /secret detail/)
    assert.match(logged.join(''), /a secret detail/)
  })

  test('too many requests: 429 as an HTML page with Retry-After', async () => {
    const ask = () => server.inject({ url: '/full', remoteAddress: '192.0.2.9' })
    for (let count = 0; count < 20; count++) await ask()
    const answer = await ask()
    assert.equal(answer.statusCode, 429)
    assert.match(String(answer.headers['retry-after']), /^\d+$/)
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
  })
})
