import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { serveHttp } from '#test/servers/local-server.ts'
import { loopbackClient } from '#test/servers/loopback-client.ts'
import {
  ACCESS_KEY,
  lacksObjectStore,
  SECRET_ACCESS_KEY,
  startObjectStore,
  type TestObjectStore,
} from '#test/servers/object-store.ts'
import { createOutgoing } from '../outgoing/outgoing.ts'
import { objectLocation } from './object-location.ts'
import { createObjectStore, type ObjectStore } from './object-store.ts'
import { ObjectStoreFailed, type ObjectStoreFault } from './object-store-failure.ts'
import { createSigner, type SigningKey } from './sign-request.ts'

const KEY: SigningKey = {
  accessKeyId: ACCESS_KEY,
  secretAccessKey: SECRET_ACCESS_KEY,
  region: 'us-east-1',
}

interface Options {
  readonly key?: Partial<SigningKey>
  readonly id?: string
  hasObjects?(): Promise<boolean>
}

function openStore(
  url: string,
  { key, id = 'installation-1', hasObjects = async () => false }: Options = {},
): ObjectStore {
  return createObjectStore({
    location: objectLocation(url),
    sign: createSigner({ ...KEY, ...key }),
    outgoing: loopbackClient({ attempts: 2 }),
    installationId: async () => id,
    hasObjects,
  })
}

/** For `assert.rejects`: the kind and text of a failure, which holds no secret. */
function failsWith(fault: ObjectStoreFault, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof ObjectStoreFailed, String(error))
    assert.equal(error.fault, fault, error.message)
    assert.match(error.message, message)
    for (const text of [error.message, error.stack!, JSON.stringify(error), String(error.cause)])
      assert.ok(!/the-secret-of|Signature=|session-token-of/.test(text), text)
    return true
  }
}

describe('object store', { skip: lacksObjectStore }, () => {
  let server: TestObjectStore
  const stores: ObjectStore[] = []
  before(async () => {
    server = await startObjectStore()
  })
  after(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await server[Symbol.asyncDispose]()
  })

  function open(prefix: string, options?: Options): ObjectStore {
    const store = openStore(`${server.origin}/archives${prefix === '' ? '' : `/${prefix}`}`, options)
    stores.push(store)
    return store
  }

  test('objects: stored, read and removed; only a removed object is missing', async () => {
    for (const prefix of ['one', 'deep/er.x_y-z', '']) {
      const store = open(prefix)
      const content = randomBytes(3_000_000)
      await store.put('archives/a/1', content)
      assert.ok((await store.get('archives/a/1'))?.equals(content))
      await store.put('archives/a/2', new Uint8Array())
      assert.equal((await store.get('archives/a/2'))?.length, 0)
      await store.remove('archives/a/1')
      assert.equal(await store.get('archives/a/1'), undefined)
      await store.remove('archives/a/1')
      const counts = store.totals().map(({ operation, outcome, requests }) => `${operation} ${outcome} ${requests}`)
      assert.deepEqual(counts.sort(), ['get done 3', 'get missing 2', 'put done 3', 'remove done 2'])
    }
  })

  test('the first installation claims the location; another one is refused before it writes', async () => {
    await open('claimed').check()
    assert.equal(server.read('claimed/gatehouse-installation').toString(), 'installation-1\n')
    await open('claimed').put('archives/a/1', Buffer.from('x'))
    const other = open('claimed', { id: 'installation-2' })
    const refused = failsWith('foreign', /Another installation .*installation-1.* Set GATEHOUSE_OBJECT_STORE/)
    await assert.rejects(other.check(), refused)
    await assert.rejects(other.put('archives/b/1', Buffer.from('y')), refused)
    await assert.rejects(other.get('archives/a/1'), refused)
    await assert.rejects(other.remove('archives/a/1'), refused)
    assert.equal(await other.findOwner(), 'installation-1')
    assert.deepEqual(server.keys('claimed'), ['archives/a/1', 'gatehouse-installation'])
  })

  test('installations that start at the same time: one claims the location', async () => {
    const rivals = Array.from({ length: 8 }, (_, n) => open('rivals', { id: `installation-${n}` }))
    const ends = await Promise.allSettled(rivals.map((store) => store.check()))
    assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('a location claimed by another installation during the check stays unchanged', async () => {
    const hasObjects = async () => {
      await open('late').check()
      return false
    }
    const late = open('late', { id: 'installation-2', hasObjects })
    await assert.rejects(late.check(), failsWith('foreign', /Another installation .*installation-1/))
    assert.equal(server.read('late/gatehouse-installation').toString(), 'installation-1\n')
  })

  test('a location without a marker is refused once objects were stored; findOwner writes nothing', async () => {
    const store = open('elsewhere', { hasObjects: async () => true })
    assert.equal(await store.findOwner(), undefined)
    await assert.rejects(store.get('archives/a/1'), failsWith('foreign', /is not where .*installation-1/))
    assert.deepEqual(server.keys('elsewhere'), [])
  })

  test('wrong credentials, region and bucket have distinct errors without secrets', async () => {
    const url = `${server.origin}/archives/wrong`
    const refusals: [store: ObjectStore, fault: ObjectStoreFault, message: RegExp][] = [
      [
        openStore(url, { key: { accessKeyId: 'UNKNOWN' } }),
        'refused',
        /(UserNotFound|InvalidAccessKeyId).*Check .*(access key|AWS_ACCESS_KEY_ID)/,
      ],
      [
        openStore(url, { key: { secretAccessKey: 'the-secret-of-another' } }),
        'refused',
        /SignatureDoesNotMatch.*Check AWS_SECRET_ACCESS_KEY/,
      ],
      [openStore(url, { key: { region: 'eu-1' } }), 'refused', /AWS_REGION/],
      [openStore(`${server.origin}/missing/wrong`), 'refused', /NoSuchBucket.*Create the bucket/],
    ]
    for (const [store, fault, message] of refusals) {
      stores.push(store)
      for (const attempt of [() => store.check(), () => store.get('archives/a/1'), () => store.remove('archives/a/1')])
        await assert.rejects(attempt(), failsWith(fault, message))
    }
  })

  test('an object store that is down fails as unreachable and works again once it is back', async () => {
    const store = open('down')
    await store.put('archives/a/1', Buffer.from('x'))
    await server.stop()
    const down = failsWith('unreachable', /does not respond/)
    await assert.rejects(store.get('archives/a/1'), down)
    await assert.rejects(store.put('archives/a/2', Buffer.from('y')), down)
    await assert.rejects(store.remove('archives/a/1'), down)
    const started = open('down')
    await assert.rejects(started.check(), down)
    await server.start()
    assert.equal((await store.get('archives/a/1'))?.toString(), 'x')
    await started.check()
  })
})

test('object store: responses that are not from S3 never mean that an object is missing', async () => {
  let answer: [status: number, body: string] = [200, '']
  await using server = await serveHttp((request, response) => {
    if (request.url!.endsWith('/gatehouse-installation')) response.end('installation-1\n')
    else response.writeHead(answer[0], { location: 'http://127.0.0.1:9/' }).end(answer[1])
  })
  const store = openStore(`${server.url}/bucket`)
  const cases: [status: number, body: string, fault: ObjectStoreFault][] = [
    [404, '', 'refused'],
    [404, '<html>Not found</html>', 'refused'],
    [404, '<Error><Code>NoSuchBucket</Code></Error>', 'refused'],
    [403, '<Error><Code>AccessDenied</Code></Error>', 'refused'],
    [301, '<Error><Code>PermanentRedirect</Code></Error>', 'refused'],
    [500, '<Error><Code>InternalError</Code></Error>', 'unreachable'],
    [503, '<Error><Code>SlowDown</Code></Error>', 'unreachable'],
    [429, '', 'unreachable'],
  ]
  try {
    for (const row of cases) {
      const [status, body, fault] = row
      answer = [status, body]
      await assert.rejects(store.get('a'), failsWith(fault, new RegExp(`HTTP ${status}`)))
      await assert.rejects(store.remove('a'), failsWith(fault, new RegExp(`HTTP ${status}`)))
      await assert.rejects(store.put('a', randomBytes(9)), failsWith(fault, new RegExp(`HTTP ${status}`)))
    }
    answer = [404, '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>']
    assert.equal(await store.get('a'), undefined)
    await store.remove('a')
    await assert.rejects(store.put('a', randomBytes(9)), failsWith('refused', /NoSuchKey/))
  } finally {
    await store.close()
  }
})

test('object store: a private address outside GATEHOUSE_OUTGOING_ALLOW is refused', async () => {
  const store = createObjectStore({
    location: objectLocation('https://store.example/bucket'),
    sign: createSigner(KEY),
    outgoing: createOutgoing({ allow: [] }, async () => [{ address: '10.0.0.1', family: 4 }]),
    installationId: async () => randomUUID(),
    hasObjects: async () => false,
  })
  await assert.rejects(store.check(), failsWith('refused', /GATEHOUSE_OUTGOING_ALLOW/))
  await store.close()
})

test('object store: the location is a bucket with an optional prefix, without credentials', () => {
  const places: [written: string, place: object][] = [
    ['https://s3.example/bucket', { origin: 'https://s3.example', bucket: 'bucket', prefix: '' }],
    ['http://10.0.0.1:9000/my.b-1/a/b/', { origin: 'http://10.0.0.1:9000', bucket: 'my.b-1', prefix: 'a/b' }],
  ]
  for (const [written, place] of places) assert.deepEqual(objectLocation(written), place)
  const refusals: [written: string, why: RegExp][] = [
    ['s3://bucket/x', /must be a URL like https/],
    ['bucket', /must be a URL like https/],
    ['https://s3.example', /name a bucket/],
    ['https://s3.example/Bucket', /name a bucket/],
    ['https://key:word@s3.example/bucket', /AWS_ACCESS_KEY_ID/],
    ['https://s3.example/bucket?x=1', /query/],
    ['https://s3.example/bucket/a%20b', /prefix/],
    ['https://s3.example/bucket/a//b', /prefix/],
  ]
  for (const [written, why] of refusals) assert.throws(() => objectLocation(written), { message: why }, written)
})
