export type RefusalReason = 'url' | 'scheme' | 'credentials' | 'address' | 'port' | 'downgrade'

export type FailureCode =
  | 'aborted'
  | 'bad-redirect'
  | 'body-timeout'
  | 'closed'
  | 'connect'
  | 'connect-timeout'
  | 'connection-lost'
  | 'dns'
  | 'encoding'
  | 'headers-timeout'
  | 'protocol'
  | 'proxy'
  | 'status'
  | 'timeout'
  | 'tls'
  | 'too-large'
  | 'too-many-redirects'

/**
 * A refused request. `message` can be shown to the caller that named the URL: it contains no credentials, no query and
 * no resolved address (which would reveal internal DNS).
 */
export class OutgoingRefused extends Error {
  override readonly name = 'OutgoingRefused'
  readonly reason: RefusalReason
  /** The setting that would allow it; undefined if none does. */
  readonly setting: string | undefined

  constructor(message: string, refusal: { reason: RefusalReason; setting?: string | undefined }) {
    super(refusal.setting === undefined ? message : `${message} (${refusal.setting} can allow it)`)
    this.reason = refusal.reason
    this.setting = refusal.setting
  }
}

/** The request was attempted and got no usable answer. */
export class OutgoingFailed extends Error {
  override readonly name = 'OutgoingFailed'
  readonly code: FailureCode
  /** The last answer's status, when `code` is `status`. */
  readonly status: number | undefined

  constructor(code: FailureCode, message: string, details: { status?: number; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status
  }
}

const MAX_SHOWN_CHARACTERS = 200

/** A URL for messages and logs: origin and path, no user, password, query or fragment. */
export function displayUrl(url: URL): string {
  const shown = `${url.protocol}//${url.host}${url.pathname}`
  return shown.length > MAX_SHOWN_CHARACTERS ? `${shown.slice(0, MAX_SHOWN_CHARACTERS)}…` : shown
}

const FAILURE_BY_SYSTEM_CODE: Readonly<Record<string, FailureCode>> = {
  EADDRNOTAVAIL: 'connect',
  EAI_AGAIN: 'dns',
  EBADRESP: 'dns',
  ECANCELLED: 'dns',
  ECONNABORTED: 'connection-lost',
  ECONNREFUSED: 'connect',
  ECONNRESET: 'connection-lost',
  EHOSTDOWN: 'connect',
  EHOSTUNREACH: 'connect',
  ENETDOWN: 'connect',
  ENETUNREACH: 'connect',
  ENODATA: 'dns',
  ENONAME: 'dns',
  ENOTFOUND: 'dns',
  EPIPE: 'connection-lost',
  EPROTO: 'tls',
  EREFUSED: 'dns',
  ESERVFAIL: 'dns',
  ETIMEDOUT: 'connect-timeout',
  ETIMEOUT: 'dns',
  UND_ERR_BODY_TIMEOUT: 'body-timeout',
  UND_ERR_CLOSED: 'closed',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  UND_ERR_DESTROYED: 'closed',
  UND_ERR_HEADERS_TIMEOUT: 'headers-timeout',
  UND_ERR_PRX_CONN: 'proxy',
  UND_ERR_PRX_TLS: 'proxy',
  UND_ERR_SOCKET: 'connection-lost',
}

const TLS_CODE =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/
const ENCODING_CODE = /^(?:Z_|ERR__ERROR_|ERR_BROTLI|BROTLI_)/

const PROTOCOL_CODE = /^(?:HPE_|UND_ERR_)/

const SENTENCES: Readonly<Partial<Record<FailureCode, string>>> = {
  'body-timeout': 'the server stopped sending the answer',
  closed: 'the client was closed',
  connect: 'no connection could be made',
  'connect-timeout': 'no connection could be made in time',
  'connection-lost': 'the connection was lost before the answer was complete',
  dns: 'the host name could not be resolved',
  encoding: 'the compressed answer could not be decoded',
  'headers-timeout': 'no answer began in time',
  protocol: 'the answer is not valid HTTP',
  proxy: 'the proxy did not make the connection',
  tls: 'no trusted TLS connection could be made',
}

/**
 * Translates a lower-level error for `url` to one of our codes, without its text. Undefined for errors unrelated to the
 * network: a full disk, our own bugs.
 */
export function findOutgoingFailure(error: unknown, url: URL): OutgoingFailed | undefined {
  const code = findFailureCode(error)
  if (code === undefined) return undefined
  return new OutgoingFailed(code, `${displayUrl(url)}: ${SENTENCES[code] ?? code}`, { cause: withoutData(error) })
}

/** Removes received data from undici's parser errors, which would reach the logs. */
function withoutData(error: unknown): unknown {
  return error instanceof Error && 'data' in error ? new Error(error.message) : error
}

function findFailureCode(error: unknown): FailureCode | undefined {
  if (!(error instanceof Error)) return undefined
  // undici reports a proxy's refusal to tunnel only through this message.
  if (error.message.startsWith('Proxy response (') || error.message.startsWith('Proxy Authentication')) return 'proxy'
  const systemCode = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const code = FAILURE_BY_SYSTEM_CODE[systemCode]
  if (code !== undefined) return code
  if (TLS_CODE.test(systemCode)) return 'tls'
  if (ENCODING_CODE.test(systemCode)) return 'encoding'
  // Several addresses were tried (RFC 8305), each with its own failure.
  if (error instanceof AggregateError) return 'connect'
  return error.name === 'HTTPParserError' || PROTOCOL_CODE.test(systemCode) ? 'protocol' : undefined
}
