import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#foundation/config.ts'
import { Problem } from '#foundation/problem.ts'
import { SharedBytes } from '#foundation/shared-memory.ts'
import { type BodyMemory, createBodyMemory } from './body-memory.ts'

export type Payload = NodeJS.ReadableStream & { destroy?(): void }

export interface ReadOptions {
  /** Bytes after decompression. */
  readonly maxBytes: number
  /** Inspects arriving bytes; throws `Problem` to refuse the rest. */
  check?(bytes: Uint8Array): void
  /** Stores the bytes in memory that other threads can read without a copy. */
  readonly isShared?: boolean
}

/** Reads request bodies into counted memory within a time limit. */
export interface BodyReader {
  readonly memory: BodyMemory
  /** The largest body allowed, after decompression. */
  readonly maxBytes: number
  /** Reads the body; empty if there is none. Throws `Problem`, after which further bytes are dropped. */
  read(request: FastifyRequest, payload: Payload, options: ReadOptions): Promise<Uint8Array>
  /** Resolves when this body may be parsed: one large body per turn of the event loop. */
  takeTurn(bytes: number): Promise<void> | undefined
}

/** Seconds of silence after which a client counts as gone. */
const MAX_SILENCE_SECONDS = 20

/** Parsing less takes under a millisecond. */
const TURN_BYTES = 16 * 1024

const MB = 1024 * 1024

type Settings = Pick<Config, 'bodyLimitBytes' | 'bodiesMb' | 'bodiesPerClientMb' | 'bodySeconds'>

export function createBodyReader(config: Settings): BodyReader {
  const { bodyLimitBytes: maxBytes, bodySeconds: seconds } = config
  const memory = createBodyMemory({ totalBytes: config.bodiesMb * MB, clientBytes: config.bodiesPerClientMb * MB })
  let lastTurn: Promise<void> = Promise.resolve()
  return {
    memory,
    maxBytes,
    read: (request, payload, options) => readInto(memory, { request, payload, seconds }, options),
    takeTurn(bytes) {
      if (bytes <= TURN_BYTES) return undefined
      lastTurn = lastTurn.then(() => nextTurn())
      return lastTurn
    },
  }
}

interface Incoming {
  readonly request: FastifyRequest
  readonly payload: Payload
  readonly seconds: number
}

function readInto(
  memory: BodyMemory,
  { request, payload, seconds }: Incoming,
  { maxBytes, check, isShared = false }: ReadOptions,
): Promise<Uint8Array> {
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  const chunks: Uint8Array[] = []
  const shared = isShared ? new SharedBytes(maxBytes) : undefined
  let received = 0
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => refuse(tooSlow(seconds)), seconds * 1000)
    const silence = setTimeout(() => refuse(tooSlow(MAX_SILENCE_SECONDS)), MAX_SILENCE_SECONDS * 1000)

    function stop(): void {
      clearTimeout(deadline)
      clearTimeout(silence)
      payload.off('data', take).off('end', end).off('error', fail)
      chunks.length = 0
    }

    function refuse(error: unknown): void {
      stop()
      dropRest(request, payload)
      reject(error)
    }

    function fail(error: Error): void {
      refuse(toClientClosed(request, error))
    }

    function take(chunk: Buffer): void {
      silence.refresh()
      received += chunk.length
      try {
        if (received > maxBytes) throw tooLarge(maxBytes)
        memory.leaseOf(request).add(chunk.length)
        check?.(chunk)
        if (shared) shared.add(chunk)
        else chunks.push(chunk)
      } catch (error) {
        refuse(error)
      }
    }

    function end(): void {
      const whole = shared ? shared.take() : join(chunks, received)
      stop()
      if (Number.isNaN(length) || length === received) resolve(whole)
      else reject(new Problem('body-unreadable', 'The length of the body differs from content-length'))
    }

    if (length > maxBytes) return refuse(tooLarge(maxBytes))
    payload.on('data', take).on('end', end).on('error', fail)
    payload.resume()
  })
}

/** Returns a refusal if the error is that the client left before its body was complete; returns others unchanged. */
export function toClientClosed({ raw }: FastifyRequest, error: unknown): unknown {
  if (raw.complete || raw.errored !== error) return error
  return new Problem('client-closed', 'The client closed the connection before the body was complete')
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)
}

/**
 * Reads and discards the rest without decompressing it, because Node does not notice the end of an unread connection.
 */
function dropRest({ raw }: FastifyRequest, payload: Payload): void {
  // Errors of dropped data are ignored.
  payload.on('error', () => {})
  if ((payload as unknown) !== raw) {
    raw.unpipe()
    payload.destroy?.()
  }
  raw.resume()
}

function tooLarge(maxBytes: number): Problem {
  return new Problem(
    'too-large',
    `The body is larger than ${maxBytes.toLocaleString('en')} bytes, the limit after decompression`,
  )
}

function tooSlow(seconds: number): Problem {
  return new Problem('request-timeout', `The body did not arrive within ${seconds} s. Repeat the request`, {
    headers: { connection: 'close' },
  })
}
