import type { Input } from './input.ts'

/** A thread's work on one target. */
export interface Task {
  /** The module that lists targets. */
  readonly list: string
  readonly target: string
  readonly seed: number
  /** Ends after this time or that many inputs, whichever comes first. */
  readonly seconds: number
  readonly inputs: number
  /** Without seeds and mutations: only this. */
  readonly only: Input | undefined
  /** Shared buffer for the current input; see `noteInput`. */
  readonly note: SharedArrayBuffer
}

/** `refused`: the parser threw a documented error. */
export interface Progress {
  readonly inputs: number
  readonly refused: number
  readonly kept: number
  readonly branches: number
  readonly slowestMs: number
  readonly cpuSeconds: number
}

export interface Fault {
  readonly kind:
    | 'threw'
    | 'too slow'
    | 'changed a prototype'
    | 'not the same twice'
    | 'hung'
    | 'out of memory'
    | 'ended'
  readonly message: string
  /** Faults with one key are one bug. */
  readonly key: string
  readonly number: number
  readonly input: Input
}

export type Report = { readonly fault: Fault } | { readonly done: Progress }

const NOTE_BYTES = 4 * 1024 * 1024
const HEADER_BYTES = 8

export function createNote(): SharedArrayBuffer {
  return new SharedArrayBuffer(NOTE_BYTES)
}

/** Records the current input in shared memory, so that it is known even if the thread hangs. */
export function noteInput(note: SharedArrayBuffer, number: number, input: Input): void {
  const header = new Int32Array(note, 0, 2)
  const written = Buffer.from(note, HEADER_BYTES).write(JSON.stringify(input), 'utf8')
  Atomics.store(header, 1, written)
  Atomics.store(header, 0, number)
}

export function readNote(note: SharedArrayBuffer): { number: number; read(): Input } {
  const header = new Int32Array(note, 0, 2)
  return {
    number: Atomics.load(header, 0),
    read: () => {
      const text = Buffer.from(note, HEADER_BYTES, Atomics.load(header, 1)).toString('utf8')
      return text === '' ? { texts: [], world: 0 } : (JSON.parse(text) as Input)
    },
  }
}
