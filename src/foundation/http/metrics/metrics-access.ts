import { timingSafeEqual } from 'node:crypto'
import { BlockList } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#foundation/config.ts'
import { Problem } from '#foundation/problem.ts'
import { addNetwork, includesAddress } from '#foundation/setting-readers.ts'

/** Refuses callers without access to metrics, which reveal routes, load of organizations and failed sign-ins. */
export function metricsAccess({
  metricsAllow,
  metricsToken,
}: Pick<Config, 'metricsAllow' | 'metricsToken'>): (request: FastifyRequest) => void {
  const allowed = new BlockList()
  for (const network of metricsAllow) addNetwork(allowed, network)
  return (request) => {
    if (metricsToken !== undefined && showsToken(request, metricsToken)) return
    if (!isForwardedByStranger(request) && includesAddress(allowed, request.ip)) return
    throw new Problem(
      'forbidden',
      'Metrics are not public. Read them from a network in GATEHOUSE_METRICS_ALLOW, or send GATEHOUSE_METRICS_TOKEN as a bearer token',
    )
  }
}

function showsToken({ headers }: FastifyRequest, token: string): boolean {
  const shown = Buffer.from(/^bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1] ?? '')
  const expected = Buffer.from(token)
  return shown.length === expected.length && timingSafeEqual(shown, expected)
}

/** Headers that proxies add. One without an address that is trusted hides who asks. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-forwarded-host',
  'x-forwarded-proto',
  'cf-connecting-ip',
  'true-client-ip',
]

/** An untrusted proxy on this machine makes every client look local. `ips` has more addresses only behind trusted ones. */
function isForwardedByStranger({ headers, ips = [] }: FastifyRequest): boolean {
  return ips.length <= 1 && PROXY_HEADERS.some((name) => headers[name] !== undefined)
}
