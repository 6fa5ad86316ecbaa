import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { serveHttp } from '#test/servers/local-server.ts'
import { failsWith, loopbackClient } from '#test/servers/loopback-client.ts'

const CONTENT = Buffer.alloc(300_000, 'content ')

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-download-'))
  return { file: join(path, 'file'), [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

test('download: a file is replaced completely, with progress', async () => {
  using to = folder()
  writeFileSync(to.file, 'older and shorter')
  await using server = await serveHttp((request, response) => {
    assert.equal(request.headers['accept-encoding'], 'identity')
    response.setHeader('content-length', CONTENT.length).setHeader('etag', '"1"').end(CONTENT)
  })
  await using outgoing = loopbackClient()
  const progress: [number, number | undefined][] = []
  const answer = await outgoing.download(server.url, to.file, { onProgress: (...now) => progress.push(now) })
  assert.equal(answer.headers['etag'], '"1"')
  assert.deepEqual(readFileSync(to.file), CONTENT)
  assert.deepEqual(progress.at(-1), [CONTENT.length, CONTENT.length])
})

test('download: a stream gets the content and its end', async () => {
  await using server = await serveHttp((_request, response) => response.end(CONTENT))
  await using outgoing = loopbackClient()
  const stream = new PassThrough()
  const [bytes] = await Promise.all([buffer(stream), outgoing.download(server.url, stream)])
  assert.deepEqual(bytes, CONTENT)
})

test('download: a content coding that was not requested is decoded within the size limit', async () => {
  using to = folder()
  await using server = await serveHttp((_request, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(CONTENT)),
  )
  await using outgoing = loopbackClient()
  await outgoing.download(server.url, to.file)
  assert.deepEqual(readFileSync(to.file), CONTENT)
  await assert.rejects(outgoing.download(server.url, to.file, { maxBytes: 299_999 }), failsWith('too-large'))
  assert.ok(!existsSync(to.file))
})

test('download: 304 writes nothing; other statuses fail and keep the existing file', async () => {
  using to = folder()
  writeFileSync(to.file, 'older')
  await using server = await serveHttp((request, response) =>
    response.writeHead(Number(request.url!.slice(1))).end('page'),
  )
  await using outgoing = loopbackClient()
  assert.equal((await outgoing.download(`${server.url}/304`, to.file)).status, 304)
  for (const status of [301, 403, 404, 500, 503])
    await assert.rejects(outgoing.download(`${server.url}/${status}`, to.file), { code: 'status', status })
  assert.equal(readFileSync(to.file, 'utf8'), 'older')
})

test('download: a file is retried after a lost connection, a stream is not', async () => {
  using to = folder()
  let requests = 0
  await using server = await serveHttp((_request, response) => {
    response.setHeader('content-length', CONTENT.length)
    if (++requests % 2 === 0) response.end(CONTENT)
    else response.write(CONTENT.subarray(0, 1_000), () => setTimeout(() => response.destroy(), 20))
  })
  await using outgoing = loopbackClient({ attempts: 2 })
  await outgoing.download(server.url, to.file)
  assert.deepEqual(readFileSync(to.file), CONTENT)
  assert.equal(requests, 2)
  const stream = new PassThrough().resume()
  stream.on('error', () => {})
  await assert.rejects(outgoing.download(server.url, stream), failsWith('connection-lost'))
  assert.equal(requests, 3)
})

test('download: a partly written file is removed', async () => {
  using to = folder()
  await using server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'content-length': CONTENT.length }).write('some')
  })
  await using outgoing = loopbackClient()
  const controller = new AbortController()
  const options = { signal: controller.signal, onProgress: () => controller.abort() }
  await assert.rejects(outgoing.download(server.url, to.file, options), failsWith('aborted'))
  assert.ok(!existsSync(to.file))
})

test('download: a disk error is passed on', async () => {
  using to = folder()
  await using server = await serveHttp((_request, response) => response.end(CONTENT))
  await using outgoing = loopbackClient()
  await assert.rejects(outgoing.download(server.url, join(to.file, 'no', 'such')), { code: 'ENOENT' })
})
