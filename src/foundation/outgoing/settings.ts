import type { LookupAddress } from 'node:dns'

/** Everything an operator may say about outgoing requests. Read from the environment elsewhere, never here. */
export interface OutgoingSettings {
  /** Hosts and networks beyond the public ones: see `parseHostPattern`. */
  readonly allow: readonly string[]
  /** Proxy for http: URLs; its URL may carry credentials. */
  readonly httpProxy?: string | undefined
  /** Proxy for https: URLs. */
  readonly httpsProxy?: string | undefined
  /** Hosts that are reached without a proxy, separated by commas or spaces; `*` for all (as curl reads NO_PROXY). */
  readonly noProxy?: string | undefined
  /** PEM certificates trusted besides the system's. */
  readonly extraCertificates?: string | undefined
  readonly userAgent?: string | undefined
  readonly limits?: Partial<OutgoingLimits> | undefined
}

export interface OutgoingLimits {
  readonly connectTimeoutMs: number
  /** From the request sent to the answer's headers complete. */
  readonly headersTimeoutMs: number
  /** Between two pieces of the body. */
  readonly bodyIdleTimeoutMs: number
  /** A whole `get`, with its redirects and retries. */
  readonly wholeTimeoutMs: number
  /** A whole `download`. */
  readonly downloadTimeoutMs: number
  /** Decompressed bytes of a `get`. */
  readonly maxBytes: number
  readonly maxDownloadBytes: number
  readonly maxRedirects: number
  /** Requests to one host at a time; others wait. */
  readonly requestsPerHost: number
  /** Times that one request is tried. */
  readonly attempts: number
  /** Wait before the second attempt; doubles for each further one. */
  readonly backOffMs: number
  /** A server that asks (Retry-After) for a longer wait than this is not asked again. */
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
  attempts: 3,
  backOffMs: 250,
  maxRetryWaitMs: 10_000,
}

export type Addresses = readonly LookupAddress[]

/** All addresses of a name, in the order to try them. */
export type Resolve = (name: string) => Promise<Addresses>
