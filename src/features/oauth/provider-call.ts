import { AsyncLocalStorage } from 'node:async_hooks'
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Provider, ProviderError } from 'oidc-provider'
import type { Db } from '#foundation/db/database.ts'
import { basePathOf } from '#foundation/http/base-path.ts'
import type { SessionRow } from './store.ts'

/** What our side knows while the provider works on a request. */
export interface ProviderWork {
  /** The transaction that all of its storage goes through. */
  readonly tx: Db
  /** When the request reached this server, epoch milliseconds. */
  readonly arrivedAt: number
  readonly address: string
  readonly requestId: string
  /** The session behind the code or refresh token, once it was looked up. */
  session?: SessionRow
  /** When the refresh token that goes out ends, epoch seconds. */
  refreshEndsAt?: number
  /** Why the provider refuses. */
  refusal?: ProviderError
  /** What broke. */
  failure?: unknown
}

const works = new AsyncLocalStorage<ProviderWork>()

/** Undefined outside of a provider's work, for instance on the pages of an interaction. */
export function currentWork(): ProviderWork | undefined {
  return works.getStore()
}

export interface ProviderRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query, below the base URL. */
  readonly url: string
  readonly baseUrl: string
  readonly cookie?: string | undefined
  readonly form?: URLSearchParams
}

export interface ProviderAnswer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

/**
 * Lets the provider answer a request of ours, and keeps the answer: nothing leaves before the transaction is stored.
 * Throws what broke inside, so that the transaction is rolled back.
 */
export async function callProvider(
  provider: Provider,
  request: ProviderRequest,
  work: ProviderWork,
): Promise<ProviderAnswer> {
  const incoming = toIncoming(request)
  const response = new ServerResponse(incoming)
  const answer = await works.run(work, async () => {
    const ended = endOf(response)
    await provider.callback()(incoming, response)
    return ended
  })
  if (work.failure !== undefined) throw work.failure
  return answer
}

/** Made anew rather than handed on: the provider sees the address that clients use, whatever stands in between. */
function toIncoming({ method, url, baseUrl, cookie, form }: ProviderRequest): IncomingMessage {
  const base = new URL(baseUrl)
  const body = form?.toString()
  const incoming = new IncomingMessage(new Socket())
  incoming.method = method
  incoming.url = url
  incoming.headers = {
    host: base.host,
    'x-forwarded-proto': base.protocol.slice(0, -1),
    ...(cookie !== undefined && { cookie }),
    ...(body !== undefined && {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(Buffer.byteLength(body)),
    }),
  }
  // The provider puts the path that a proxy strips before the addresses it makes.
  Object.assign(incoming, { baseUrl: basePathOf(baseUrl) })
  if (body !== undefined) incoming.push(body)
  incoming.push(null)
  return incoming
}

function endOf(response: ServerResponse): Promise<ProviderAnswer> {
  const { promise, resolve } = Promise.withResolvers<ProviderAnswer>()
  response.end = ((chunk: unknown) => {
    const body = typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk.toString() : ''
    resolve({ status: response.statusCode, headers: response.getHeaders(), body })
    return response
  }) as typeof response.end
  return promise
}
