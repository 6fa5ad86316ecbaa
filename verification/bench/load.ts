import { execFile, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../test/support/servers/free-port.ts'

export interface Load {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: 'GET' | 'POST'
  /** Path of a file that holds the body, in which `UNIQUE` is another text in each request. */
  readonly bodyFile?: string
  readonly connections: number
  readonly seconds: number
}

export interface Measured {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly answers: number
}

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

/** Returns the command that runs `command` on one core, if the machine supports this: servers on 0, load on 1. */
export function pinned(core: 0 | 1, command: readonly string[]): [string, ...string[]] {
  return (canPin ? ['taskset', '-c', String(core), ...command] : [...command]) as [string, ...string[]]
}

/** A text that autocannon replaces in each request. */
export const UNIQUE = '[<id>]'

function hasPlaceholder(bodyFile: string): boolean {
  return readFileSync(bodyFile, 'utf8').includes(UNIQUE)
}

/** Loads a URL from a process of its own, for a bounded time. Throws when anything but 2xx was answered. */
export async function load({
  url,
  headers = {},
  method = 'GET',
  bodyFile,
  connections,
  seconds,
}: Load): Promise<Measured> {
  const [command, ...args] = pinned(1, [
    process.execPath,
    fileURLToPath(import.meta.resolve('autocannon')),
    '--json',
    '--no-progress',
    '-c',
    String(connections),
    '-d',
    String(seconds),
    '-m',
    method,
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]),
    ...(bodyFile === undefined ? [] : ['-i', bodyFile, ...(hasPlaceholder(bodyFile) ? ['-I'] : [])]),
    url,
  ])
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 1 << 26 })
  const result = JSON.parse(stdout) as {
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
    non2xx: number
    errors: number
  }
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return {
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    answers: result.requests.total,
  }
}

export interface Started {
  readonly baseUrl: string
  readonly startedInMs: number
  /** Resident memory now, in megabytes. */
  memoryMb(): number
  /** The most resident memory since the start or since `forgetPeakMemory`, in megabytes. */
  peakMemoryMb(): number
  forgetPeakMemory(): void
  /**
   * Processor time that it has used so far, in all of its threads; other work on the machine does not change it much.
   */
  cpuSeconds(): number
  stop(): Promise<void>
}

/**
 * Starts a server program, on one core unless `cores` says that it may use all; it must print `listening URL` or
 * Gatehouse's own lines.
 */
export async function start(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cores: 'one' | 'all' = 'one',
): Promise<Started> {
  const begun = performance.now()
  const whole: [string, ...string[]] = [process.execPath, ...args]
  const [command, ...rest] = cores === 'one' ? pinned(0, whole) : whole
  // Processes that share a database have to know their address before they start.
  const port = environment['DATABASE_URL'] === undefined ? environment['GATEHOUSE_PORT'] : String(await freePort())
  const child = spawn(command, rest, {
    env: { PATH: process.env['PATH'], ...environment, ...(port !== undefined && { GATEHOUSE_PORT: port }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const matches = /health check\s+(\S+)\/healthz|listening (\S+)/.exec(printed)
      if (matches) resolve(matches[1] ?? matches[2]!)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${printed}`)))
  })
  return {
    baseUrl,
    startedInMs: performance.now() - begun,
    memoryMb: () => readMemoryMb(child.pid!, 'VmRSS'),
    peakMemoryMb: () => readMemoryMb(child.pid!, 'VmHWM'),
    // The kernel's documentation of proc(5): 5 resets the peak of the resident set.
    forgetPeakMemory: () => writeFileSync(`/proc/${child.pid}/clear_refs`, '5'),
    cpuSeconds: () => readProcess(child.pid!).ownSeconds,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

/** Reads the parent of a process and its processor time, own and of its children that ended. Throws if it ended. */
export function readProcess(pid: number) {
  // proc(5): the second field is in parentheses and may hold spaces; 14 to 17 are times in ticks of 10 ms.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number)
  const seconds = (first: number) => (fields[first - 3]! + fields[first - 2]!) / 100
  return { parent: fields[1]!, ownSeconds: seconds(14), endedSeconds: seconds(16) }
}

function readMemoryMb(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line![1]) / 1024
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Prints rows as an aligned table. */
export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const text = [head, ...rows].map((row) => row.map((cell) => (typeof cell === 'number' ? format(cell) : cell)))
  const widths = head.map((_, column) => Math.max(...text.map((row) => row[column]!.length)))
  for (const row of text)
    console.log(
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ')}`,
    )
  console.log()
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Math.round(value * 100) / 100)
}
