import { Type } from 'typebox'
import { listAllVisibleOrgs } from '#features/organizations/store.ts'
import type { AccessRule } from '#foundation/http/request-context.ts'
import { callerOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { ChangedNotifications, Me, mailMemberOf, NotificationSettings, noNotifications, toMe } from './resource.ts'

const tags = ['Self']

/** What clients ask to see whether their key works. */
export function v1SelfRoutes(services: Services): Routes {
  const { db } = services
  return (scope) => {
    verificationRoute(scope, services)
    permissionRoute(scope)
    scope.get(
      '/user/me',
      {
        config: { access: 'signed-in' },
        schema: {
          operationId: 'getMeV1',
          summary: 'Who the credential belongs to, and the organisations it can see',
          tags,
          response: { 200: Me },
        },
      },
      async (request) => {
        const { principal } = callerOf(request)
        return toMe(principal, await listAllVisibleOrgs(db, principal))
      },
    )
    for (const place of notificationPlaces) notificationRoutes(scope, place)
  }
}

/** More often than anybody signs in, and too seldom for guessing. */
const VERIFICATIONS_PER_MINUTE = 30

/** Older command-line clients send the key that somebody typed in before they keep it. */
function verificationRoute(scope: Server, { access }: Services): void {
  scope.post(
    '/verify/token',
    {
      config: { access: 'public', limitPerAddress: VERIFICATIONS_PER_MINUTE },
      schema: {
        operationId: 'verifyTokenV1',
        summary: 'Whether a key works',
        description: 'For clients that ask before they keep it; the others read `/user/me`.',
        tags,
        body: Type.Object({ api: Type.String({ minLength: 1, maxLength: 4096, description: 'The key' }) }),
        response: {
          200: Type.Object({ ok: Type.Boolean(), api: Type.String({ description: 'The key, as it was sent' }) }),
        },
      },
    },
    async (request) => {
      const { api } = request.body
      if (await access.authenticate(api, request.ip)) return { ok: true, api }
      throw new Problem('unauthenticated', 'Invalid auth token provided', { source: { pointer: '/api' } })
    },
  )
}

/** What a command-line client asks before it writes an ignore into a file beside the project, which this server never sees. */
function permissionRoute(scope: Server): void {
  scope.get(
    '/authorization/cliIgnore',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'mayIgnoreLocallyV1',
        summary: 'Whether clients may keep ignores of their own',
        description: 'Such ignores hold for what the client prints. Those of projects are kept here.',
        tags,
        response: { 200: Type.Object({ result: Type.Object({ allowed: Type.Boolean() }) }) },
      },
    },
    async () => ({ result: { allowed: true } }),
  )
}

interface NotificationPlace {
  readonly path: string
  readonly name: string
  readonly of: string
  readonly reads: AccessRule
  readonly changes: AccessRule
}

const orgId = { org: ['org.read'] } as const

/** Where existing clients read and turn off mails. */
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
    of: 'the caller’s mails about an organisation',
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
    of: 'mails to an organisation’s members',
    reads: orgId,
    changes: { org: ['org.read', 'org.edit'] },
  },
]

function notificationRoutes(scope: Server, { path, name, of, reads, changes }: NotificationPlace): void {
  const params = Type.Object(
    Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, parameter]) => [parameter!, Type.String()])),
  )
  const schema = { tags, params, response: { 200: NotificationSettings } }
  scope.get(
    path,
    {
      config: { access: reads },
      schema: { ...schema, operationId: `get${name}V1`, summary: `Read the settings of ${of}: none are sent` },
    },
    async () => noNotifications,
  )
  scope.put(
    path,
    {
      config: { access: changes },
      schema: {
        ...schema,
        operationId: `update${name}V1`,
        summary: `Turn off ${of}, which are off already`,
        description:
          'This server sends no mail; to turn one on is refused with 422. Webhooks tell programs what happens.',
        body: ChangedNotifications,
      },
    },
    async (request) => {
      const faults = Object.entries(request.body).flatMap(([name, setting]) => {
        const member = mailMemberOf(setting)
        if (member === undefined) return []
        const detail = `${name}.${member}: this server sends no mail. Send "enabled": false, and let a webhook tell you what happens.`
        return [{ detail, source: { pointer: `/${name}/${member}` } }]
      })
      if (faults.length > 0) throw new Problem('unprocessable', faults)
      return noNotifications
    },
  )
}
