import { Type } from 'typebox'
import { answerChange } from '#foundation/http/change.ts'
import { Single, single, Uuid } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import { requirePathId } from '#foundation/http/text.ts'
import type { Services } from '#foundation/services.ts'
import { ALLOW_ALL, changePolicy } from './change-policy.ts'
import { ChangedPolicy, Policy, parseChange, toResource } from './resource.ts'
import { findPolicy } from './store.ts'

const releases = ['2024-10-15']
const tags = ['License policies']
const params = Type.Object({ org_id: Uuid })
const extension = 'An extension.'

export function licensePolicyRoutes(services: Services): Routes {
  const { db } = services
  return (scope) => {
    defineOperation(scope, {
      id: 'getLicensePolicy',
      at: 'GET /orgs/:org_id/license_policy',
      summary: 'Read the license policy of an organization',
      description: extension,
      tags,
      access: { org: ['org.read'] },
      releases,
      params,
      response: { 200: Single(Policy) },
      handler: async (request) => {
        const { id } = orgOf(request)
        return single(request, toResource(id, (await findPolicy(db, id)) ?? ALLOW_ALL))
      },
    })
    defineOperation(scope, {
      id: 'updateLicensePolicy',
      at: 'PATCH /orgs/:org_id/license_policy',
      summary: 'Change the license policy of an organization',
      description: `${extension} Package tests report violations of the policy as license issues. Rules are replaced as a whole; other omitted attributes stay as they are.`,
      tags,
      access: { org: ['org.edit'] },
      releases,
      params,
      body: ChangedPolicy,
      response: { 200: Single(Policy) },
      handler: async (request, reply) => {
        const org = orgOf(request)
        const { id, attributes } = request.body.data
        requirePathId(id, org.id)
        const changed = parseChange(attributes)
        return answerChange(services, { request, reply }, async (change) => {
          const policy = await changePolicy(change, org, changed)
          return { status: 200, body: single(request, toResource(org.id, policy)) }
        })
      },
    })
  }
}
