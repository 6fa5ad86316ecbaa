import { Type } from 'typebox'
import { wordsOf } from '#features/issues/groups/group-list-store.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { Hit, type HitKind, hitKinds, searchQuery } from './resource.ts'
import * as store from './search-store.ts'

interface Kind {
  readonly needs: readonly Permission[]
  readonly find: store.Finder
}

/** The kinds of hits; each needs the permissions of its list. */
const kinds: Readonly<Record<HitKind, Kind>> = {
  vulnerability: { needs: ['org.project.read', 'org.project.snapshot.read'], find: store.findVulnerabilities },
  package: { needs: ['org.project.read'], find: store.findPackages },
  project: { needs: ['org.project.read'], find: store.findProjects },
  app: { needs: ['org.app.read'], find: store.findApps },
  service_account: { needs: ['org.service_account.read'], find: store.findServiceAccounts },
  member: { needs: ['org.user.read'], find: store.findMembers },
}

export function searchRoutes({ db, now }: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'searchOrg',
      at: 'GET /orgs/:org_id/search',
      summary: 'Search an organization',
      description: 'An extension. Finds only resources that the caller may read.',
      tags: ['Organizations'],
      access: { org: ['org.read'] },
      releases: ['2024-01-23'],
      query: searchQuery,
      response: { 200: Single(Type.Array(Hit)) },
      handler: async (request) => {
        const { query, kinds: requestedKinds = hitKinds, limit = 5 } = request.query
        const words = wordsOf(query)
        if (words.length === 0) {
          throw new Problem('invalid-request', 'The query is blank. Enter a word to search for.', {
            source: { parameter: 'query' },
          })
        }
        const { permissions } = callerOf(request)
        const allowed = hitKinds.filter(
          (kind) => requestedKinds.includes(kind) && kinds[kind].needs.every((need) => permissions.has(need)),
        )
        const input = { orgId: orgOf(request).id, words, limit, now: now() }
        const hits = await Promise.all(allowed.map((kind) => kinds[kind].find(db, input)))
        return single(request, hits.flat())
      },
    })
  }
}
