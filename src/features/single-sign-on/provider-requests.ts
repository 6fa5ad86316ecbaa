import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { OutgoingFailed } from '#foundation/outgoing/outgoing-errors.ts'

const TIMEOUT_MS = 10_000
/** Metadata, keys and tokens have a few kilobytes. */
const MAX_BYTES = 1024 * 1024

interface ProviderRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>> | Headers
  readonly body?: unknown
}

/**
 * Returns a `fetch` function for libraries that sends only requests that `foundation/outgoing` allows. Redirects are
 * refused: the addresses of a provider are exact.
 */
export function createProviderRequests(outgoing: Outgoing, groupId: string) {
  return async (address: string | URL, { method = 'GET', headers, body }: ProviderRequest = {}): Promise<Response> => {
    const url = new URL(address)
    const sent = Object.fromEntries(new Headers(headers as Record<string, string>))
    const limits = { headers: sent, timeoutMs: TIMEOUT_MS, party: groupId }
    if (method === 'GET') {
      const { bytes, status, headers: theirs, url: from } = await outgoing.get(url, { ...limits, maxBytes: MAX_BYTES })
      if (new URL(from).href !== url.href) {
        throw new OutgoingFailed('bad-redirect', `${url.origin}${url.pathname}: redirects to another address`)
      }
      return toResponse(bytes, status, theirs)
    }
    const content = Buffer.from(String(body ?? ''))
    const answer = await outgoing.post(url, { ...limits, content, keptBytes: MAX_BYTES })
    return toResponse(answer.beginning, answer.status, answer.headers)
  }
}

const WITHOUT_BODY = new Set([204, 205, 304])

function toResponse(bytes: Buffer, status: number, theirs: Readonly<Record<string, string | undefined>>): Response {
  const headers = new Headers()
  for (const name of ['content-type', 'cache-control', 'www-authenticate']) {
    const value = theirs[name]
    if (value !== undefined) headers.set(name, value)
  }
  return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(bytes), { status, headers })
}
