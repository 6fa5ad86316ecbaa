import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

export interface ProgramBounds {
  readonly seconds: number
  /** Bytes of output before the program is ended. */
  readonly outputBytes: number
  /** Bytes of one written file. */
  readonly fileBytes: number
  /** Address space in bytes per process, mapped files included. */
  readonly addressSpaceBytes: number
  readonly signal?: AbortSignal | undefined
}

export interface Program {
  readonly path: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
  readonly input?: string | undefined
  /** Contents of file descriptors 3, 4 …: for secrets, invisible to other processes. */
  readonly pipes?: readonly string[] | undefined
  /** Open files to inherit, after the pipes. */
  readonly descriptors?: readonly number[] | undefined
  /** Receives output in chunks; without it the output is collected. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined
}

export type EndedBy =
  | 'exit'
  | 'signal'
  | 'time'
  | 'output'
  | 'aborted'
  | 'missing'
  | 'stopped'
  | 'memory'
  | 'memory-of-all'
  | 'received'
  | 'idle'

export interface ProgramEnd {
  readonly endedBy: EndedBy
  readonly exitCode: number | null
  readonly output: Buffer
  /** The beginning of the error output. */
  readonly errors: string
}

export interface RunningProgram {
  /** Undefined if the program could not be started. */
  readonly pid: number | undefined
  readonly end: Promise<ProgramEnd>
  /** Ends the program and all its descendants. */
  stop(why: EndedBy): void
}

const MAX_ERROR_BYTES = 64 * 1024
const BLOCK_BYTES = 512

// Limits also hold for descendants and if this process is killed. Unsupported ones (macOS: address space) are omitted.
const WITH_LIMITS = 'ulimit -c 0; ulimit -f "$1"; ulimit -t "$2"; ulimit -v "$3" 2>/dev/null; shift 3; exec "$@"'

/** Runs a program in its own process group under limits. Never rejects. */
export function runProgram(program: Program, bounds: ProgramBounds): RunningProgram {
  const limits = [
    String(Math.ceil(bounds.fileBytes / BLOCK_BYTES)),
    String(Math.ceil(bounds.seconds) + 5),
    String(Math.ceil(bounds.addressSpaceBytes / 1024)),
  ]
  const { pipes = [], descriptors = [] } = program
  const options: SpawnOptions = {
    cwd: program.cwd,
    env: program.env,
    detached: true,
    stdio: [
      program.input === undefined ? 'ignore' : 'pipe',
      'pipe',
      'pipe',
      ...pipes.map(() => 'pipe' as const),
      ...descriptors,
    ],
  }
  const child = spawn('/bin/sh', ['-c', WITH_LIMITS, 'sh', ...limits, program.path, ...program.args], options)
  let endedBy: EndedBy | undefined
  const stop = (why: EndedBy) => {
    endedBy ??= why
    killGroup(child)
  }
  const timer = setTimeout(() => stop('time'), bounds.seconds * 1000)
  const onAbort = () => stop('aborted')
  if (bounds.signal?.aborted) onAbort()
  bounds.signal?.addEventListener('abort', onAbort, { once: true })
  if (program.input !== undefined) feed(child.stdin!, program.input)
  for (const [index, text] of pipes.entries()) feed(child.stdio[index + 3] as Writable, text)
  const output = collect(child.stdout!, { limit: bounds.outputBytes, onChunk: program.onOutput, stop })
  const errors = collect(child.stderr!, { limit: MAX_ERROR_BYTES })

  const end = new Promise<ProgramEnd>((resolve) => {
    const finish = (by: EndedBy, exitCode: number | null) => {
      clearTimeout(timer)
      bounds.signal?.removeEventListener('abort', onAbort)
      const ending = endedBy ?? (exitCode === 127 ? 'missing' : by)
      resolve({ endedBy: ending, exitCode, output: output(), errors: errors().toString() })
    }
    child.once('error', () => finish('missing', null))
    child.once('close', (exitCode, signal) => finish(signal === null ? 'exit' : 'signal', exitCode))
  })
  return { pid: child.pid, end, stop }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

/** Writes input. A program that ends before reading all of it is not an error. */
function feed(stream: Writable, text: string): void {
  stream.on('error', () => {}).end(text)
}

interface Collecting {
  readonly limit: number
  readonly onChunk?: ((chunk: Buffer) => void) | undefined
  readonly stop?: (why: EndedBy) => void
}

function collect(stream: Readable, { limit, onChunk, stop }: Collecting): () => Buffer {
  const chunks: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > limit) return stop?.('output')
    if (onChunk) onChunk(chunk)
    else chunks.push(chunk)
  })
  stream.on('error', () => {})
  return () => Buffer.concat(chunks)
}
