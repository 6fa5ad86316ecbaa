import type { Dispatcher } from 'undici'
import { createProxyJudge } from './behind-proxy.ts'
import { type Dialling, ForbiddenEndpoint } from './dialling.ts'
import { findOutgoingFailure, OutgoingFailed, OutgoingRefused } from './outgoing-errors.ts'
import type { ProxyChoice } from './proxy-choice.ts'
import { toRefusal } from './target.ts'

export type Headers = Readonly<Record<string, string>>

/** An answer with an unread body, which must be read or destroyed. */
export interface OpenAnswer {
  readonly status: number
  /** Lower-case names; repeated headers joined by commas. */
  readonly headers: Headers
  readonly body: Dispatcher.ResponseData['body']
}

export interface DirectRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly content?: Uint8Array | undefined
}

/** One request to a checked URL. */
export interface Asked extends DirectRequest {
  readonly url: URL
  readonly headers: Headers
  readonly signal: AbortSignal
}

/** Sends one request and waits for the answer's headers; neither follows nor retries. */
export interface Exchange {
  send(request: Asked): Promise<OpenAnswer>
  close(): Promise<void>
}

export function createExchange(dialling: Dialling, chooseProxy: ProxyChoice): Exchange {
  // By the proxy's URL; the direct one has an empty key.
  const dispatchers = new Map<string, Promise<Dispatcher>>()
  const judgeBehindProxy = createProxyJudge(dialling)

  async function dispatcherFor(url: URL): Promise<Dispatcher> {
    const proxyUrl = chooseProxy(url)
    const forbidden = proxyUrl === undefined ? undefined : await judgeBehindProxy(url)
    if (forbidden) throw toRefusal(url, forbidden)
    const dispatcher = dispatchers.get(proxyUrl ?? '') ?? createDispatcher(proxyUrl, dialling)
    dispatchers.set(proxyUrl ?? '', dispatcher)
    return dispatcher
  }

  return {
    async send({ url, headers, signal, method, content }) {
      try {
        const dispatcher = await dispatcherFor(url)
        const target = { origin: url.origin, path: `${url.pathname}${url.search}` }
        const body = content === undefined ? {} : { body: content }
        const answer = await dispatcher.request({ ...target, ...body, method, headers, signal })
        return { status: answer.statusCode, headers: toHeaders(answer.headers), body: answer.body }
      } catch (error) {
        throw toOutgoingError(error, url, signal)
      }
    },
    async close() {
      await Promise.all([...dispatchers.values()].map(async (dispatcher) => (await dispatcher).destroy()))
    },
  }
}

/** Creates a dispatcher. The HTTP client is loaded with the first request, since loading code dominates the start. */
async function createDispatcher(proxyUrl: string | undefined, dialling: Dialling): Promise<Dispatcher> {
  const { createDirectDispatcher, createProxyDispatcher } = await import('./dispatchers.ts')
  return proxyUrl === undefined ? createDirectDispatcher(dialling) : createProxyDispatcher(proxyUrl, dialling)
}

/**
 * Translates a network error to one of our two errors; returns others unchanged. `signal` must be aborted with one of
 * them.
 */
export function toOutgoingError(error: unknown, url: URL, signal: AbortSignal): unknown {
  if (signal.aborted && signal.reason instanceof OutgoingFailed) return signal.reason
  if (error instanceof OutgoingFailed || error instanceof OutgoingRefused) return error
  if (error instanceof ForbiddenEndpoint) return toRefusal(url, error.forbidden)
  return findOutgoingFailure(error, url) ?? error
}

function toHeaders(raw: Record<string, string | string[] | undefined>): Headers {
  const entries = Object.entries(raw).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  )
  return Object.fromEntries(entries)
}
