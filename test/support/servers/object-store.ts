import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { VERSITYGW } from './object-store-place.ts'

/** The reason to skip a suite, or false. */
export const lacksObjectStore = existsSync(VERSITYGW) ? false : 'needs versitygw: run "npm run install:versitygw"'

export const ACCESS_KEY = 'ACCESS-KEY-OF-TESTS'
export const SECRET_ACCESS_KEY = 'the-secret-of-the-object-store-of-tests'

/** An S3 server on loopback with one bucket in a folder. */
export interface TestObjectStore extends AsyncDisposable {
  readonly origin: string
  /** Settings that use the bucket `archives` with this prefix. */
  environment(prefix: string): Record<string, string>
  /** Returns the keys of all objects below the prefix. */
  keys(prefix: string): string[]
  read(key: string): Buffer
  remove(key: string): void
  start(): Promise<void>
  /** Stops it from answering; connections stay open. */
  pause(): void
  resume(): void
  /** Resolves when a client waits for a paused server. */
  untilAsked(): Promise<void>
  /** Ends it as a crash would; the objects stay. */
  stop(): Promise<void>
}

export async function startObjectStore(): Promise<TestObjectStore> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-objects-'))
  const bucket = join(folder, 'buckets/archives')
  for (const name of ['buckets/archives', 'meta']) mkdirSync(join(folder, name), { recursive: true })
  const port = await freePort()
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    // Not every file system of temporary files has extended attributes.
    const places = ['--sidecar', join(folder, 'meta'), join(folder, 'buckets')]
    child = spawn(VERSITYGW, ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', ...places], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ROOT_ACCESS_KEY: ACCESS_KEY, ROOT_SECRET_KEY: SECRET_ACCESS_KEY },
    })
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`versitygw ended with ${child.exitCode}`)
      await sleep(20)
    }
  }

  async function stop(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  await start()
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    environment: (prefix) => ({
      GATEHOUSE_OBJECT_STORE: `${origin}/archives/${prefix}`,
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET_ACCESS_KEY,
    }),
    keys(prefix) {
      const below = join(bucket, prefix)
      if (!existsSync(below)) return []
      const entries = readdirSync(below, { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(below.length + 1))
        .sort()
    },
    read: (key) => readFileSync(join(bucket, key)),
    remove: (key) => rmSync(join(bucket, key)),
    start,
    stop,
    pause: () => void child!.kill('SIGSTOP'),
    resume: () => void child!.kill('SIGCONT'),
    async untilAsked() {
      while (!hasUnreadBytes(port)) await sleep(10)
    },
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** States of a connection and of a listening socket in `/proc/net/tcp`, without those that the client has closed. */
const OPEN_STATES = ['01', '0A']

/** Returns true if the server has not read what arrived on one of its connections, or a connection itself. */
function hasUnreadBytes(port: number): boolean {
  const own = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .some(
      ([, local, , state, queues]) =>
        local?.endsWith(own) && OPEN_STATES.includes(state!) && !queues!.endsWith(':00000000'),
    )
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
