import { Type } from 'typebox'
import { listAllVisibleOrgs } from '#features/organizations/store.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import type { AccessRule } from '#foundation/http/request-context.ts'
import { callerOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { ChangedNotifications, Me, mailMemberOf, NotificationSettings, noNotifications, toMe } from './resource.ts'

const tags = ['Self']

/** The requests with which clients verify their key. */
export function v1SelfRoutes(services: Services): Routes {
  const { db } = services
  return (scope) => {
    verificationRoute(scope, services)
    permissionRoute(scope)
    defineOperation(scope, {
      id: 'getMeV1',
      at: 'GET /user/me',
      summary: 'Get the owner of the credential, and the organizations it can see',
      tags,
      access: 'signed-in',
      response: { 200: Me },
      handler: async (request) => {
        const { principal } = callerOf(request)
        return toMe(principal, await listAllVisibleOrgs(db, principal))
      },
    })
    for (const place of notificationPlaces) notificationRoutes(scope, place)
  }
}

/** Verifications per minute: enough for signing in, too few for guessing. */
const VERIFICATIONS_PER_MINUTE = 30

/** Verifies a typed key for older command-line clients. */
function verificationRoute(scope: Server, { access }: Services): void {
  defineOperation(scope, {
    id: 'verifyTokenV1',
    at: 'POST /verify/token',
    summary: 'Check a key',
    description: 'For clients that verify a key before storing it; others read `/user/me`.',
    tags,
    access: 'public',
    limitPerAddress: VERIFICATIONS_PER_MINUTE,
    body: Type.Object({ api: Type.String({ minLength: 1, maxLength: 4096, description: 'The key' }) }),
    response: {
      200: Type.Object({ ok: Type.Boolean(), api: Type.String({ description: 'The key of the request' }) }),
    },
    handler: async (request) => {
      const { api } = request.body
      if (await access.authenticate(api, request.ip)) return { ok: true, api }
      throw new Problem('unauthenticated', 'Invalid auth token provided', { source: { pointer: '/api' } })
    },
  })
}

/** Command-line clients send this request before they write a local ignore file. */
function permissionRoute(scope: Server): void {
  defineOperation(scope, {
    id: 'mayIgnoreLocallyV1',
    at: 'GET /authorization/cliIgnore',
    summary: 'Check if clients may use local ignores',
    description: 'Local ignores apply to the output of the client. Ignores of projects are stored on this server.',
    tags,
    access: 'signed-in',
    response: { 200: Type.Object({ result: Type.Object({ allowed: Type.Boolean() }) }) },
    handler: async () => ({ result: { allowed: true } }),
  })
}

interface NotificationPlace {
  readonly path: string
  readonly name: string
  readonly of: string
  readonly reads: AccessRule
  readonly changes: AccessRule
}

const orgId = { org: ['org.read'] } as const

/** Paths at which existing clients read and disable mail notifications. */
const notificationPlaces: readonly NotificationPlace[] = [
  {
    path: '/user/me/notification-settings',
    name: 'NotificationSettings',
    of: 'the caller’s mails',
    reads: 'signed-in',
    changes: 'signed-in',
  },
  {
    path: '/user/me/notification-settings/org/:orgId',
    name: 'OrgNotificationSettings',
    of: 'the caller’s mails about an organization',
    reads: orgId,
    changes: orgId,
  },
  {
    path: '/user/me/notification-settings/org/:orgId/project/:projectId',
    name: 'ProjectNotificationSettings',
    of: 'the caller’s mails about a project',
    reads: { org: ['org.read', 'org.project.read'] },
    changes: { org: ['org.read', 'org.project.read'] },
  },
  {
    path: '/org/:orgId/notification-settings',
    name: 'NotificationSettingsOfOrg',
    of: 'mails to an organization’s members',
    reads: orgId,
    changes: { org: ['org.read', 'org.edit'] },
  },
]

function notificationRoutes(scope: Server, { path, name, of, reads, changes }: NotificationPlace): void {
  const params = Type.Object(
    Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, parameter]) => [parameter!, Type.String()])),
  )
  const schema = { tags, params, response: { 200: NotificationSettings } }
  defineOperation(scope, {
    id: `get${name}V1`,
    at: `GET ${path}`,
    ...schema,
    summary: `Read the settings of ${of}; always off`,
    access: reads,
    handler: async () => noNotifications,
  })
  defineOperation(scope, {
    id: `update${name}V1`,
    at: `PUT ${path}`,
    ...schema,
    summary: `Turn off ${of}; they are always off`,
    description: 'This server sends no mail; enabling one is refused with 422. Use webhooks instead.',
    access: changes,
    body: ChangedNotifications,
    handler: async (request) => {
      const faults = Object.entries(request.body).flatMap(([name, setting]) => {
        const member = mailMemberOf(setting)
        if (member === undefined) return []
        const detail = `${name}.${member}: this server sends no mail. Send "enabled": false, and use a webhook instead.`
        return [{ detail, source: { pointer: `/${name}/${member}` } }]
      })
      if (faults.length > 0) throw new Problem('unprocessable', faults)
      return noNotifications
    },
  })
}
