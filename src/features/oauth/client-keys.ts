import { createLocalJWKSet, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { OutgoingFailed, OutgoingRefused } from '#foundation/outgoing/outgoing-errors.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { refuse } from './refused-client.ts'

const FRESH_MS = 5 * 60_000
/** Maximum age of cached keys while fetching fails. */
const KEPT_MS = 60 * 60_000
/** Minimum interval of requests for newer keys, and of requests after failures. */
const ASKED_AGAIN_AFTER_MS = 10_000
const MAX_BYTES = 256 * 1024
const TIMEOUT_MS = 10_000
const MAX_KEPT = 1000

interface Keys {
  readonly set: JWTVerifyGetKey
  readonly fetchedAt: number
}

interface Kept {
  keys?: Keys
  askedAt: number
  /** Time of the last request for newer keys. */
  renewedAt: number
  asking?: Promise<Keys> | undefined
  failure?: unknown
}

const keptOf = new WeakMap<Outgoing, Map<string, Kept>>()

interface Deps extends Pick<Services, 'now'> {
  readonly outgoing: Outgoing
}

/** The public keys (RFC 7517) that a client publishes, fetched on demand and cached. */
export function clientKeys(
  deps: Deps,
  url: string,
): {
  current(): Promise<JWTVerifyGetKey>
  /** Fetches the keys again for an unknown one; undefined if that was done just before. */
  newer(): Promise<JWTVerifyGetKey | undefined>
} {
  const kept = keptFor(deps.outgoing, url)
  return {
    async current() {
      const age = kept.keys ? deps.now() - kept.keys.fetchedAt : Infinity
      if (kept.keys && age < FRESH_MS) return kept.keys.set
      try {
        return (await ask(deps, kept, url)).set
      } catch (error) {
        if (kept.keys && age < KEPT_MS) return kept.keys.set
        throw error
      }
    },
    async newer() {
      if (!kept.asking && deps.now() - kept.renewedAt < ASKED_AGAIN_AFTER_MS) return undefined
      if (!kept.asking) kept.renewedAt = deps.now()
      return (await ask(deps, kept, url)).set
    },
  }
}

function keptFor(outgoing: Outgoing, url: string): Kept {
  const all = keptOf.get(outgoing) ?? new Map<string, Kept>()
  keptOf.set(outgoing, all)
  const cached = all.get(url)
  if (cached) return cached
  if (all.size >= MAX_KEPT) all.clear()
  const kept: Kept = { askedAt: 0, renewedAt: 0 }
  all.set(url, kept)
  return kept
}

/** Fetches once for concurrent requests. */
async function ask(deps: Deps, kept: Kept, url: string): Promise<Keys> {
  const isRecent = deps.now() - kept.askedAt < ASKED_AGAIN_AFTER_MS
  if (!kept.asking && kept.failure !== undefined && isRecent) throw kept.failure
  kept.asking ??= fetchKeys(deps, url)
  const asking = kept.asking
  kept.askedAt = deps.now()
  kept.failure = undefined
  try {
    kept.keys = await asking
    return kept.keys
  } catch (error) {
    kept.failure = error
    throw error
  } finally {
    if (kept.asking === asking) kept.asking = undefined
  }
}

async function fetchKeys({ outgoing, now }: Deps, url: string): Promise<Keys> {
  try {
    const answer = await outgoing.get(url, { accept: 'application/json', maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS })
    if (answer.status !== 200) throw refuse(`The client's jwks_url returned HTTP ${answer.status}`)
    const set = JSON.parse(answer.bytes.toString('utf8')) as JSONWebKeySet
    return { set: createLocalJWKSet({ keys: set.keys.map(withOneName) }), fetchedAt: now() }
  } catch (error) {
    if (error instanceof Problem) throw error
    if (error instanceof OutgoingRefused) throw refuse(`The client's jwks_url cannot be fetched: ${error.message}`)
    if (error instanceof OutgoingFailed) {
      throw new Problem('unavailable', `The client's jwks_url did not respond: ${error.message}`, {
        headers: { 'retry-after': '10' },
        cause: error,
      })
    }
    throw refuse("The client's jwks_url has no JSON Web Key Set")
  }
}

/** Removes the names EdDSA and Ed25519, which stand for the same algorithm (RFC 9864 §2.2). */
function withOneName({ alg, ...key }: JWK): JWK {
  return key.crv === 'Ed25519' || alg === undefined ? key : { ...key, alg }
}
