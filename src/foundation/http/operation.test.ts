import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify, { type RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { Uuid, Versioned } from './documents.ts'
import { defineOperation } from './operation.ts'
import type { Server } from './server.ts'

/** Returns the only route that `add` adds to a server. */
function routeOf(add: (server: Server) => void): RouteOptions {
  const server = Fastify()
  const routes: RouteOptions[] = []
  server.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route)
  })
  add(server as unknown as Server)
  assert.equal(routes.length, 1)
  return routes[0]!
}

const answer = { response: { 200: Type.Object({}) }, handler: async () => ({}) }

test('operation: access, releases and limits become configuration, the rest schema', () => {
  const { method, url, config, schema } = routeOf((server) =>
    defineOperation(server, {
      id: 'getThing',
      at: 'GET /orgs/:org_id/things/:name',
      summary: 'Read a widget',
      tags: ['Things'],
      access: { org: ['org.read'] },
      releases: ['2024-10-15'],
      limitPerAddress: 5,
      ...answer,
    }),
  )
  assert.deepEqual([method, url], ['GET', '/orgs/:org_id/things/:name'])
  assert.deepEqual(
    [config?.access, config?.releases, config?.limitPerAddress],
    [{ org: ['org.read'] }, ['2024-10-15'], 5],
  )
  assert.deepEqual([schema?.operationId, schema?.summary, schema?.tags], ['getThing', 'Read a widget', ['Things']])
  assert.equal('access' in schema!, false)
})

test('path parameters: UUIDs under REST, strings in v1, otherwise as described', () => {
  const describe = (at: `GET ${string}`, params?: ReturnType<typeof Type.Object>) =>
    routeOf((server) =>
      defineOperation(server, { id: 'x', at, access: 'public', ...(params && { params }), ...answer }),
    ).schema?.params
  assert.deepEqual(describe('GET /orgs/:org_id/apps/:app_id'), Type.Object({ org_id: Uuid, app_id: Uuid }))
  assert.deepEqual(describe('GET /org/:orgId'), Type.Object({ orgId: Type.String() }))
  assert.deepEqual(describe('GET /things/:name', Type.Object({ name: Uuid })), Type.Object({ name: Uuid }))
  assert.equal(describe('GET /things'), undefined)
})

test('query: requires a version if the operation has releases, otherwise has no schema', () => {
  const query = (releases?: string[]) =>
    routeOf((server) =>
      defineOperation(server, {
        id: 'x',
        at: 'GET /things',
        access: 'public',
        ...(releases && { releases }),
        ...answer,
      }),
    ).schema?.querystring
  assert.equal(query(['2024-10-15']), Versioned)
  assert.equal(query([]), undefined)
  assert.equal(query(), undefined)
})
