import { findSla, saveSla } from '#features/issue-index/triage/sla-store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import { answerOrgChange } from '#foundation/http/change.ts'
import { Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { requirePathId } from '#foundation/http/text.ts'
import type { Services } from '#foundation/services.ts'
import { commentRoutes, ownCommentRoutes } from './comment-routes.ts'
import { getIssueId, getPlace } from './place-store.ts'
import {
  ChangedSlaPolicy,
  ChangedTriage,
  IssueTriage,
  SlaPolicy,
  toSlaAttributes,
  toSlaDays,
  toSlaResource,
  toTriageResource,
} from './resource.ts'
import { changeTriage, readTriagedIssue } from './triage.ts'
import { edit, params, path, read, referenceOf } from './vulnerability-path.ts'

const tags = ['Triage']
const releases = ['2024-10-15']

export function triageRoutes(services: Services): Routes {
  return (scope) => {
    issueRoutes(scope, services)
    commentRoutes(scope, services)
    ownCommentRoutes(scope, services)
    slaRoutes(scope, services)
  }
}

function issueRoutes(scope: Server, services: Services): void {
  const { db, now } = services
  defineOperation(scope, {
    id: 'getTriage',
    at: `GET ${path}`,
    summary: 'Read assignee and due date of a vulnerability in a project or repository',
    description:
      'An extension. The due date of the SLA policy counts from the time since which the place has the vulnerability.',
    tags,
    access: { org: read },
    releases,
    params,
    response: { 200: Single(IssueTriage) },
    handler: async (request) => {
      const { id: orgId } = orgOf(request)
      const { issue, ...reference } = referenceOf(request)
      const current = await getPlace(db, { ...reference, orgId })
      const issueId = await getIssueId(db, current, issue)
      const triaged = await readTriagedIssue(db, { orgId, place: current }, issueId)
      const { permissions } = callerOf(request)
      const isEditable = edit.every((permission) => permissions.has(permission))
      return single(request, toTriageResource(triaged, { now: now(), isEditable }))
    },
  })
  defineOperation(scope, {
    id: 'updateTriage',
    at: `PATCH ${path}`,
    summary: 'Set assignee and due date of a vulnerability in a project or repository',
    description:
      'An extension. Omitted attributes stay as they are. What is set for a project wins over its repository.',
    tags,
    access: { org: edit },
    releases,
    params,
    body: ChangedTriage,
    response: { 200: Single(IssueTriage) },
    handler: async (request, reply) => {
      const { assignee_id, due_on } = request.body.data.attributes
      const input = { assigneeId: assignee_id?.toLowerCase() ?? assignee_id, dueOn: due_on }
      return answerOrgChange(services, { request, reply }, async (change) => {
        const changed = await changeTriage(change, referenceOf(request), input)
        return { status: 200, body: single(request, toTriageResource(changed, { now: change.at, isEditable: true })) }
      })
    },
  })
}

function slaRoutes(scope: Server, services: Services): void {
  const at = '/orgs/:org_id/sla_policy'
  defineOperation(scope, {
    id: 'getSlaPolicy',
    at: `GET ${at}`,
    summary: 'Read the SLA policy of an organization',
    description: 'An extension. Without days, vulnerabilities have no due date.',
    tags,
    access: { org: ['org.read'] },
    releases,
    response: { 200: Single(SlaPolicy) },
    handler: async (request) => {
      const { id } = orgOf(request)
      return single(request, toSlaResource(id, await findSla(services.db, id)))
    },
  })
  defineOperation(scope, {
    id: 'updateSlaPolicy',
    at: `PATCH ${at}`,
    summary: 'Change the SLA policy of an organization',
    description:
      'An extension. Omitted attributes stay as they are. Due dates are computed, so the change applies to all vulnerabilities at once; those that users set stay.',
    tags,
    access: { org: ['org.read', 'org.edit'] },
    releases,
    body: ChangedSlaPolicy,
    response: { 200: Single(SlaPolicy) },
    handler: async (request, reply) => {
      const { id: bodyId, attributes } = request.body.data
      requirePathId(bodyId, orgOf(request).id)
      return answerOrgChange(services, { request, reply }, async (change) => {
        const { tx, org, at } = change
        const before = await findSla(tx, org.id)
        const days = toSlaDays(before, attributes)
        const states = { before: toSlaAttributes(before), after: toSlaAttributes(days) }
        if (JSON.stringify(states.before) === JSON.stringify(states.after)) {
          return { status: 200, body: single(request, toSlaResource(org.id, before)) }
        }
        await saveSla(tx, org.id, { days, at })
        await recordAudit(change, { id: org.id, org }, { action: 'sla_policy.update', ...states })
        return { status: 200, body: single(request, toSlaResource(org.id, { ...days, updatedAt: at })) }
      })
    },
  })
}
