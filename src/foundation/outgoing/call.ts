import { version } from '#foundation/product.ts'
import { inSpan } from '#foundation/tracing/tracing.ts'
import { createExchange, type DirectRequest, type Headers, toOutgoingError } from './exchange.ts'
import { parseHostPattern } from './host-patterns.ts'
import { displayUrl, OutgoingFailed } from './outgoing-errors.ts'
import { createProxyChoice } from './proxy-choice.ts'
import { discard, type FinalAnswer, sendFollowing } from './redirects.ts'
import { type Outcome, withRetries } from './retry.ts'
import type { OutgoingLimits, OutgoingSettings, Resolve } from './settings.ts'
import { createSlots } from './slots.ts'
import { parseTarget } from './target.ts'

/** One request of a caller with all its redirects and attempts. */
export interface Call<T> {
  /**
   * For a request that is sent unchanged and whose redirects are answers; otherwise a GET that follows redirects. A
   * POST is sent once.
   */
  readonly direct?: DirectRequest | undefined
  readonly headers: Headers | undefined
  readonly accept: string | undefined
  readonly coding: string
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Parties, such as organizations, share a host's requests fairly, and each has a limit over all hosts. */
  readonly party: string | undefined
  /** Returns true if the effects of `read` can be repeated. */
  isRepeatable(): boolean
  /** Reads an answer's body while the call holds its slot for the host. */
  read(answer: FinalAnswer, signal: AbortSignal): Promise<T>
}

export interface Calls {
  /** Checks, sends, redirects and retries within one time limit. */
  make<T>(target: string | URL, call: Call<T>): Promise<T>
  close(): Promise<void>
}

export function createCalls(settings: OutgoingSettings, limits: OutgoingLimits, resolve: Resolve): Calls {
  const allow = settings.allow.map(parseHostPattern)
  const dialling = { allow, extraCertificates: settings.extraCertificates, limits, resolve }
  const exchange = createExchange(dialling, createProxyChoice(settings))
  const redirecting = { exchange, allow, maxRedirects: limits.maxRedirects }
  const slots = createSlots(limits.requestsPerHost)
  const ofParties = { GET: createSlots(limits.requestsPerParty), POST: createSlots(limits.postsPerParty) }
  const userAgent = settings.userAgent ?? `gatehouse/${version}`

  async function makeCall<T>(url: URL, call: Call<T>): Promise<T> {
    const headers = toRequestHeaders(call, userAgent)
    const clock = startClock(url, call)
    const { signal } = clock
    const { direct } = call
    const isPost = direct?.method === 'POST'
    const send = async (): Promise<FinalAnswer> => {
      if (direct === undefined) return sendFollowing(redirecting, { url, headers, signal })
      return { ...(await exchange.send({ ...direct, url, headers, signal })), url }
    }
    const attempt = async (): Promise<Outcome<T>> => {
      const answer = await send()
      try {
        const value = await call.read(answer, signal)
        return { value, status: answer.status, retryAfter: answer.headers['retry-after'] }
      } catch (error) {
        throw toOutgoingError(error, answer.url, signal)
      } finally {
        discard(answer)
      }
    }
    try {
      const attempts = isPost ? 1 : limits.attempts
      const retrying = { limits: { ...limits, attempts }, signal, isRepeatable: call.isRepeatable }
      const { party } = call
      const ofParty = ofParties[isPost ? 'POST' : 'GET']
      const inTurn = () => slots.run(url.host, { signal, party }, attempt)
      return await withRetries(retrying, () =>
        party === undefined ? inTurn() : ofParty.run(party, { signal }, inTurn),
      )
    } catch (error) {
      throw toOutgoingError(error, url, signal)
    } finally {
      clock.stop()
    }
  }

  return {
    async make<T>(target: string | URL, call: Call<T>): Promise<T> {
      const url = parseTarget(target, allow)
      const attributes = { 'server.address': url.host, 'http.request.method': call.direct?.method ?? 'GET' }
      return inSpan('outgoing request', attributes, () => makeCall(url, call))
    },
    close: () => exchange.close(),
  }
}

/** Combines the caller's signal with our time limit; its reason is always an `OutgoingFailed`. */
function startClock(url: URL, { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined }) {
  const controller = new AbortController()
  const end = (code: 'timeout' | 'aborted', what: string) =>
    controller.abort(new OutgoingFailed(code, `${displayUrl(url)}: ${what}`, { cause: signal?.reason }))
  const onAbort = () => end('aborted', 'the request was canceled')
  const timer = setTimeout(() => end('timeout', `not finished within ${timeoutMs} ms`), timeoutMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  return {
    signal: controller.signal,
    stop() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

function toRequestHeaders({ headers = {}, accept = '*/*', coding }: Call<unknown>, userAgent: string): Headers {
  const theirs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { accept, ...Object.fromEntries(theirs), 'accept-encoding': coding, 'user-agent': userAgent }
}
