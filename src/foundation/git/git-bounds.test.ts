import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { test } from 'node:test'
import { BOUNDS, gitReader, readAll } from '#test/repositories/git-reader.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { serveGit } from '#test/repositories/git-server.ts'
import { hostileGitAnswers } from '#test/repositories/hostile-git-server.ts'
import { openGitRelay } from './git-relay.ts'
import { memoryOfProcesses } from './process-memory.ts'
import type { EndedBy, RunningProgram } from './run-program.ts'
import { createGitWatch } from './watch-git.ts'

const MB = 1024 * 1024
const noProc = !existsSync('/proc/self/task') && 'needs /proc'

type Hostile = keyof typeof hostileGitAnswers
type Case = [hostile: Hostile, bounds: Partial<typeof BOUNDS>, code: string, message: RegExp]

const TOO_MUCH = /sent more than 4 MB\./
const IDLE = /nothing but progress for 1 s\./
const MEMORY = /takes more than 64 MB of memory\./

const cases: Case[] = [
  ['endless progress', { receivedBytes: 4 * MB }, 'repository-too-large', TOO_MUCH],
  ['endless progress', { idleSeconds: 1 }, 'repository-unreachable', IDLE],
  ['endless keep-alives', { receivedBytes: 4 * MB }, 'repository-too-large', TOO_MUCH],
  ['endless keep-alives', { idleSeconds: 1 }, 'repository-unreachable', IDLE],
  ['an endless pack', { receivedBytes: 4 * MB, diskBytes: 1024 * MB }, 'repository-too-large', TOO_MUCH],
  ['an endless pack', { diskBytes: 4 * MB }, 'repository-too-large', /more than 4 MB on disk/],
  ['an object of 64 GiB by its head', { memoryBytes: 64 * MB }, 'repository-too-large', MEMORY],
  ['a delta of 2 GiB', { memoryBytes: 64 * MB }, 'repository-too-large', MEMORY],
  ['endless references', { receivedBytes: 4 * MB }, 'repository-too-large', TOO_MUCH],
  ['endless references', { memoryBytes: 64 * MB, receivedBytes: 2048 * MB }, 'repository-too-large', MEMORY],
  ['endless references, compressed', { memoryBytes: 64 * MB }, 'repository-too-large', MEMORY],
]

for (const [hostile, bounds, code, message] of cases) {
  const limits = Object.keys(bounds).join(', ')
  test(`hostile git server: ${hostile} exceeds the limit of ${limits} and fails`, { skip: noProc }, async () => {
    using repository = bareRepository()
    repository.commit([{ path: 'a', content: 'a' }])
    await using server = await serveGit(repository.path, { before: hostileGitAnswers[hostile]() })
    await using reader = gitReader({ bounds: { ...bounds, seconds: 600 } })
    const location = { url: `${server.url}/repository.git`, credentials: undefined }
    await assert.rejects(reader.open(location), { code, message })
    assert.deepEqual(readdirSync(reader.folder), [])
  })
}

test('received bytes of git: files beyond the limit fail the read instead of being reported as too large', async () => {
  using repository = bareRepository()
  repository.commit([
    { path: 'a/package.json', content: '{}' },
    { path: 'b/package.json', content: randomBytes(700_000) },
    { path: 'c/package.json', content: randomBytes(700_000) },
  ])
  await using server = await serveGit(repository.path)
  await using reader = gitReader({ bounds: { receivedBytes: MB } })
  const { source } = await reader.open({ url: `${server.url}/repository.git`, credentials: undefined })
  await assert.rejects(readAll(source), { code: 'repository-too-large', message: /sent more than 1 MB/ })
  await source.close()
})

test('memory of git: all processes share a limit; above it the largest is killed as retryable', {
  skip: noProc,
}, async () => {
  const watch = createGitWatch()
  const hold = (megabytes: number) => {
    const script = `const b = Buffer.alloc(${megabytes} * 1024 * 1024, 1); process.stdout.write('x'); setInterval(() => b, 1000)`
    const child = spawn(process.execPath, ['-e', script])
    const ended = Promise.withResolvers<EndedBy>()
    const running: RunningProgram = { pid: child.pid, end: new Promise(() => {}), stop: ended.resolve }
    return { child, ended: ended.promise, running, ready: once(child.stdout, 'data') }
  }
  const [large, small] = [hold(300), hold(10)]
  try {
    await Promise.all([large.ready, small.ready])
    assert.ok((await memoryOfProcesses(process.pid))! > 300 * MB, 'children count')
    const bounds = { ...BOUNDS, memoryBytes: 10_000 * MB, memoryOfAllBytes: 300 * MB }
    const unwatch = [large, small].map(({ running }) =>
      watch.start(running, { bounds, folder: undefined, relay: undefined }),
    )
    assert.equal(await large.ended, 'memory-of-all')
    assert.equal(await Promise.race([small.ended, Promise.resolve('runs on')]), 'runs on')
    for (const end of unwatch) end()
  } finally {
    for (const { child } of [large, small]) child.kill('SIGKILL')
  }
})

test('git relay: refuses clients without its token', async () => {
  const relay = await openGitRelay(
    { host: '127.0.0.1', port: 1, addresses: [], isTls: false, isSocks: true },
    { receivedBytes: 1 },
  )
  const greet = async (...pieces: (number[] | string)[]) => {
    const socket = connect(relay.port, '127.0.0.1').on('error', () => {})
    const answers: Buffer[] = []
    socket.on('data', (bytes: Buffer) => answers.push(bytes))
    for (const piece of pieces) socket.write(Buffer.from(piece as string))
    await once(socket, 'close')
    return Buffer.concat(answers).toString('hex')
  }
  const withPassword = (password: string) => [1, 3, ...Buffer.from('git'), password.length, ...Buffer.from(password)]
  const request = [5, 1, 0, 1, 127, 0, 0, 1, 0, 1]
  try {
    assert.equal(await greet([5, 1, 0]), '')
    assert.equal(await greet('GET / HTTP/1.1\r\n\r\n'), '')
    assert.equal(await greet([5, 1, 2], withPassword('0'.repeat(32)), request), '0502')
    // The correct token leads to the target, where no server listens.
    assert.equal(await greet([5, 1, 2], withPassword(relay.token), request), '0502010005040001000000000000')
  } finally {
    relay.close()
  }
})
