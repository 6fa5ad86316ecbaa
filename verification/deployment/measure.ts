import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/servers/free-port.ts'

const RUNS = 5
const GIVE_UP_MS = 60_000
/** Seconds until a server with existing data should answer on an idle machine. */
const READY_SECONDS = 0.5

export function folderBytes(folder: string): number {
  return globSync('**', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0)
}

export type Program = readonly [command: string, ...args: string[]]

export interface Running {
  readonly port: number
  readonly readyMs: number
  readonly child: ChildProcess
  /** Ends the server and returns its exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts a server and waits for the first answer of /healthz. A group gets signals as from a terminal, for programs
 * that do not pass them on.
 */
export async function startProgram(
  [command, ...args]: Program,
  environment: Readonly<Record<string, string>>,
  { isGroup = false }: { readonly isGroup?: boolean } = {},
): Promise<Running> {
  const port = await freePort()
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GATEHOUSE_PORT: String(port), ...environment }
  const startedAt = performance.now()
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: isGroup })
  // The server prints this after it has also begun background work; from then on it stops cleanly.
  const begun = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => text.includes('health check') && resolve())
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  while (!(await isHealthy(port))) {
    if (child.exitCode !== null || performance.now() - startedAt > GIVE_UP_MS) {
      child.kill('SIGKILL')
      throw new Error(`${command} did not become ready: ${errors}`)
    }
    await sleep(2)
  }
  const readyMs = performance.now() - startedAt
  return {
    port,
    readyMs,
    child,
    async stop() {
      await begun
      // The output is closed when the processes that it started have ended, too.
      const ended = once(child, 'close') as Promise<[number | null]>
      process.kill(isGroup ? -child.pid! : child.pid!, 'SIGTERM')
      return (await ended)[0]
    },
  }
}

async function isHealthy(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.ok === true
}

/** Returns the median seconds until the server answers, with new and with existing data. */
export async function measureReady(program: Program): Promise<string> {
  const [fresh, existing]: [number[], number[]] = [[], []]
  for (let run = 0; run < RUNS; run++) {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-ready-'))
    try {
      for (const times of [fresh, existing]) {
        const server = await startProgram(program, { GATEHOUSE_DATA_DIR: join(folder, 'data') })
        times.push(server.readyMs)
        if ((await server.stop()) !== 0) throw new Error('the server did not stop cleanly')
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  const isLate = Number(medianSeconds(existing)) > READY_SECONDS
  const remark = isLate ? `, more than ${READY_SECONDS} s: repeat on an idle machine` : ''
  return `${medianSeconds(fresh)} s new, ${medianSeconds(existing)} s existing${remark}`
}

function medianSeconds(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  return (sorted[Math.floor(sorted.length / 2)]! / 1000).toFixed(2)
}

/** Returns the path of a program, or undefined. */
export function findProgram(name: string): string | undefined {
  const folders = `${process.env['PATH']}:/usr/sbin:/sbin:${process.env['HOME']}/go/bin`.split(':')
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}
