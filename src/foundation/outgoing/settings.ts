import type { LookupAddress } from 'node:dns'

/** All operator settings for outgoing requests. Read from the environment elsewhere, never here. */
export interface OutgoingSettings {
  /** Allowed hosts and networks beyond the public ones: see `parseHostPattern`. */
  readonly allow: readonly string[]
  /** Proxy for http: URLs, possibly with credentials. */
  readonly httpProxy?: string | undefined
  /** Proxy for https: URLs. */
  readonly httpsProxy?: string | undefined
  /** Hosts reached without a proxy, separated by commas or spaces; `*` for all (as curl reads NO_PROXY). */
  readonly noProxy?: string | undefined
  /** PEM certificates trusted in addition to the system's. */
  readonly extraCertificates?: string | undefined
  readonly userAgent?: string | undefined
  readonly limits?: Partial<OutgoingLimits> | undefined
}

export interface OutgoingLimits {
  readonly connectTimeoutMs: number
  /** Time from the sent request to the complete headers. */
  readonly headersTimeoutMs: number
  /** Time between two chunks of the body. */
  readonly bodyIdleTimeoutMs: number
  /** Time of a whole `get`, with its redirects and retries. */
  readonly wholeTimeoutMs: number
  /** Time of a whole `download`. */
  readonly downloadTimeoutMs: number
  /** Maximum decompressed bytes of a `get`. */
  readonly maxBytes: number
  readonly maxDownloadBytes: number
  readonly maxRedirects: number
  /** Concurrent requests per host; others wait. */
  readonly requestsPerHost: number
  /** Concurrent requests of one party to all hosts, whose names may be slow to resolve; others of that party wait. */
  readonly requestsPerParty: number
  /** The same for POSTs, which are counted separately, so that reading many packages does not delay webhooks. */
  readonly postsPerParty: number
  /** Attempts per request. */
  readonly attempts: number
  /** Attempts of a request without a connection, at most `attempts`. */
  readonly connectAttempts: number
  /** Wait before the second attempt; doubled for each further one. */
  readonly backOffMs: number
  /** Maximum Retry-After; a server that asks for a longer wait is not retried. */
  readonly maxRetryWaitMs: number
}

export const DEFAULT_LIMITS: OutgoingLimits = {
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 10_000,
  bodyIdleTimeoutMs: 10_000,
  wholeTimeoutMs: 60_000,
  downloadTimeoutMs: 30 * 60_000,
  maxBytes: 32 * 1024 * 1024,
  maxDownloadBytes: 4 * 1024 * 1024 * 1024,
  maxRedirects: 5,
  requestsPerHost: 16,
  requestsPerParty: 128,
  postsPerParty: 16,
  attempts: 3,
  connectAttempts: 3,
  backOffMs: 250,
  maxRetryWaitMs: 10_000,
}

export type Addresses = readonly LookupAddress[]

/** Resolves a name to all its addresses, in dialing order. */
export type Resolve = (name: string) => Promise<Addresses>
