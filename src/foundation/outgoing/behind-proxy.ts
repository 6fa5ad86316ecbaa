import { setTimeout as sleep } from 'node:timers/promises'
import { type Forbidden, findForbidden } from './address-rules.ts'
import { type Dialling, ForbiddenEndpoint, resolvePermitted } from './dialling.ts'
import { matchesName, toEndpoint } from './host-patterns.ts'

const REMEMBERED_MS = 60_000
const MAX_REMEMBERED = 1_000
const MAX_LOOKUP_MS = 2_000

/**
 * Checks URLs behind a proxy, which resolves names itself and may see other addresses: finds only addresses known to be
 * forbidden and leaves unresolvable names to the proxy's rules. Results are cached for a minute, since our own resolver
 * is often slow there.
 */
export function createProxyJudge(dialling: Dialling): (url: URL) => Promise<Forbidden | undefined> {
  const remembered = new Map<string, { verdict: Promise<Forbidden | undefined>; until: number }>()

  return (url) => {
    const endpoint = toEndpoint(url)
    if (dialling.allow.some((pattern) => matchesName(pattern, endpoint))) return Promise.resolve(undefined)
    const cached = remembered.get(url.host)
    if (cached && cached.until > Date.now()) return cached.verdict
    remembered.delete(url.host)
    if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!)
    const byPort = findForbidden(endpoint, undefined, dialling.allow)
    const byAddress = resolvePermitted(endpoint, dialling).then(
      () => undefined,
      (error: unknown) => (error instanceof ForbiddenEndpoint ? error.forbidden : byPort),
    )
    const verdict = Promise.race([byAddress, sleep(MAX_LOOKUP_MS, byPort, { ref: false })])
    remembered.set(url.host, { verdict, until: Date.now() + REMEMBERED_MS })
    return verdict
  }
}
