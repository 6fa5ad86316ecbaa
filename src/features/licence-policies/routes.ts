import { Type } from 'typebox'
import { answerChange } from '#foundation/http/change.ts'
import { Single, single, Uuid, Versioned } from '#foundation/http/documents.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import { requirePathId } from '#foundation/http/text.ts'
import type { Services } from '#foundation/services.ts'
import { ALLOW_ALL, changePolicy } from './change-policy.ts'
import { ChangedPolicy, Policy, parseChange, toResource } from './resource.ts'
import { findPolicy } from './store.ts'

const releases = ['2024-10-15']
const tags = ['Licence policies']
const params = Type.Object({ org_id: Uuid })
const extension = 'An extension: the interface documents have no such operation.'

/** One policy for each organisation, which allows everything until it is changed. */
export function licencePolicyRoutes(services: Services): Routes {
  const { db, now } = services
  return (scope) => {
    scope.get(
      '/orgs/:org_id/license_policy',
      {
        config: { access: { org: ['org.read'] }, releases },
        schema: {
          operationId: 'getLicensePolicy',
          summary: 'Read what an organisation thinks of licences',
          description: extension,
          tags,
          params,
          querystring: Versioned,
          response: { 200: Single(Policy) },
        },
      },
      async (request) => {
        const { id } = orgOf(request)
        return single(request, toResource(id, (await findPolicy(db, id)) ?? ALLOW_ALL))
      },
    )
    scope.patch(
      '/orgs/:org_id/license_policy',
      {
        config: { access: { org: ['org.edit'] }, releases },
        schema: {
          operationId: 'updateLicensePolicy',
          summary: 'Change what an organisation thinks of licences',
          description: `${extension} Package tests report what the policy objects to as licence issues. Rules are replaced as a whole; what is not sent stays.`,
          tags,
          params,
          querystring: Versioned,
          body: ChangedPolicy,
          response: { 200: Single(Policy) },
        },
      },
      async (request, reply) => {
        const org = orgOf(request)
        const { id, attributes } = request.body.data
        requirePathId(id, org.id)
        const changed = parseChange(attributes)
        return answerChange(services, { request, reply }, async (tx, actor) => {
          const policy = await changePolicy({ tx, actor, at: now() }, org, changed)
          return { status: 200, body: single(request, toResource(org.id, policy)) }
        })
      },
    )
  }
}
