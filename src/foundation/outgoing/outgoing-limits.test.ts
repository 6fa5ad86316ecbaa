import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { serveHttp, serveTcp } from '#test/servers/local-server.ts'
import { failsWith, loopbackClient } from '#test/servers/loopback-client.ts'
import { createOutgoing } from './outgoing.ts'
import { type FailureCode, OutgoingFailed } from './outgoing-errors.ts'
import type { OutgoingLimits } from './settings.ts'

const QUICK: Partial<OutgoingLimits> = { backOffMs: 1, attempts: 1 }

test('response limits: content codings are decoded', async () => {
  const text = 'many words '.repeat(10_000)
  const bodies = {
    gzip: gzipSync(text),
    'x-gzip': gzipSync(text),
    br: brotliCompressSync(text),
    deflate: deflateSync(text),
  }
  await using server = await serveHttp((request, response) => {
    const coding = request.url!.slice(1) as keyof typeof bodies
    response.writeHead(200, { 'content-encoding': coding.toUpperCase() }).end(bodies[coding])
  })
  await using outgoing = loopbackClient()
  for (const coding of Object.keys(bodies))
    assert.equal((await outgoing.get(`${server.url}/${coding}`)).bytes.toString(), text, coding)
})

test('response limits: an empty response with a content coding is empty', async () => {
  await using server = await serveHttp((request, response) =>
    response.writeHead(request.url === '/304' ? 304 : 404, { 'content-encoding': 'gzip', 'content-length': '0' }).end(),
  )
  await using outgoing = loopbackClient()
  for (const path of ['/304', '/404']) assert.equal((await outgoing.get(server.url + path)).bytes.length, 0)
})

test('response limits: a response above the size limit is aborted as soon as that is known', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  await using server = await serveHttp((request, response) => {
    if (request.url === '/declared') response.writeHead(200, { 'content-length': '1001' }).flushHeaders()
    else if (request.url === '/exact') response.end(Buffer.alloc(1_000))
    else if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    else if (request.url === '/brotli')
      response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(Buffer.alloc(9_999)))
    else {
      const more = () => response.write(Buffer.alloc(100), () => setImmediate(more))
      if (request.url === '/endless-coded') response.setHeader('content-encoding', 'gzip')
      more()
    }
  })
  await using outgoing = loopbackClient({ maxBytes: 1_000 })
  assert.equal((await outgoing.get(`${server.url}/exact`)).bytes.length, 1_000)
  for (const path of ['/declared', '/bomb', '/brotli', '/endless'])
    await assert.rejects(outgoing.get(server.url + path), failsWith('too-large'), path)
  await assert.rejects(outgoing.get(`${server.url}/bomb`, { maxBytes: 49_999_999 }), failsWith('too-large'))
  assert.equal((await outgoing.get(`${server.url}/bomb`, { maxBytes: 50_000_000 })).bytes.length, 50_000_000)
})

test('response limits: unknown and damaged content codings fail', async () => {
  const whole = gzipSync('words')
  await using server = await serveHttp((request, response) => {
    const [, coding, body] = request.url!.split('/')
    const bytes = { garbage: Buffer.from('garbage'), cut: whole.subarray(0, -5), whole }[body!]!
    response.writeHead(200, { 'content-encoding': decodeURIComponent(coding!) }).end(bytes)
  })
  await using outgoing = loopbackClient()
  const paths = [
    'gzip/garbage',
    'br/garbage',
    'deflate/garbage',
    'gzip/cut',
    'zstd/whole',
    'gzip%2C%20gzip/whole',
    'toString/whole',
  ]
  for (const path of paths) await assert.rejects(outgoing.get(`${server.url}/${path}`), failsWith('encoding'), path)
})

test('response limits: slow and breaking servers fail with the matching code', async () => {
  const ok = 'HTTP/1.1 200 OK\r\n'
  const cases: {
    why: string
    code: FailureCode
    sends?: string
    next?: 'drip' | 'end'
    limits?: Partial<OutgoingLimits>
  }[] = [
    { why: 'silence', code: 'headers-timeout', limits: { headersTimeoutMs: 150 } },
    {
      why: 'headers that drip',
      code: 'headers-timeout',
      sends: `${ok}X-Long: `,
      next: 'drip',
      limits: { headersTimeoutMs: 150 },
    },
    {
      why: 'a body that stops',
      code: 'body-timeout',
      sends: `${ok}Content-Length: 9\r\n\r\nword`,
      limits: { bodyIdleTimeoutMs: 150 },
    },
    {
      why: 'a body that drips',
      code: 'timeout',
      sends: `${ok}Content-Length: 99999\r\n\r\n`,
      next: 'drip',
      limits: { wholeTimeoutMs: 300 },
    },
    {
      why: 'interim answers without end',
      code: 'timeout',
      sends: 'HTTP/1.1 103 Hm\r\n\r\n'.repeat(9),
      limits: { wholeTimeoutMs: 300 },
    },
    { why: 'closed without an answer', code: 'connection-lost', next: 'end' },
    { why: 'closed in the headers', code: 'connection-lost', sends: `${ok}X-`, next: 'end' },
    {
      why: 'shorter than announced',
      code: 'connection-lost',
      sends: `${ok}Content-Length: 9\r\n\r\nword`,
      next: 'end',
    },
    {
      why: 'chunks that end early',
      code: 'connection-lost',
      sends: `${ok}Transfer-Encoding: chunked\r\n\r\n5\r\nab`,
      next: 'end',
    },
    { why: 'no HTTP', code: 'protocol', sends: '220 mail.example ESMTP\r\n' },
    { why: 'two lengths', code: 'protocol', sends: `${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab` },
    { why: 'endless headers', code: 'protocol', sends: `${ok}X-Long: ${'x'.repeat(100_000)}` },
  ]
  const run = async ({ why, code, sends = '', next, limits }: (typeof cases)[number]) => {
    await using server = await serveTcp((socket) => {
      let timer: NodeJS.Timeout | undefined
      socket
        .once('close', () => clearInterval(timer))
        .once('data', () => {
          socket.write(sends)
          if (next === 'end') socket.end()
          if (next === 'drip') timer = setInterval(() => socket.write('x'), 20)
        })
    })
    await using outgoing = loopbackClient({
      headersTimeoutMs: 60_000,
      bodyIdleTimeoutMs: 60_000,
      wholeTimeoutMs: 60_000,
      ...limits,
    })
    const error = await outgoing.get(server.url).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof OutgoingFailed, `${why}: ${error}`)
    assert.equal(error.code, code, `${why}: ${error.cause}`)
  }
  await Promise.all(cases.map(run))
})

test('response limits: bytes beyond Content-Length are ignored', async () => {
  await using server = await serveTcp((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nword and more'))
  })
  await using outgoing = loopbackClient()
  assert.equal((await outgoing.get(server.url)).bytes.toString(), 'word')
})

test('request failures: a refused connection fails as "connect", a reset one as "connection-lost"', async () => {
  const gone = await serveHttp(() => {})
  await gone[Symbol.asyncDispose]()
  await using resetting = await serveTcp((socket) => socket.once('data', () => socket.resetAndDestroy()))
  await using outgoing = loopbackClient()
  await assert.rejects(outgoing.get(gone.url), failsWith('connect'))
  await assert.rejects(outgoing.get(resetting.url), failsWith('connection-lost'))
})

test('request failures: a name whose lookup never ends fails as "connect-timeout"', async () => {
  const outgoing = createOutgoing(
    { allow: ['never.example'], limits: { ...QUICK, connectTimeoutMs: 100 } },
    () => new Promise(() => {}),
  )
  await assert.rejects(outgoing.get('http://never.example/'), failsWith('connect-timeout'))
  await outgoing.close()
})

test('retries: temporary failures are retried up to the limit', async () => {
  const cases: [
    why: string,
    answers: (number | 'reset')[],
    attempts: number,
    expected: number | FailureCode,
    requests: number,
  ][] = [
    ['503 then well', [503, 200], 3, 200, 2],
    ['502, 504, then well', [502, 504, 200], 3, 200, 3],
    ['429 then well', [429, 200], 3, 200, 2],
    ['a reset then well', ['reset', 200], 3, 200, 2],
    ['always 503', [503, 503, 503, 200], 3, 503, 3],
    ['always reset', ['reset', 'reset', 'reset', 200], 3, 'connection-lost', 3],
    ['500 is final', [500, 200], 3, 500, 1],
    ['404 is final', [404, 200], 3, 404, 1],
    ['one attempt', [503, 200], 1, 503, 1],
  ]
  for (const [why, answers, attempts, expected, requests] of cases) {
    let requestCount = 0
    await using server = await serveHttp((request, response) => {
      const answer = answers[requestCount++]!
      if (answer === 'reset') request.socket.resetAndDestroy()
      else response.writeHead(answer).end()
    })
    await using outgoing = loopbackClient({ attempts })
    const got = await outgoing.get(server.url).catch((error: unknown) => error)
    assert.equal(got instanceof OutgoingFailed ? got.code : (got as { status: number }).status, expected, why)
    assert.equal(requestCount, requests, why)
  }
})

test('retries: Retry-After is honored up to a limit', async () => {
  let requests = 0
  let retryAfter = '0'
  await using server = await serveHttp((_request, response) => {
    response.writeHead(requests++ === 0 ? 429 : 200, { 'retry-after': retryAfter }).end()
  })
  // With this backoff only an obeyed Retry-After leads to a second attempt in time.
  await using outgoing = loopbackClient({
    attempts: 2,
    backOffMs: 60_000,
    maxRetryWaitMs: 2_000,
    wholeTimeoutMs: 5_000,
  })
  assert.equal((await outgoing.get(server.url)).status, 200)
  for (retryAfter of ['3600', new Date(Date.now() + 3_600_000).toUTCString()]) {
    requests = 0
    assert.equal((await outgoing.get(server.url)).status, 429)
    assert.equal(requests, 1)
  }
})

test('timeout: one timeout covers all attempts and the waits between them', async () => {
  await using server = await serveHttp((_request, response) => response.writeHead(503).end())
  await using outgoing = loopbackClient({ attempts: 3, backOffMs: 5_000, wholeTimeoutMs: 150 })
  await assert.rejects(outgoing.get(server.url), failsWith('timeout'))
  await assert.rejects(outgoing.get(server.url, { timeoutMs: 100 }), { message: /not finished within 100 ms$/ })
})

test('abort: a caller can abort before the request, while waiting and in the body', async () => {
  await using server = await serveHttp((request, response) => {
    if (request.url === '/body') response.write('begun')
  })
  await using outgoing = loopbackClient()
  await assert.rejects(outgoing.get(server.url, { signal: AbortSignal.abort() }), failsWith('aborted'))
  for (const path of ['/silence', '/body']) {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    await assert.rejects(outgoing.get(server.url + path, { signal: controller.signal }), failsWith('aborted'), path)
  }
})

test('requests per host: no more run concurrently than allowed, and all complete', async () => {
  let current = 0
  let most = 0
  await using server = await serveHttp((_request, response) => {
    most = Math.max(most, ++current)
    setTimeout(() => {
      current--
      response.end()
    }, 5)
  })
  await using outgoing = loopbackClient({ requestsPerHost: 3 })
  const answers = await Promise.all(Array.from({ length: 20 }, () => outgoing.get(server.url)))
  assert.equal(answers.length, 20)
  assert.equal(most, 3)
})

test('close: aborts requests in progress and refuses later ones', async () => {
  await using server = await serveHttp(() => {})
  const outgoing = loopbackClient()
  const pending = assert.rejects(outgoing.get(server.url), failsWith('closed'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  await outgoing.close()
  await pending
  await assert.rejects(outgoing.get(server.url), failsWith('closed'))
})
