import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Permission, permissionNames } from '#foundation/access/permissions.ts'
import type { CallOptions, TestApp } from '../servers/app.ts'

/** An operation under contract test. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path of an existing resource, computed when the tests run. */
  path(): string
  /** A body that would be accepted. */
  body?(): unknown
  /** The required permission in the test's organization or group; without it, any signed-in user may call. */
  readonly needs?: { readonly permission: Permission; readonly in: 'org' | 'group' }
  /** A REST operation's first release. */
  readonly since?: string
  readonly isList?: boolean
  /** Bodies that are refused, with the pointer of the answer. */
  readonly badBodies?: readonly BadBody[]
}

export type BadBody = readonly [why: string, body: unknown, pointer: string]

type Refusal = readonly [why: string, status: number, code: string, options: CallOptions]

/** Tests the refusals that all operations share: credentials, versions, parameters, pages, bodies. */
export function testRefusals(app: () => TestApp, name: string, operation: Operation): void {
  const { method, needs } = operation
  const isRest = operation.since !== undefined
  const call = (options: CallOptions = {}) => app().call(method, operation.path(), { ...bodyOf(operation), ...options })

  describe(`refusals of ${name}`, () => {
    const refusals = [
      ...credentials,
      ...(isRest ? apiStyleRefusals(operation) : []),
      ...bodies(operation),
      ...windows(operation),
    ]
    for (const [why, status, code, options] of refusals) {
      test(`${name}: refuses ${why} (${status} ${code})`, async () =>
        assertRefusal(await call(options), { status, code }))
    }

    for (const [why, body, pointer] of operation.badBodies ?? []) {
      test(`${name}: refuses ${why} (400 at ${pointer})`, async () => {
        const answer = await call({ body })
        assert.equal(answer.statusCode, 400, answer.body)
        const faults: { source?: { pointer?: string } }[] = answer.json().errors ?? answer.json().faults
        assert.ok(
          faults.some(({ source }) => source?.pointer === pointer),
          answer.body,
        )
      })
    }

    if (operation.isList) {
      test(`${name}: refuses a cursor of another list (400 cursor-invalid)`, async () => {
        const other = await app().call(
          'GET',
          operation.path().startsWith('/rest/orgs?') ? '/rest/groups' : '/rest/orgs',
        )
        const cursor = new URL(other.json().links.first, 'http://test').searchParams.get('starting_after')!
        assertRefusal(await call({ query: { starting_after: cursor } }), { status: 400, code: 'cursor-invalid' })
      })
    }

    if (needs) {
      test(`${name}: refuses callers without ${needs.permission} (403 forbidden)`, async () => {
        const others = permissionNames.filter((permission) => permission !== needs.permission)
        const key = await app().keyWith(others, needs.in === 'group' ? { groupId: app().groupId } : {})
        const answer = await call({ key })
        assertRefusal(answer, { status: 403, code: 'forbidden' })
        assert.ok(answer.body.includes(needs.permission), answer.body)
      })
      test(`${name}: returns 404 to callers of another group`, async () => {
        const key = await app().keyWith(permissionNames, { groupId: await app().addGroup() })
        assertRefusal(await call({ key }), { status: 404, code: 'not-found' })
      })
    }
  })
}

const credentials: Refusal[] = [
  ['a missing credential', 401, 'unauthenticated', { key: null }],
  ['an unknown key', 401, 'unauthenticated', { key: randomUUID() }],
]

function apiStyleRefusals({ since }: Operation): Refusal[] {
  const dayBefore = new Date(Date.parse(since!.slice(0, 10)) - 86_400_000).toISOString().slice(0, 10)
  return [
    ['a missing version', 400, 'version-missing', { query: { version: '-' } }],
    ['an unreadable version', 400, 'version-invalid', { query: { version: '2024-13-01' } }],
    ['a future version', 400, 'version-in-future', { query: { version: '2999-01-01' } }],
    ['a version before the first release', 404, 'version-not-found', { query: { version: `${dayBefore}~wip` } }],
    ['an unknown parameter', 400, 'unknown-parameter', { query: { expandd: 'x' } }],
    ['an Accept header that excludes JSON', 406, 'not-acceptable', { headers: { accept: 'image/png' } }],
    ['a NUL in the URL', 400, 'invalid-request', { query: { version: '2024-10-15\0' } }],
  ]
}

function bodies({ body }: Operation): Refusal[] {
  if (!body) return []
  return [
    ['a missing body', 400, 'invalid-request', { body: undefined }],
    ['a body that is not an object', 400, 'invalid-request', { body: [] }],
    ['a body that is not JSON', 400, 'body-unreadable', { body: '{"data":' }],
    ['a body of another media type', 415, 'unsupported-media-type', { headers: { 'content-type': 'text/xml' } }],
  ]
}

function windows({ isList }: Operation): Refusal[] {
  if (!isList) return []
  return [
    ['limit=9', 400, 'invalid-request', { query: { limit: '9' } }],
    ['limit=101', 400, 'invalid-request', { query: { limit: '101' } }],
    ['limit=ten', 400, 'invalid-request', { query: { limit: 'ten' } }],
    ['both cursors at once', 400, 'cursor-invalid', { query: { starting_after: 'v1.e30', ending_before: 'v1.e30' } }],
    ['a garbled cursor', 400, 'cursor-invalid', { query: { starting_after: 'v1.garbled' } }],
    ['a malformed cursor', 400, 'cursor-invalid', { query: { ending_before: 'x' } }],
  ]
}

function bodyOf({ body }: Operation): CallOptions {
  return body ? { body: body() } : {}
}

/** Asserts the status and code of a refusal in either API style. */
export function assertRefusal(
  answer: Awaited<ReturnType<TestApp['call']>>,
  { status, code }: { status: number; code: string },
): void {
  assert.equal(answer.statusCode, status, answer.body)
  const body = answer.json()
  if (!body.errors) {
    assert.equal(body.errorCode, code)
    assert.equal(body.code, status)
    assert.equal(body.error, body.message)
    return
  }
  const [error] = body.errors
  assert.equal(error.code, code, answer.body)
  assert.equal(error.status, String(status))
  assert.equal(error.id, answer.headers['snyk-request-id'])
}

/** Tests that a creation repeated with its Idempotency-Key is replayed, and refused with another body. */
export function testRepetition(
  app: () => TestApp,
  name: string,
  { path, body, other }: { path(): string; body(): unknown; other(): unknown },
): void {
  test(`${name}: runs once per Idempotency-Key; another body under that key gets 409`, async () => {
    const [sent, headers] = [body(), { 'idempotency-key': randomUUID() }]
    const first = await app().call('POST', path(), { body: sent, headers })
    assert.equal(first.statusCode, 201, first.body)
    const again = await app().call('POST', path(), { body: sent, headers })
    assert.equal(again.statusCode, 201)
    assert.equal(again.body, first.body)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assertRefusal(await app().call('POST', path(), { body: other(), headers }), {
      status: 409,
      code: 'idempotency-key-reused',
    })
  })
}
