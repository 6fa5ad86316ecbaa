import type { Permission } from '#foundation/access/permissions.ts'
import type { TestApp } from '../servers/app.ts'
import { addWebhook, tell, webhookBody, webhooksOf } from '../servers/webhooks.ts'
import type { Answer, Attempt } from './attempts.ts'

const readsIssues = [
  'org.read',
  'org.project.read',
  'org.project.snapshot.read',
] as const satisfies readonly Permission[]
const readsCredentials = [
  'org.service_account.read',
  'org.app.read',
  'org.audit.read',
] as const satisfies readonly Permission[]
const elsewhere = 'https://elsewhere.example/gate'

export function attemptsOnWebhooks(app: () => TestApp): Attempt[] {
  const list = '/rest/orgs/:org_id/webhooks'
  // Nothing listens there.
  const url = 'http://127.0.0.1:1/gate'
  const attempt = (
    operation: string,
    what: string,
    { authority = [], send }: { authority?: readonly Permission[]; send: (path: string, key: string) => Answer },
  ): Attempt => ({
    ...{ word: 'org', permission: 'org.edit', operation, what, authority },
    async send(key) {
      // An organization has few.
      for (const { id } of (await app().call('GET', webhooksOf(app().orgId))).json().data) {
        await app().call('DELETE', `${webhooksOf(app().orgId)}/${id}`)
      }
      return send((await addWebhook(app(), { url, events: ['issues.new'] })).path, key)
    },
  })
  const patches = (what: string, attributes: object, authority: readonly Permission[] = []) =>
    attempt(`PATCH ${list}/:webhook_id`, what, {
      authority,
      send: (path, key) => app().call('PATCH', path, { key, body: webhookBody(attributes) }),
    })
  return [
    attempt(`POST ${list}`, 'has events sent', {
      authority: readsIssues,
      send: (_path, key) =>
        app().call('POST', webhooksOf(app().orgId), { key, body: webhookBody({ url, events: ['issues.new'] }) }),
    }),
    patches('adds an event type', { events: ['issues.new', 'credential.reused'] }, readsCredentials),
    patches('adds all event types', { events: ['*'] }, [...readsIssues, ...readsCredentials]),
    patches('drops an event type for one of imports', { events: ['import.finished'] }),
    attempt(`PATCH ${list}/:webhook_id`, 'sends logged events elsewhere', {
      authority: readsIssues,
      async send(path, key) {
        await tell(app(), 'issues.new')
        await app().call('PATCH', path, { body: webhookBody({ events: ['import.finished'] }) })
        return app().call('PATCH', path, { key, body: webhookBody({ url: elsewhere }) })
      },
    }),
    patches('sends events elsewhere', { url: elsewhere }, readsIssues),
    patches('switches off and describes', { is_active: false, description: 'x' }),
    attempt(`POST ${list}/:webhook_id/secrets`, 'shows a signing secret', {
      authority: readsIssues,
      send: (path, key) => app().call('POST', `${path}/secrets`, { key, body: webhookBody({}) }),
    }),
    attempt(`DELETE ${list}/:webhook_id`, 'ends a webhook', {
      send: (path, key) => app().call('DELETE', path, { key }),
    }),
    attempt(`POST ${list}/:webhook_id/test`, 'sends a message without content', {
      send: (path, key) => app().call('POST', `${path}/test`, { key }),
    }),
    attempt(`POST ${list}/:webhook_id/deliveries/:delivery_id/redeliver`, 'sends again to the same place', {
      async send(path, key) {
        await tell(app(), 'issues.new')
        const { data } = (await app().call('GET', `${path}/deliveries`)).json()
        return app().call('POST', `${path}/deliveries/${data[0].id}/redeliver`, { key })
      },
    }),
  ]
}
