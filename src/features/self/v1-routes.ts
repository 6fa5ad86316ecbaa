import { Type } from 'typebox'
import { listAllVisibleOrgs } from '#features/organizations/store.ts'
import { callerOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { Me, NotificationSettings, noNotifications, toMe } from './resource.ts'

const tags = ['Self']

/** What clients ask to see whether their key works. */
export function v1SelfRoutes({ db }: Services): Routes {
  return (scope) => {
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
    scope.get(
      '/user/me/notification-settings',
      {
        config: { access: 'signed-in' },
        schema: {
          operationId: 'getNotificationSettingsV1',
          summary: 'The caller’s notification settings: this server sends none',
          tags,
          response: { 200: NotificationSettings },
        },
      },
      async () => noNotifications,
    )
    scope.get(
      '/user/me/notification-settings/org/:orgId',
      {
        config: { access: { org: ['org.read'] } },
        schema: {
          operationId: 'getOrgNotificationSettingsV1',
          summary: 'The caller’s notification settings in an organisation: this server sends none',
          tags,
          params: Type.Object({ orgId: Type.String() }),
          response: { 200: NotificationSettings },
        },
      },
      async () => noNotifications,
    )
  }
}
