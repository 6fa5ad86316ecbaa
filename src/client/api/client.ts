import type { Operations } from './operations.generated.ts'
import { paths } from './paths.generated.ts'

export type * from './operations.generated.ts'

/** The release of the interface that the types describe. */
const VERSION = '2024-10-15'
const PAGE_ITEMS = 100

export type OperationId = keyof Operations
export type Answer<I extends OperationId> = Operations[I]['answer']

interface Options<I extends OperationId> {
  readonly query?: Operations[I]['query']
  readonly body?: Operations[I]['body']
  /** A file instead of JSON. */
  readonly file?: { readonly bytes: Uint8Array; readonly type: string }
  /** Makes a creation safe to repeat for 24 hours. */
  readonly idempotencyKey?: string
  /** The media type of the answer; default: JSON. */
  readonly accept?: string
  readonly signal?: AbortSignal
}

export type Call<I extends OperationId> = Options<I> &
  (keyof Operations[I]['params'] extends never
    ? { readonly params?: never }
    : { readonly params: Operations[I]['params'] })

/** Operations whose answers are pages of a list. */
export type ListId = {
  [I in OperationId]: Answer<I> extends { readonly data: readonly unknown[]; readonly links: { next?: string } }
    ? I
    : never
}[OperationId]
export type Item<I extends ListId> = Answer<I>['data'][number]

/** The part of `Response` that the client reads. */
export interface ApiResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}

export interface ApiRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
}

/** Sends one request. Must not follow redirects, which would pass the credential on. */
export type Transport = (url: string, request: ApiRequest) => Promise<ApiResponse>

export interface ClientOptions {
  /** The server's base URL. */
  readonly url: string
  /** An API key or an access token; a function is called for each request. Without it, requests are anonymous. */
  readonly credential?: string | (() => Promise<string>)
  /** Default: `fetch`. */
  readonly transport?: Transport
}

export interface Client {
  /** Carries out an operation and returns the JSON of its answer. Throws `ApiError`. */
  call<I extends OperationId>(id: I, options: Call<I>): Promise<Answer<I>>
  /** Carries out an operation and returns its answer, for its headers or its text. Throws `ApiError`. */
  send<I extends OperationId>(id: I, options: Call<I>): Promise<ApiResponse>
  /** Iterates over a list, page by page. Throws `ApiError`. */
  list<I extends ListId>(id: I, options: Call<I>): AsyncGenerator<Item<I>, void, void>
}

export interface Fault {
  readonly detail: string
  /** The faulty part: a JSON pointer into the body, or a parameter's name. */
  readonly at?: string
}

/** A refusal by the server. */
export class ApiError extends Error {
  /** The HTTP status. */
  readonly status: number
  /** A stable word, explained below `/docs/errors`. */
  readonly code: string
  readonly faults: readonly Fault[]
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined

  constructor(status: number, code: string, faults: readonly Fault[], requestId?: string) {
    super(faults.map(({ detail }) => detail).join('; '))
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.faults = faults
    this.requestId = requestId
  }
}

/** Creates a client of the published interface. */
export function createClient({ url, credential, transport = fetchOnce }: ClientOptions): Client {
  const base = url.replace(/\/+$/, '')

  async function send<I extends OperationId>(id: I, options: Call<I>): Promise<ApiResponse> {
    const [method, path] = paths[id]
    const secret = typeof credential === 'function' ? await credential() : credential
    const { file, body, signal } = options
    const content = file?.bytes ?? (body === undefined ? undefined : encode(path, body))
    const response = await transport(`${base}${fill(path, options.params ?? {})}${toSearch(path, options.query)}`, {
      method,
      headers: toHeaders(path, options, secret),
      ...(content !== undefined && { body: content }),
      ...(signal && { signal }),
    })
    if (response.status >= 200 && response.status < 300) return response
    throw await toApiError(response)
  }

  async function call<I extends OperationId>(id: I, options: Call<I>): Promise<Answer<I>> {
    const response = await send(id, options)
    return parseAnswer(await response.text(), paths[id][1], response.status) as Answer<I>
  }

  async function* list<I extends ListId>(id: I, options: Call<I>): AsyncGenerator<Item<I>, void, void> {
    let query: Record<string, unknown> = { limit: PAGE_ITEMS, ...options.query }
    for (;;) {
      const page = (await call(id, { ...options, query } as Call<I>)) as {
        data: Item<I>[]
        links?: { next?: string }
      }
      yield* page.data
      if (page.links?.next === undefined) return
      const after = new URL(page.links.next, base).searchParams.get('starting_after')
      if (after === null) throw new ApiError(200, 'no-cursor', [{ detail: 'The next page has no cursor' }])
      query = { ...query, starting_after: after }
    }
  }

  return { call, send, list }
}

/** Documents of the dated interface that are not JSON:API. */
const PLAIN_DOCUMENT = /\/(?:sbom|openapi(?:\/\{version\})?)$/

/** Returns undefined for an empty answer. Throws `ApiError` for one that is not of this interface. */
function parseAnswer(text: string, path: string, status: number): unknown {
  if (text === '' && (status === 204 || !isDated(path))) return undefined
  const answer = parseJson(text)
  const isPlain = !isDated(path) || PLAIN_DOCUMENT.test(path)
  const hasData = isObject(answer) && (isObject(answer['data']) || (!('data' in answer) && isObject(answer['meta'])))
  if (isPlain ? answer !== undefined && answer !== null : hasData) return answer
  throw new ApiError(status, 'unreadable-answer', [{ detail: 'The answer is not one of this interface' }])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function fill(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function toSearch(path: string, query: Readonly<Record<string, unknown>> = {}): string {
  const search = new URLSearchParams(isDated(path) ? { version: VERSION } : {})
  for (const [name, value] of Object.entries(query)) {
    for (const parameter of [value].flat()) if (parameter !== undefined) search.append(name, String(parameter))
  }
  return search.size === 0 ? '' : `?${search}`
}

/** OAuth endpoints take forms (RFC 6749 appendix B), all others JSON. */
function encode(path: string, body: unknown): string {
  return isForm(path) ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body)
}

function toHeaders(
  path: string,
  { body, file, accept, idempotencyKey }: Options<OperationId>,
  secret: string | undefined,
): Record<string, string> {
  return {
    accept: accept ?? (isDated(path) ? 'application/vnd.api+json' : 'application/json'),
    ...(secret !== undefined && { authorization: `token ${secret}` }),
    ...(file !== undefined && { 'content-type': file.type }),
    ...(body !== undefined && { 'content-type': bodyTypeOf(path) }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
}

function bodyTypeOf(path: string): string {
  if (isForm(path)) return 'application/x-www-form-urlencoded'
  return isDated(path) ? 'application/vnd.api+json' : 'application/json'
}

function isForm(path: string): boolean {
  return path.startsWith('/oauth2/')
}

function isDated(path: string): boolean {
  return path.startsWith('/rest/')
}

const fetchOnce: Transport = (url, request) => fetch(url, { ...request, redirect: 'error' } as RequestInit)

interface Source {
  readonly pointer?: string
  readonly parameter?: string
}

interface ErrorBody {
  readonly errors?: readonly { readonly code?: string; readonly detail?: string; readonly source?: Source }[]
  readonly errorCode?: string
  readonly message?: string
  readonly error?: string
  readonly error_description?: string
  readonly faults?: readonly { readonly detail?: string | undefined; readonly source?: Source }[]
}

/** Reads a refusal in the formats of the interface: JSON:API, the plain bodies of v1, and RFC 6749 §5.2. */
async function toApiError(response: ApiResponse): Promise<ApiError> {
  const answer = parseJson(await response.text())
  const body: ErrorBody = isObject(answer) ? answer : {}
  const entries: NonNullable<ErrorBody['faults']> = body.errors ??
    body.faults ?? [{ detail: body.message ?? body.error_description }]
  const faults = entries.flatMap(({ detail, source }): Fault[] => {
    const at = source?.pointer ?? source?.parameter
    return typeof detail === 'string' ? [{ detail, ...(at !== undefined && { at }) }] : []
  })
  const code = body.errors?.[0]?.code ?? body.errorCode ?? body.error ?? 'no-error-document'
  return new ApiError(response.status, code, faults, response.headers.get('snyk-request-id') ?? undefined)
}
