import { Type } from 'typebox'
import { Uuid } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { MAX_WEBHOOKS } from './change-webhook.ts'
import { listWebhooks } from './store.ts'
import { urlOf } from './webhook-url.ts'

const V1Webhooks = Type.Object({
  results: Type.Array(Type.Object({ id: Uuid, url: Type.String({ format: 'uri' }) })),
  total: Type.Integer(),
})

nameSchemas({ V1Webhooks })

/** `GET /v1/org/{orgId}/webhooks` */
export function v1WebhookRoutes({ db, keyring }: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'listWebhooksV1',
      at: 'GET /org/:orgId/webhooks',
      summary: 'List the webhooks of an organization',
      tags: ['Webhooks'],
      access: { org: ['org.edit'] },
      response: { 200: V1Webhooks },
      handler: async (request) => {
        const { rows } = await listWebhooks(db, orgOf(request).id, {
          limit: MAX_WEBHOOKS,
          direction: 'after',
          position: 'start',
        })
        return { results: rows.map((row) => ({ id: row.id, url: urlOf(keyring, row) })), total: rows.length }
      },
    })
  }
}
