import { Type } from 'typebox'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Uuid, Versioned } from '#foundation/http/documents.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { holdInstall } from './change.ts'
import { removeInstall } from './remove-install.ts'
import { AppBot, expand, toBot } from './resource.ts'
import { getInstallOfBot, installsByAge, listInstalls } from './store.ts'

const releases = ['2022-03-11']
const deprecated = { since: '2023-11-03T00:00:00Z', sunset: '2024-07-17' }
const tags = ['App installs']

/** Deprecated: installs of an organisation, by what they act as. */
export function appBotRoutes(services: Services): Routes {
  return (scope) => {
    scope.get(
      '/orgs/:org_id/app_bots',
      {
        config: {
          access: { org: ['org.app.read'] },
          releases,
          deprecation: { ...deprecated, replacement: '`/orgs/{org_id}/apps/installs`' },
        },
        schema: {
          operationId: 'listAppBots',
          summary: 'List what the apps that may act in an organisation act as',
          tags,
          params: Type.Object({ org_id: Uuid }),
          querystring: listQuery({ expand }),
          response: { 200: Collection(AppBot) },
        },
      },
      async (request) => {
        const { id, groupId } = orgOf(request)
        const list = listOf(request, services.keyring)
        const page = await listInstalls(services.db, { groupId, orgId: id }, list.window)
        return list.lastingDocument(page, installsByAge, toBot)
      },
    )
    scope.delete(
      '/orgs/:org_id/app_bots/:bot_id',
      {
        config: {
          access: { org: ['org.app.install'] },
          releases,
          deprecation: { ...deprecated, replacement: '`/orgs/{org_id}/apps/installs/{install_id}`' },
        },
        schema: {
          operationId: 'deleteAppBot',
          summary: 'Revoke the install of an organisation that acts as this bot',
          tags,
          params: Type.Object({ org_id: Uuid, bot_id: Uuid }),
          querystring: Versioned,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) =>
        answerChange(services, { request, reply }, async (tx, actor) => {
          const botId = request.params.bot_id.toLowerCase()
          const install = await holdInstall(tx, (db) => getInstallOfBot(db, orgOf(request).id, botId))
          await removeInstall({ tx, actor, at: services.now() }, install)
          return { status: 204 }
        }),
    )
  }
}
