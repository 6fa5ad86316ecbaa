import { Type } from 'typebox'
import { answerOrgChange } from '#foundation/http/change.ts'
import { CountedCollection, countParameter, listOf, listQuery } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { removeIgnore } from './change-ignores.ts'
import { Ignore, ignoreFilters, toFilters, toResource } from './org-resource.ts'
import { countOrgIgnores, ignoresByAge, listOrgIgnores } from './store.ts'

export function ignoreRoutes(services: Services): Routes {
  return (scope) => {
    listRoute(scope, services)
    deleteRoute(scope, services)
  }
}

function listRoute(scope: Server, { db, keyring, now }: Services): void {
  defineOperation(scope, {
    id: 'listIgnores',
    at: 'GET /orgs/:org_id/ignores',
    summary: 'List the ignores of all projects of an organization',
    description:
      'An extension. Oldest first. `state=stale` lists those without an effect. The effect is evaluated with every test of the project and after changes of its advisories.',
    tags: ['Ignores'],
    access: { org: ['org.project.read', 'org.project.ignore.read'] },
    releases: ['2024-10-15'],
    query: listQuery({ ...ignoreFilters, ...countParameter }),
    response: { 200: CountedCollection(Ignore) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const at = now()
      const input = { orgId: orgOf(request).id, filters: toFilters(request.query, at) }
      const document = list.document(await listOrgIgnores(db, input, list.window), ignoresByAge, toResource(at))
      return request.query.count ? { ...document, meta: { count: await countOrgIgnores(db, input) } } : document
    },
  })
}

function deleteRoute(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'deleteIgnore',
    at: 'DELETE /orgs/:org_id/ignores/:ignore_id',
    summary: 'Delete one ignore',
    description:
      'An extension: the interface documents can only delete all ignores of an issue together. Other ignores stay as they are. An ignore from a repository is refused with 409.',
    tags: ['Ignores'],
    access: { org: ['org.project.read', 'org.project.ignore.read', 'org.project.ignore.delete'] },
    releases: ['2024-10-15'],
    response: { 204: Type.Null() },
    handler: async (request, reply) => {
      const id = request.params.ignore_id.toLowerCase()
      return answerOrgChange(services, { request, reply }, (change) =>
        removeIgnore({ ...change, email: undefined, now: services.now }, id),
      )
    },
  })
}
