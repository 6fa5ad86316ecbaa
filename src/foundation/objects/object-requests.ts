import { createHash } from 'node:crypto'
import type { Answer, Outgoing } from '../outgoing/outgoing.ts'
import { OutgoingRefused } from '../outgoing/outgoing-errors.ts'
import { ObjectStoreFailed } from './object-store-failure.ts'
import type { RequestSigner } from './sign-request.ts'

type Operation = 'put' | 'get' | 'remove'
type Outcome = 'done' | 'missing' | 'failed'

/** Requests of one kind since the start of the process. */
export interface ObjectRequests {
  readonly operation: Operation
  readonly outcome: Outcome
  requests: number
  seconds: number
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** Keeps an existing object unchanged, in stores that support conditional writes. */
  readonly isNew?: boolean
}

/** The three S3 requests in use. Each throws `ObjectStoreFailed`. */
export interface ObjectClient {
  /** Returns undefined only if the store says that the object does not exist. */
  get(key: string, options?: RequestOptions): Promise<Buffer | undefined>
  put(key: string, content: Uint8Array, options?: RequestOptions): Promise<void>
  /** Also succeeds if the object does not exist. */
  remove(key: string, options?: RequestOptions): Promise<void>
  totals(): readonly Readonly<ObjectRequests>[]
}

const MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 60_000

type Sent = { content?: Uint8Array; headers?: Record<string, string>; signal: AbortSignal | undefined }

export function createObjectClient(
  base: string,
  { sign, outgoing }: { sign: RequestSigner; outgoing: Outgoing },
): ObjectClient {
  const counted = createCounts()

  async function ask(method: 'GET' | 'PUT' | 'DELETE', key: string, { content, headers, signal }: Sent) {
    const url = new URL(`${base}/${key}`)
    const digest = createHash('sha256')
      .update(content ?? '')
      .digest('hex')
    const signed = await sign({ method, url, headers: { ...headers, 'x-amz-content-sha256': digest } })
    const bounds = { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS }
    try {
      return await outgoing.send(method, url, { headers: signed, content, signal, ...bounds })
    } catch (error) {
      const fault = error instanceof OutgoingRefused ? 'refused' : 'unreachable'
      throw new ObjectStoreFailed(
        fault,
        `The object store ${base} does not respond: ${(error as Error).message}`,
        error,
      )
    }
  }

  return {
    get: (key, { signal } = {}) =>
      counted.run('get', async () => {
        const answer = await ask('GET', key, { signal })
        if (answer.status === 200) return answer.bytes
        if (isMissing(answer)) return undefined
        throw toFailure(base, answer)
      }),

    put: (key, content, { signal, isNew = false } = {}) =>
      counted.run('put', async (): Promise<void> => {
        const headers = isNew ? { 'if-none-match': '*' } : {}
        const answer = await ask('PUT', key, { content, headers, signal })
        const exists = isNew && (answer.status === 412 || answer.status === 409)
        if (answer.status !== 200 && !exists) throw toFailure(base, answer)
      }),

    remove: (key, { signal } = {}) =>
      counted.run('remove', async (): Promise<void> => {
        const answer = await ask('DELETE', key, { signal })
        if (answer.status !== 204 && answer.status !== 200 && !isMissing(answer)) throw toFailure(base, answer)
      }),

    totals: counted.totals,
  }
}

function createCounts() {
  const totals = new Map<string, ObjectRequests>()
  return {
    totals: () => [...totals.values()],
    /** Counts a request; a get that returns undefined asked for a missing object. */
    async run<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
      const startedAt = performance.now()
      let outcome: Outcome = 'failed'
      try {
        const value = await work()
        outcome = operation === 'get' && value === undefined ? 'missing' : 'done'
        return value
      } finally {
        const name = `${operation} ${outcome}`
        const total = totals.get(name) ?? { operation, outcome, requests: 0, seconds: 0 }
        totals.set(name, total)
        total.requests++
        total.seconds += (performance.now() - startedAt) / 1000
      }
    },
  }
}

type WholeAnswer = Answer & { readonly bytes: Buffer }

/** Another 404, such as that of a missing bucket, does not mean that the object is missing. */
function isMissing({ status, bytes }: WholeAnswer): boolean {
  return status === 404 && codeOf(bytes) === 'NoSuchKey'
}

/** Returns the error code of an answer, which stores write as XML. */
function codeOf(body: Buffer): string | undefined {
  return /<Code>(\w{1,60})<\/Code>/.exec(body.subarray(0, 4096).toString())?.[1]
}

const remedies: Readonly<Record<string, string>> = {
  AccessDenied:
    'Allow s3:GetObject, s3:PutObject and s3:DeleteObject for its objects and s3:ListBucket for the bucket.',
  InvalidAccessKeyId: 'Check AWS_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'Check AWS_SECRET_ACCESS_KEY and AWS_REGION.',
  AuthorizationHeaderMalformed: 'Check AWS_REGION.',
  PermanentRedirect: 'Check the address and AWS_REGION.',
  NoSuchBucket: 'Create the bucket, or correct GATEHOUSE_OBJECT_STORE.',
  RequestTimeTooSkewed: 'Synchronize the clock with NTP.',
  ExpiredToken: 'Use a key that does not expire.',
}

function toFailure(base: string, { status, bytes }: WholeAnswer): ObjectStoreFailed {
  const code = codeOf(bytes)
  const isPassing = status >= 500 || [408, 409, 429].includes(status)
  const remedy =
    remedies[code ?? ''] ?? (isPassing ? 'Try again later.' : 'Check GATEHOUSE_OBJECT_STORE and the access key.')
  const answered = code === undefined ? `HTTP ${status}` : `${code} (HTTP ${status})`
  const message = `The object store ${base} answered ${answered}. ${remedy}`
  return new ObjectStoreFailed(isPassing ? 'unreachable' : 'refused', message)
}
