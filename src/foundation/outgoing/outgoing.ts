import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { decodingSteps, toDeclaredLength } from './body.ts'
import { createCalls } from './call.ts'
import type { Headers } from './exchange.ts'
import { parseHostPattern } from './host-patterns.ts'
import { displayUrl, OutgoingFailed } from './outgoing-errors.ts'
import type { FinalAnswer } from './redirects.ts'
import { resolveWithSystem } from './resolve.ts'
import { DEFAULT_LIMITS, type OutgoingSettings, type Resolve } from './settings.ts'
import { parseTarget } from './target.ts'

export interface GetOptions {
  readonly headers?: Headers | undefined
  readonly accept?: string | undefined
  /** Limit of the decompressed body. */
  readonly maxBytes?: number | undefined
  /** Limit of the whole call with redirects and retries. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** The requesting party, such as an organization: parties share a host's requests fairly. */
  readonly party?: string | undefined
}

export interface PostOptions {
  readonly headers: Headers
  readonly content: Uint8Array
  /** Bytes read of the answer's body; the rest is not awaited. */
  readonly keptBytes: number
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly party?: string | undefined
}

export interface SendOptions {
  readonly headers: Headers
  readonly content?: Uint8Array | undefined
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export interface DownloadOptions extends GetOptions {
  readonly onProgress?: ((receivedBytes: number, totalBytes: number | undefined) => void) | undefined
}

export interface Answer {
  readonly status: number
  /** Lower-case names; repeated headers joined by commas. */
  readonly headers: Headers
  /** The address of the answer, after redirects. */
  readonly url: string
}

/**
 * Sends all requests to addresses from users or configuration. Throws `OutgoingRefused` for forbidden requests and
 * `OutgoingFailed` without an answer; any status counts as an answer.
 */
export interface Outgoing {
  /** Checks a URL without resolving its name. Throws `OutgoingRefused` if requests to it are never allowed. */
  judge(url: string | URL): URL
  get(url: string | URL, options?: GetOptions): Promise<Answer & { readonly bytes: Buffer }>
  /**
   * Posts content once; redirects are answers. Resolves with the status, whatever happens to the body, whose beginning
   * is returned raw.
   */
  post(url: string | URL, options: PostOptions): Promise<Answer & { readonly beginning: Buffer }>
  /** Sends a request that may be repeated, and retries it like `get`; redirects are answers. */
  send(
    method: 'GET' | 'PUT' | 'DELETE',
    url: string | URL,
    options: SendOptions,
  ): Promise<Answer & { readonly bytes: Buffer }>
  /**
   * Writes a large answer to a file (replaced; removed on failure) or a stream (ended; not retried after the first
   * write). Statuses other than 2xx and 304 fail with code `status`; 304 writes nothing.
   */
  download(url: string | URL, to: string | Writable, options?: DownloadOptions): Promise<Answer>
  close(): Promise<void>
}

/** Throws for an invalid allow-list or NO_PROXY. */
export function createOutgoing(settings: OutgoingSettings, resolve: Resolve = resolveWithSystem): Outgoing {
  const limits = { ...DEFAULT_LIMITS, ...settings.limits }
  const calls = createCalls(settings, limits, resolve)

  const allow = settings.allow.map(parseHostPattern)

  return {
    judge: (url) => parseTarget(url, allow),

    get(url, { maxBytes = limits.maxBytes, timeoutMs = limits.wholeTimeoutMs, ...request } = {}) {
      const { headers, accept, signal, party } = request
      const options = { headers, accept, signal, party, timeoutMs, coding: 'gzip, br, deflate' }
      return calls.make(url, { ...options, isRepeatable: () => true, read: wholeReader(maxBytes) })
    },

    post(url, { headers, content, keptBytes, timeoutMs, signal, party }) {
      const read = async (answer: FinalAnswer) => {
        return { ...toAnswer(answer), beginning: await readBeginning(answer, keptBytes) }
      }
      const options = { headers, accept: undefined, signal, party, timeoutMs, coding: 'identity' }
      const direct = { method: 'POST', content } as const
      return calls.make(url, { ...options, direct, isRepeatable: () => false, read })
    },

    send(method, url, { headers, content, maxBytes, timeoutMs, signal }) {
      const options = { headers, accept: undefined, signal, party: undefined, timeoutMs, coding: 'identity' }
      const read = wholeReader(maxBytes)
      return calls.make(url, { ...options, direct: { method, content }, isRepeatable: () => true, read })
    },

    async download(url, to, options = {}) {
      const { headers, accept, signal, party, onProgress } = options
      const { maxBytes = limits.maxDownloadBytes, timeoutMs = limits.downloadTimeoutMs } = options
      let isBegun = false
      const read = async (answer: FinalAnswer, during: AbortSignal) => {
        if (!isSuccess(answer.status)) return toAnswer(answer)
        const totalBytes = toDeclaredLength(answer.headers)
        const steps = decodingSteps(answer, { maxBytes, onBytes: (received) => onProgress?.(received, totalBytes) })
        isBegun = true
        const sink = typeof to === 'string' ? createWriteStream(to, { flush: true }) : to
        await pipeline([answer.body, ...steps, sink], { signal: during })
        return toAnswer(answer)
      }
      const isRepeatable = () => typeof to === 'string' || !isBegun
      // Compressed files gain nothing from a coding, and without one the total is known.
      const call = { headers, accept, signal, party, timeoutMs, coding: 'identity', isRepeatable, read }
      try {
        const answer = await calls.make(url, call)
        if (isSuccess(answer.status) || answer.status === 304) return answer
        const shown = displayUrl(new URL(answer.url))
        throw new OutgoingFailed('status', `${shown}: answered ${answer.status}`, { status: answer.status })
      } catch (error) {
        if (typeof to === 'string' && isBegun) await rm(to, { force: true })
        throw error
      }
    },

    close: () => calls.close(),
  }
}

function toAnswer({ status, headers, url }: FinalAnswer): Answer {
  return { status, headers, url: url.href }
}

function wholeReader(maxBytes: number) {
  return async (answer: FinalAnswer, during: AbortSignal) => {
    const chunks: Buffer[] = []
    const steps = decodingSteps(answer, { maxBytes })
    await pipeline([answer.body, ...steps, collectorOf(chunks)], { signal: during })
    return { ...toAnswer(answer), bytes: Buffer.concat(chunks) }
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

async function readBeginning({ body }: FinalAnswer, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer)
      length += (chunk as Buffer).length
      if (length >= bytes) break
    }
  } catch {
    // The status has arrived: a late or cut-off rest changes nothing.
  }
  return Buffer.concat(chunks).subarray(0, bytes)
}

function collectorOf(chunks: Buffer[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
}
