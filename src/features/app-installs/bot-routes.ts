import { Type } from 'typebox'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { lockInstall } from './change.ts'
import { removeInstall } from './remove-install.ts'
import { AppBot, expand, toBot } from './resource.ts'
import { getInstallOfBot, installsByAge, listInstalls } from './store.ts'

const deprecated = { since: '2023-11-03T00:00:00Z', sunset: '2024-07-17' }
const common = { tags: ['App installs'], releases: ['2022-03-11'] }

/** Deprecated: the installs of an organization, named by their bots. */
export function appBotRoutes(services: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'listAppBots',
      at: 'GET /orgs/:org_id/app_bots',
      summary: 'List the bots of the apps installed in an organization',
      ...common,
      access: { org: ['org.app.read'] },
      deprecation: { ...deprecated, replacement: '`/orgs/{org_id}/apps/installs`' },
      query: listQuery({ expand }),
      response: { 200: Collection(AppBot) },
      handler: async (request) => {
        const { id, groupId } = orgOf(request)
        const list = listOf(request, services.keyring)
        const page = await listInstalls(services.db, { groupId, orgId: id }, list.window)
        return list.lastingDocument(page, installsByAge, toBot)
      },
    })
    defineOperation(scope, {
      id: 'deleteAppBot',
      at: 'DELETE /orgs/:org_id/app_bots/:bot_id',
      summary: 'Revoke the install of a bot in an organization',
      ...common,
      access: { org: ['org.app.install'] },
      deprecation: { ...deprecated, replacement: '`/orgs/{org_id}/apps/installs/{install_id}`' },
      response: { 204: Type.Null() },
      handler: async (request, reply) =>
        answerChange(services, { request, reply }, async (change) => {
          const botId = request.params.bot_id.toLowerCase()
          const install = await lockInstall(change.tx, (db) => getInstallOfBot(db, orgOf(request).id, botId))
          await removeInstall(change, install)
        }),
    })
  }
}
