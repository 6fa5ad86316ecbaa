import { Type } from 'typebox'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'

const tags = ['Organisations']
const params = Type.Object({ orgId: Type.String() })
const reads = { access: { org: ['org.read'] as const } }

const Settings = Type.Object({
  requestAccess: Type.Object({ enabled: Type.Boolean({ description: 'Always false: people are invited' }) }),
})

const settings = { requestAccess: { enabled: false } }

/** What existing clients may want to know of: what this server has of it, and what not. */
const entitlements = { licenses: true, reports: false, fullVulnDB: false } as const
const entitlementNames = Object.keys(entitlements) as (keyof typeof entitlements)[]

/** Features that existing clients ask for before they use them, and that are here. */
const featuresHere: ReadonlySet<string> = new Set(['customBranch'])

/** What clients ask before they do anything else. Nothing of it can be changed here, and the answers say what is so. */
export function v1SettingsRoutes(): Routes {
  return (scope) => {
    settingsRoutes(scope)
    entitlementRoutes(scope)
    featureRoute(scope)
  }
}

function settingsRoutes(scope: Server): void {
  const path = '/org/:orgId/settings'
  scope.get(
    path,
    {
      config: reads,
      schema: {
        operationId: 'getOrgSettingsV1',
        summary: 'Read an organisation’s settings',
        tags,
        params,
        response: { 200: Settings },
      },
    },
    async () => settings,
  )
  scope.put(
    path,
    {
      config: { access: { org: ['org.read', 'org.edit'] } },
      schema: {
        operationId: 'updateOrgSettingsV1',
        summary: 'Turn off what is off already',
        description: 'People cannot ask for access to an organisation here; to turn that on is refused with 422.',
        tags,
        params,
        body: Type.Object({
          requestAccess: Type.Optional(Type.Object({ enabled: Type.Optional(Type.Boolean()) })),
        }),
        response: { 200: Settings },
      },
    },
    async (request) => {
      if (!request.body.requestAccess?.enabled) return settings
      throw new Problem('unprocessable', 'People cannot ask for access here; make them members', {
        source: { pointer: '/requestAccess/enabled' },
      })
    },
  )
}

function entitlementRoutes(scope: Server): void {
  scope.get(
    '/org/:orgId/entitlements',
    {
      config: reads,
      schema: {
        operationId: 'listEntitlementsV1',
        summary: 'Which parts of the interface an organisation has',
        description: 'Licence policies are here, reports and a database of vulnerabilities of our own are not.',
        tags,
        params,
        response: {
          200: Type.Object({ licenses: Type.Boolean(), reports: Type.Boolean(), fullVulnDB: Type.Boolean() }),
        },
      },
    },
    async () => entitlements,
  )
  scope.get(
    '/org/:orgId/entitlement/:entitlementKey',
    {
      config: reads,
      schema: {
        operationId: 'getEntitlementV1',
        summary: 'Whether an organisation has a part of the interface',
        tags,
        params: Type.Object({ orgId: Type.String(), entitlementKey: Type.Enum(entitlementNames) }),
        response: { 200: Type.Boolean() },
      },
    },
    async (request, reply) => reply.type('application/json').send(entitlements[request.params.entitlementKey]),
  )
}

function featureRoute(scope: Server): void {
  scope.get(
    '/cli-config/feature-flags/:flag',
    {
      config: { access: { orgOfQuery: ['org.read'] } },
      schema: {
        operationId: 'getFeatureFlagV1',
        summary: 'Whether a feature is here that command-line clients may use',
        tags,
        params: Type.Object({ flag: Type.String({ minLength: 1, maxLength: 200 }) }),
        querystring: Type.Object({
          org: Type.Optional(Type.String({ description: 'Id or slug; default: the caller’s own' })),
        }),
        response: { 200: Type.Object({ ok: Type.Boolean(), userMessage: Type.Optional(Type.String()) }) },
      },
    },
    async (request) => {
      const { flag } = request.params
      if (featuresHere.has(flag)) return { ok: true }
      return { ok: false, userMessage: `This server does not have the feature ${flag}` }
    },
  )
}
