import type { Operations } from '../../src/client/api/operations.generated.ts'
import { paths } from '../../src/client/api/paths.generated.ts'
import { basePath } from '../navigation/base-path.ts'
import { Refusal, readRefusal } from './refusal.ts'
import { credentialHeaders } from './session.ts'

/** The date of the interface this console was written for. */
const VERSION = '2024-10-15'

type Id = keyof Operations
export type Answer<I extends Id> = Operations[I]['answer']

interface Options<I extends Id> {
  readonly query?: Operations[I]['query']
  readonly body?: Operations[I]['body']
  /** Files, a part for each, instead of JSON. */
  readonly form?: FormData
  /** Makes a creation safe to repeat. */
  readonly idempotencyKey?: string
  /** Instead of the key that is kept. */
  readonly key?: string
  readonly signal?: AbortSignal
}

export type Call<I extends Id> = Options<I> &
  (keyof Operations[I]['params'] extends never
    ? { readonly params?: never }
    : { readonly params: Operations[I]['params'] })

/** Carries out an operation of the published interface as the signed-in user. Throws `Refusal`. */
export async function call<I extends Id>(id: I, options: Call<I>): Promise<Answer<I>> {
  const response = await send(id, options)
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as Answer<I>
}

/** The same for what is answered in headers. */
export async function send<I extends Id>(id: I, options: Call<I>): Promise<Response> {
  const { url, method, headers } = toRequest(id, options)
  const response = await reach(url, {
    method,
    headers,
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    // The browser sets the content-type with its boundary.
    ...(options.form && { body: options.form }),
    ...(options.signal && { signal: options.signal }),
  })
  // Not being ready is an answer, with the reasons in it.
  if (!response.ok && id !== 'getReadiness') throw await readRefusal(response)
  return response
}

/** Follows an operation whose answer goes on: what comes, as it comes. The browser's own client sends no key. */
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
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  )
  const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return given.length === 0 ? '' : `?${parameters}`
}

/** Sends a request. The session's cookie goes along unless the request shows a key. */
export async function reach(
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

/** A name for one intended creation: sent again with the same body, it changes nothing more. */
export function newIdempotencyKey(): string {
  // Not randomUUID: browsers offer that on secure origins only.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
