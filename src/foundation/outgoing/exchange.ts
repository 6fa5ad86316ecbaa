import type { Dispatcher } from 'undici'
import { createProxyJudge } from './behind-proxy.ts'
import { createDirectDispatcher, createProxyDispatcher, type Dialling, ForbiddenEndpoint } from './dialling.ts'
import { findOutgoingFailure, OutgoingFailed, OutgoingRefused } from './outgoing-errors.ts'
import type { ProxyChoice } from './proxy-choice.ts'
import { toRefusal } from './target.ts'

export type Headers = Readonly<Record<string, string>>

/** An answer whose body has not been read: it must be read or destroyed. */
export interface OpenAnswer {
  readonly status: number
  /** Names in lower case; repeated ones joined by commas. */
  readonly headers: Headers
  readonly body: Dispatcher.ResponseData['body']
}

/** Sends one GET to a judged URL and waits for the answer's headers; follows nothing, tries once. */
export interface Exchange {
  send(url: URL, headers: Headers, signal: AbortSignal): Promise<OpenAnswer>
  close(): Promise<void>
}

export function createExchange(dialling: Dialling, chooseProxy: ProxyChoice): Exchange {
  const direct = createDirectDispatcher(dialling)
  const proxies = new Map<string, Dispatcher>()
  const judgeBehindProxy = createProxyJudge(dialling)

  async function dispatcherFor(url: URL): Promise<Dispatcher> {
    const proxyUrl = chooseProxy(url)
    if (proxyUrl === undefined) return direct
    const forbidden = await judgeBehindProxy(url)
    if (forbidden) throw toRefusal(url, forbidden)
    const dispatcher = proxies.get(proxyUrl) ?? createProxyDispatcher(proxyUrl, dialling)
    proxies.set(proxyUrl, dispatcher)
    return dispatcher
  }

  return {
    async send(url, headers, signal) {
      try {
        const dispatcher = await dispatcherFor(url)
        const path = `${url.pathname}${url.search}`
        const answer = await dispatcher.request({ origin: url.origin, path, method: 'GET', headers, signal })
        return { status: answer.statusCode, headers: toHeaders(answer.headers), body: answer.body }
      } catch (error) {
        throw toOutgoingError(error, url, signal)
      }
    },
    async close() {
      await Promise.all([direct, ...proxies.values()].map((dispatcher) => dispatcher.destroy()))
    },
  }
}

/** What the network threw, as one of our two errors; anything else as it is. What aborts `signal` must be one of them. */
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
