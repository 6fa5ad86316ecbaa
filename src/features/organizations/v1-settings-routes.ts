import { Type } from 'typebox'
import { policySettings } from '#analysis/discovery/policy-files/policy-file.ts'
import { changePolicySetting } from '#features/policy-files/change-setting.ts'
import { findPolicySetting } from '#features/policy-files/setting-store.ts'
import type { Db } from '#foundation/db/database.ts'
import { answerChange } from '#foundation/http/change.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'

const tags = ['Organizations']
const params = Type.Object({ orgId: Type.String() })
const reads = { tags, access: { org: ['org.read'] as const } }

const PolicyFiles = Type.Enum(policySettings, {
  description:
    'An extension: whether ignores and exclusions of `.snyk` files apply always, only with a reason, or never',
})

const Settings = Type.Object({
  requestAccess: Type.Object({ enabled: Type.Boolean({ description: 'Always false: administrators add members' }) }),
  policyFiles: PolicyFiles,
})

const fixed = { requestAccess: { enabled: false } }

/** Entitlements of this server, for existing clients. */
const entitlements = { licenses: true, reports: false, fullVulnDB: false } as const
const entitlementNames = Object.keys(entitlements) as (keyof typeof entitlements)[]

/** Supported feature flags of existing clients. */
const featuresHere: ReadonlySet<string> = new Set(['customBranch'])

/** Called in the transaction that changes an organization's setting for policy files. */
export type OnPolicySetting = (tx: Db, orgId: string, at: number) => Promise<void>

/** Serves the settings that clients read first. */
export function v1SettingsRoutes(services: Services, onPolicySetting: OnPolicySetting): Routes {
  return (scope) => {
    settingsRoutes(scope, services, onPolicySetting)
    entitlementRoutes(scope)
    featureRoute(scope)
  }
}

function settingsRoutes(scope: Server, services: Services, onPolicySetting: OnPolicySetting): void {
  const { db } = services
  const path = '/org/:orgId/settings'
  defineOperation(scope, {
    id: 'getOrgSettingsV1',
    at: `GET ${path}`,
    summary: 'Read an organization’s settings',
    ...reads,
    params,
    response: { 200: Settings },
    handler: async (request) => ({ ...fixed, policyFiles: await findPolicySetting(db, orgOf(request).id) }),
  })
  defineOperation(scope, {
    id: 'updateOrgSettingsV1',
    at: `PUT ${path}`,
    summary: 'Change an organization’s settings',
    description:
      'Changes the setting for policy files and tests affected projects again. Access requests are not supported; enabling them is refused with 422.',
    tags,
    access: { org: ['org.read', 'org.edit'] },
    params,
    body: Type.Object({
      requestAccess: Type.Optional(Type.Object({ enabled: Type.Optional(Type.Boolean()) })),
      policyFiles: Type.Optional(PolicyFiles),
    }),
    response: { 200: Settings },
    handler: async (request, reply) => {
      const { requestAccess, policyFiles } = request.body
      if (requestAccess?.enabled) {
        throw new Problem('unprocessable', 'Access requests are not supported. Add the users as members.', {
          source: { pointer: '/requestAccess/enabled' },
        })
      }
      const org = orgOf(request)
      return answerChange(services, { request, reply }, async (change) => {
        if (policyFiles !== undefined && (await changePolicySetting(change, org, policyFiles))) {
          await onPolicySetting(change.tx, org.id, change.at)
        }
        return { status: 200, body: { ...fixed, policyFiles: await findPolicySetting(change.tx, org.id) } }
      })
    },
  })
}

function entitlementRoutes(scope: Server): void {
  defineOperation(scope, {
    id: 'listEntitlementsV1',
    at: 'GET /org/:orgId/entitlements',
    summary: 'Read the entitlements of an organization',
    description: 'License policies are supported; reports and a proprietary vulnerability database are not.',
    ...reads,
    params,
    response: {
      200: Type.Object({ licenses: Type.Boolean(), reports: Type.Boolean(), fullVulnDB: Type.Boolean() }),
    },
    handler: async () => entitlements,
  })
  defineOperation(scope, {
    id: 'getEntitlementV1',
    at: 'GET /org/:orgId/entitlement/:entitlementKey',
    summary: 'Check an entitlement of an organization',
    ...reads,
    params: Type.Object({ orgId: Type.String(), entitlementKey: Type.Enum(entitlementNames) }),
    response: { 200: Type.Boolean() },
    handler: async (request, reply) => reply.type('application/json').send(entitlements[request.params.entitlementKey]),
  })
}

function featureRoute(scope: Server): void {
  defineOperation(scope, {
    id: 'getFeatureFlagV1',
    at: 'GET /cli-config/feature-flags/:flag',
    summary: 'Check a feature flag for command-line clients',
    tags,
    access: { orgOfQuery: ['org.read'] },
    params: Type.Object({ flag: Type.String({ minLength: 1, maxLength: 200 }) }),
    query: Type.Object({
      org: Type.Optional(Type.String({ description: 'Id or slug; default: the caller’s own' })),
    }),
    response: { 200: Type.Object({ ok: Type.Boolean(), userMessage: Type.Optional(Type.String()) }) },
    handler: async (request) => {
      const { flag } = request.params
      if (featuresHere.has(flag)) return { ok: true }
      return { ok: false, userMessage: `This server does not support the feature ${flag}` }
    },
  })
}
