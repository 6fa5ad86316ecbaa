import { Type } from 'typebox'
import { Collection, listOf, listQuery, Uuid } from '#foundation/http/documents.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { Ignore, ignoreFilters, toFilters, toResource } from './org-resource.ts'
import { ignoresByAge, listOrgIgnores } from './store.ts'

/** What an organisation's people decided to accept, and what of it no longer means anything. */
export function ignoreRoutes({ db, keyring, now }: Services): Routes {
  return (scope) => {
    scope.get(
      '/orgs/:org_id/ignores',
      {
        config: { access: { org: ['org.project.read', 'org.project.ignore.read'] }, releases: ['2024-10-15'] },
        schema: {
          operationId: 'listIgnores',
          summary: 'List the ignores of all projects of an organisation',
          description:
            'An extension: the interface documents have no such operation. Oldest first. `state=stale` lists those that no longer match anything; whether an ignore has an effect is judged with every test of its project, and when its advisories change.',
          tags: ['Ignores'],
          params: Type.Object({ org_id: Uuid }),
          querystring: listQuery(ignoreFilters),
          response: { 200: Collection(Ignore) },
        },
      },
      async (request) => {
        const list = listOf(request, keyring)
        const at = now()
        const wanted = { orgId: orgOf(request).id, filters: toFilters(request.query, at) }
        return list.document(await listOrgIgnores(db, wanted, list.window), ignoresByAge, toResource(at))
      },
    )
  }
}
