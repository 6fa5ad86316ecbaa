import type { Operations } from '../../src/client/api/operations.generated.ts'
import { paths as publishedPaths } from '../../src/client/api/paths.generated.ts'
import { basePath } from '../navigation/base-path.ts'
import type { ConsoleOperations } from './console-operations.generated.ts'
import { consolePaths } from './console-paths.generated.ts'
import { Refusal, readRefusal } from './refusal.ts'
import { credentialHeaders } from './session.ts'

/** The date of the interface version that this console was written for. */
const VERSION = '2024-10-15'

/** The published operations, and those that only the console calls. */
type Known = Operations & ConsoleOperations
const paths = { ...publishedPaths, ...consolePaths }

export type Id = keyof Known
export type Answer<I extends Id> = Known[I]['answer']
export type Query<I extends Id> = Known[I]['query']
export type Body<I extends Id> = NonNullable<Known[I]['body']>
/** The resource, or the list of them, in a JSON:API document. */
export type Data<I extends Id> = Answer<I> extends { readonly data: infer Content } ? Content : never

interface Options<I extends Id> {
  readonly query?: Query<I>
  readonly body?: Known[I]['body']
  /** Files, as one part each, instead of JSON. */
  readonly form?: FormData
  /** Makes a creation safe to repeat. */
  readonly idempotencyKey?: string
  /** A key to use instead of the stored one. */
  readonly key?: string
  readonly signal?: AbortSignal
}

export type Call<I extends Id> = Options<I> &
  (Record<never, never> extends Known[I]['params']
    ? { readonly params?: never }
    : { readonly params: Known[I]['params'] })

/** Carries out an operation as the signed-in user. Throws `Refusal`. */
export async function call<I extends Id>(id: I, options: Call<I>): Promise<Answer<I>> {
  const response = await send(id, options)
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as Answer<I>
}

/** The same for the content of a JSON:API document. */
export async function callData<I extends Id>(id: I, options: Call<I>): Promise<Data<I>> {
  const { data } = (await call(id, options)) as { data: Data<I> }
  return data
}

/** The same for answers in headers. */
export async function send<I extends Id>(id: I, options: Call<I>): Promise<Response> {
  const { url, method, headers } = toRequest(id, options)
  const response = await reach(url, {
    method,
    headers,
    // A sign-out arrives even if the tab is closed meanwhile.
    keepalive: method === 'DELETE',
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    // The browser sets the content-type with its boundary.
    ...(options.form && { body: options.form }),
    ...(options.signal && { signal: options.signal }),
  })
  // An unready server answers with its reasons, which are not an error here.
  if (!response.ok && id !== 'getReadiness') throw await readRefusal(response)
  return response
}

/**
 * Follows an operation whose answer is a stream. Yields its content as it arrives. The typed client of the browser
 * sends no key.
 */
export async function follow<I extends Id>(
  id: I,
  options: Call<I> & { readonly signal: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  return (await send(id, options)).body ?? new ReadableStream()
}

/** Builds the URL and headers of an operation. */
export function toRequest<I extends Id>(id: I, options: Call<I>) {
  const [method, path] = paths[id]
  const isDated = path.startsWith('/rest/')
  return {
    method,
    url:
      basePath + fill(path, options.params ?? {}) + search({ ...(isDated && { version: VERSION }), ...options.query }),
    headers: {
      ...credentialHeaders(options.key),
      ...(options.body !== undefined && { 'content-type': isDated ? 'application/vnd.api+json' : 'application/json' }),
      ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
    },
  }
}

function fill(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function search(query: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  )
  const parameters = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))
  return entries.length === 0 ? '' : `?${parameters}`
}

/** Sends a request. The browser includes the session cookie unless the request has a key. */
async function reach(
  url: string,
  init: RequestInit & { readonly headers: Readonly<Record<string, string>> },
): Promise<Response> {
  try {
    const credentials = 'authorization' in init.headers ? 'omit' : 'same-origin'
    return await fetch(url, { credentials, redirect: 'error', ...init })
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw noAnswer()
  }
}

export function noAnswer(): Refusal {
  return new Refusal(0, 'no-answer', [
    { detail: 'The server did not respond. Check that it is running and that your network is up.' },
  ])
}

/** Returns an idempotency key for one creation: a repeated request with the same body changes nothing. */
export function newIdempotencyKey(): string {
  // `randomUUID` is only available on secure origins.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
