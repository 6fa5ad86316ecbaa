import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gitReader, readAll } from '#test/repositories/git-reader.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { serveGit } from '#test/repositories/git-server.ts'
import { unfinishedPack } from '#test/repositories/hostile-git-server.ts'
import { createSharedRoom, type RoomShare, type SharedRoom } from './shared-room.ts'

const MB = 1024 * 1024
const disk = (bytes: number) => ({ disk: bytes, received: 0 })
const roomOf = (bytes: number, all: number) =>
  createSharedRoom({ usage: { disk: bytes, received: 1 }, all: { disk: all, received: 100 } })

/** A share whose fetches are observed. */
function observe(room: SharedRoom) {
  const share = room.open()
  const state = { entered: false, stopped: 0 }
  const enter = (again = false, signal?: AbortSignal) => {
    state.entered = false
    return share.enter({ stop: () => state.stopped++, again, signal }).then(() => {
      state.entered = true
    })
  }
  return { ...share, state, enter }
}

async function fill(share: ReturnType<typeof observe>, bytes: number): Promise<void> {
  await share.enter()
  share.leave(disk(bytes))
}

const close = (...shares: Pick<RoomShare, 'close'>[]) => {
  for (const share of shares) share.close()
}

test('shared limit: a single repository may use its own limit even if the shared one is smaller', async () => {
  const one = observe(roomOf(100, 10))
  for (const bytes of [5, 50, 100]) {
    await one.enter()
    one.update(disk(bytes))
    one.leave(disk(bytes))
  }
  assert.equal(one.state.stopped, 0)
})

test('shared limit: the oldest repository may always fetch, others while there is room beside its limit', async () => {
  const room = roomOf(100, 150)
  const [oldest, second, third] = [observe(room), observe(room), observe(room)]
  await fill(second, 50)
  third.enter()
  await fill(oldest, 90)
  await oldest.enter()
  oldest.update(disk(100))
  await setImmediate()
  assert.deepEqual([oldest.state.stopped, third.state.entered], [0, false])
  second.close()
  await setImmediate()
  assert.equal(third.state.entered, true)
  close(oldest, third)
})

test('shared limit: a fetch that takes too much is stopped and restarts once its limit fits', async () => {
  const room = roomOf(100, 300)
  const [oldest, second, third, fourth] = [observe(room), observe(room), observe(room), observe(room)]
  await fill(oldest, 10)
  await fill(second, 160)
  await second.enter()
  await fourth.enter()
  await third.enter()
  fourth.update(disk(10))
  third.update(disk(30))
  assert.equal(third.state.stopped, 0)
  third.update(disk(31))
  assert.deepEqual([second.state.stopped, third.state.stopped, fourth.state.stopped], [0, 1, 0])
  // Measurements while it ends stop no other fetch.
  third.update(disk(80))
  third.leave(disk(1))
  third.enter(true)
  await setImmediate()
  assert.equal(third.state.entered, false, '160 + 10 + 100 do not fit')
  second.close()
  await setImmediate()
  assert.equal(third.state.entered, true)
  // The room reserves its whole limit, so other fetches are stopped instead.
  fourth.update(disk(101))
  third.update(disk(100))
  assert.deepEqual([third.state.stopped, fourth.state.stopped], [1, 1])
  close(oldest, third, fourth)
})

test('shared limit: repositories that wait for each other resume, oldest first', async () => {
  const room = createSharedRoom({ usage: { disk: 100, received: 100 }, all: { disk: 150, received: 150 } })
  const [first, second, third] = [observe(room), observe(room), observe(room)]
  first.leave({ disk: 90, received: 10 })
  second.leave({ disk: 10, received: 90 })
  third.leave({ disk: 60, received: 60 })
  third.enter(true)
  second.enter(true)
  await setImmediate()
  assert.deepEqual([second.state.entered, third.state.entered], [false, false])
  first.close()
  await setImmediate()
  assert.deepEqual([second.state.entered, third.state.entered], [true, false])
  second.close()
  await setImmediate()
  assert.equal(third.state.entered, true)
  third.close()
})

test('shared limit: an aborted signal ends the wait', async () => {
  const room = roomOf(100, 100)
  const [oldest, other] = [observe(room), observe(room)]
  const gone = new AbortController()
  const refused = assert.rejects(other.enter(false, gone.signal), { code: 'unavailable' })
  gone.abort()
  await refused
  await assert.rejects(other.enter(true, AbortSignal.abort()), { code: 'unavailable' })
  oldest.close()
  await other.enter()
  other.close()
})

for (const kind of ['disk', 'received'] as const) {
  test(`shared git limit of ${kind} bytes: a repository without room waits until another is closed`, async () => {
    using large = bareRepository()
    large.commit(
      Array.from({ length: 6 }, (_, n) => ({ path: `${n}.json`, content: randomBytes(MB / 2).toString('hex') })),
    )
    using small = bareRepository()
    small.commit([{ path: 'package.json', content: '{}' }])
    const pack = unfinishedPack(2.5 * MB)
    await using largeServer = await serveGit(large.path)
    await using smallServer = await serveGit(small.path, { before: pack.answer })
    await using reader = gitReader({
      bounds:
        kind === 'disk'
          ? { diskBytes: 8 * MB, diskOfAllBytes: 10 * MB }
          : { receivedBytes: 8 * MB, receivedOfAllBytes: 10 * MB },
    })
    const first = await reader.open({ url: `${largeServer.url}/repository.git`, credentials: undefined })
    assert.equal(Object.keys(await readAll(first.source)).length, 6)

    const opening = reader.open({ url: `${smallServer.url}/repository.git`, credentials: undefined })
    await pack.left
    const stopped = new AbortController()
    const third = reader.open(
      { url: `${largeServer.url}/repository.git`, credentials: undefined },
      { signal: stopped.signal },
    )
    stopped.abort()
    await assert.rejects(third, { code: 'unavailable' })
    assert.equal(smallServer.requests.filter(({ method }) => method === 'POST').length, 2)
    await first.source.close()
    const second = await opening
    assert.deepEqual(await readAll(second.source), { 'package.json': '{}' })
    await second.source.close()
    assert.deepEqual(readdirSync(reader.folder), [])
  })
}

test('shared git limit of disk bytes: a single repository may exceed it', async () => {
  using repository = bareRepository()
  repository.commit([{ path: 'package.json', content: randomBytes(MB / 2).toString('hex') }])
  await using server = await serveGit(repository.path)
  await using reader = gitReader({ bounds: { diskOfAllBytes: 1000, receivedOfAllBytes: 1000 } })
  const { source } = await reader.open({ url: `${server.url}/repository.git`, credentials: undefined })
  assert.equal((await readAll(source))['package.json']?.length, MB)
  await source.close()
})
