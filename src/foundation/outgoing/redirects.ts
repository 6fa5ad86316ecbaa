import type { Asked, Exchange, Headers, OpenAnswer } from './exchange.ts'
import type { HostPattern } from './host-patterns.ts'
import { displayUrl, OutgoingFailed } from './outgoing-errors.ts'
import { parseRedirect } from './target.ts'

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/** Headers that are sent to another origin after a redirect: none that could be a credential under any name. */
const HEADERS_FOR_ANYONE: readonly string[] = ['accept', 'accept-encoding', 'range', 'user-agent']

export interface Redirecting {
  readonly exchange: Exchange
  readonly allow: readonly HostPattern[]
  readonly maxRedirects: number
}

export interface FinalAnswer extends OpenAnswer {
  readonly url: URL
}

/** Sends a GET and follows redirects, checking each target like that of the first request. */
export async function sendFollowing(
  { exchange, allow, maxRedirects }: Redirecting,
  request: Pick<Asked, 'url' | 'headers' | 'signal'>,
): Promise<FinalAnswer> {
  let { url, headers } = request
  for (let followed = 0; ; followed++) {
    const answer = await exchange.send({ method: 'GET', url, headers, signal: request.signal })
    const location = REDIRECTS.includes(answer.status) ? answer.headers['location'] : undefined
    if (location === undefined) return { ...answer, url }
    discard(answer)
    if (followed === maxRedirects)
      throw new OutgoingFailed('too-many-redirects', `${displayUrl(request.url)}: more than ${maxRedirects} redirects`)
    const next = parseRedirect(url, location, allow)
    if (next.origin !== url.origin) headers = onlyForAnyone(headers)
    url = next
  }
}

/** Ends an unfinished answer with its connection. */
export function discard({ body }: OpenAnswer): void {
  body.on('error', () => {}).destroy()
}

function onlyForAnyone(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HEADERS_FOR_ANYONE.includes(name)))
}
