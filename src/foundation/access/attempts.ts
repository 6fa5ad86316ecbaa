import { normalizeIP } from '@fastify/rate-limit'
import { Problem } from '../problem.ts'

/** One presentation of a lasting secret as proof of identity, or a sign-in with an identity provider. */
export interface Attempt {
  /** Failed passwords, codes and passkeys count as `sign_in` too, but are delayed by the sign-in pages. */
  readonly kind: 'api_key' | 'client' | 'sign_in'
  readonly address: string
  /** The claimed client id, unverified, or the id of the identity provider. */
  readonly client?: string
  /** A digest of the secret, or of another proof. */
  readonly proof: string
}

export type AttemptEnd = 'failed' | 'not_checked'

/** Slows down guessing of secrets. Counts per process, like the general rate limit. */
export interface Attempts {
  /** Call before checking the secret. Throws 429 after too many failures from that address. */
  admit(attempt: Attempt): void
  worked(attempt: Attempt): void
  failed(attempt: Attempt): void
  /** Records a failure that another component slows down. */
  count(kind: Attempt['kind'], end: AttemptEnd): void
  totals(): readonly { readonly kind: Attempt['kind']; readonly end: AttemptEnd; readonly attempts: number }[]
}

interface Settings {
  /** Failed secrets allowed per address and minute; a fifth of it per client. 0 disables the limit. */
  readonly perMinute: number
  now(): number
  /** Called once when an address reaches a limit. Carries neither a secret nor a possible one. */
  onLimit(reached: { readonly kind: Attempt['kind']; readonly address: string }): void
}

const WINDOW_MS = 60_000
/** Limit of remembered failures and successes, so that attackers cannot fill the memory. */
const MAX_PROOFS = 100_000
const MAX_PLACES = 10_000

/** Failures of one client, or of API keys, from one network within a minute. */
interface Tally {
  readonly until: number
  failures: number
  readonly proofs: Set<string>
}

/** Different secrets that failed from one network within a minute. */
interface Spread {
  readonly until: number
  different: number
}

/**
 * Counts by network, and by client and network, never by client alone: otherwise anyone who knows a client's name could
 * lock it out. Secrets that have worked from an address are still checked, whatever other clients at that address do. A
 * client that repeats one outdated secret is refused unchecked after a while; a new secret from the same network is
 * still checked, so that a rotation can finish.
 */
export function createAttempts({ perMinute, now, onLimit }: Settings): Attempts {
  const perClient = Math.ceil(perMinute / 5)
  const tallies = new Map<string, Tally>()
  const spreads = new Map<string, Spread>()
  const working = createRecent(MAX_PLACES)
  const totals = new Map<`${Attempt['kind']} ${AttemptEnd}`, number>()
  let proofs = 0

  function count(kind: Attempt['kind'], end: AttemptEnd): void {
    const name = `${kind} ${end}` as const
    totals.set(name, (totals.get(name) ?? 0) + 1)
  }

  function forget(name: string, tally: Tally): void {
    proofs -= tally.proofs.size
    tallies.delete(name)
  }

  function currentTally(name: string, at: number): Tally | undefined {
    const tally = tallies.get(name)
    if (!tally || tally.until > at) return tally
    forget(name, tally)
    return undefined
  }

  /** The time until which the attempt has to wait; undefined if it may be checked now. */
  function waitsUntil({ kind, address, client, proof }: Attempt, at: number): number | undefined {
    const network = normalizeIP(address)
    const tally = currentTally(nameOf(kind, client, network), at)
    const most = client === undefined ? perMinute : perClient
    if (tally?.proofs.has(proof)) return tally.failures >= most ? tally.until : undefined
    if (tally && tally.proofs.size >= most) return tally.until
    const spread = spreads.get(network)
    return spread && spread.until > at && spread.different >= perMinute ? spread.until : undefined
  }

  function add({ kind, address, client, proof }: Attempt, at: number): void {
    const network = normalizeIP(address)
    const name = nameOf(kind, client, network)
    const tally = currentTally(name, at) ?? { until: at + WINDOW_MS, failures: 0, proofs: new Set() }
    tallies.set(name, tally)
    tally.failures++
    const most = client === undefined ? perMinute : perClient
    let isLimit = tally.failures === most
    if (!tally.proofs.has(proof)) {
      tally.proofs.add(proof)
      proofs++
      const existing = spreads.get(network)
      const spread = existing && existing.until > at ? existing : { until: at + WINDOW_MS, different: 0 }
      // Map order is insertion order: drop the oldest first.
      if (spread !== existing) spreads.delete(network)
      spreads.set(network, spread)
      spread.different++
      isLimit ||= spread.different === perMinute
    }
    if (isLimit) onLimit({ kind, address })
    for (const [oldest, one] of tallies) {
      if (proofs <= MAX_PROOFS && tallies.size <= MAX_PLACES) break
      forget(oldest, one)
    }
    for (const [oldest] of spreads) {
      if (spreads.size <= MAX_PLACES) break
      spreads.delete(oldest)
    }
  }

  return {
    admit(attempt) {
      if (tallies.size === 0 || working.has(placeOf(attempt))) return
      const at = now()
      const until = waitsUntil(attempt, at)
      if (until === undefined) return
      count(attempt.kind, 'not_checked')
      const seconds = String(Math.ceil((until - at) / 1000))
      throw new Problem(
        'rate-limited',
        `Too many failed credentials from this address. This one was not checked. Retry after ${seconds} s.`,
        { headers: { 'retry-after': seconds } },
      )
    },
    worked: (attempt) => working.add(placeOf(attempt)),
    failed(attempt) {
      count(attempt.kind, 'failed')
      if (perMinute > 0) add(attempt, now())
    },
    count,
    totals: () =>
      [...totals].map(([name, attempts]) => {
        const [kind, end] = name.split(' ') as [Attempt['kind'], AttemptEnd]
        return { kind, end, attempts }
      }),
  }
}

function nameOf(kind: string, client: string | undefined, network: string): string {
  // The client name is unverified; no real client has a longer one.
  return `${kind} ${network} ${client === undefined || client.length <= 64 ? client : 'of no client'}`
}

function placeOf({ proof, address }: Attempt): string {
  return `${proof} ${address}`
}

/** Remembers at least the most recently added `most` texts, and at most twice as many. */
function createRecent(most: number): { has(text: string): boolean; add(text: string): void } {
  let [newer, older] = [new Set<string>(), new Set<string>()]
  return {
    has: (text) => newer.has(text) || older.has(text),
    add(text) {
      if (newer.has(text)) return
      if (newer.size >= most) [newer, older] = [new Set(), newer]
      newer.add(text)
    },
  }
}
