import { randomUUID } from 'node:crypto'
import type { Actor } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { giveUpWaiting } from './deliveries-store.ts'
import { sealContext } from './send.ts'
import { newSigningSecret } from './signature.ts'
import * as store from './store.ts'
import { sealUrl, urlOf } from './webhook-url.ts'

/** What every change of a webhook stands in. */
export interface Change {
  readonly tx: Db
  readonly keyring: Services['keyring']
  readonly actor: Actor
  readonly org: { readonly id: string; readonly groupId: string }
  readonly at: number
}

export interface WantedWebhook {
  readonly url: string
  readonly events: readonly string[]
  readonly description: string
  readonly isActive: boolean
}

/** Every event is written once for each, in the transaction that makes it. */
export const MAX_WEBHOOKS = 20

/** Ends the failures of the past, also of what is being sent: from here on it counts anew. */
const fresh = {
  failures: 0,
  failing_since: null,
  deactivation: null,
  next_turn_at: 0,
  turn_owner: null,
  turn_ends_at: 0,
} as const

type Made = { readonly webhook: store.WebhookRow; readonly secret: string }

export async function createWebhook(change: Change, wanted: WantedWebhook): Promise<Made> {
  const { tx, keyring, org, at } = change
  if ((await store.countWebhooks(tx, org.id)) >= MAX_WEBHOOKS) {
    throw new Problem('conflict', `An organisation has at most ${MAX_WEBHOOKS} webhooks; delete one first`)
  }
  const id = randomUUID()
  const secret = newSigningSecret()
  const webhook = await store.insertWebhook(tx, {
    id,
    org_id: org.id,
    url: sealUrl(keyring, org.id, wanted.url),
    description: wanted.description,
    events: JSON.stringify(wanted.events),
    secret: keyring.seal(secret, sealContext(id)),
    previous_secret: null,
    previous_ends_at: null,
    is_active: wanted.isActive ? 1 : 0,
    ...fresh,
    created_at: at,
    updated_at: at,
  })
  await audit(change, webhook, { action: 'create', after: toAudited(change, webhook) })
  return { webhook, secret }
}

/** What is not named stays. One that is switched off gives up what waits for it. */
export async function editWebhook(
  change: Change,
  id: string,
  wanted: Partial<WantedWebhook>,
): Promise<store.WebhookRow> {
  const { tx, keyring, org, at } = change
  const before = await store.holdWebhook(tx, org.id, id)
  const known = urlOf(keyring, before)
  const { url = known, description = before.description, isActive = before.is_active === 1 } = wanted
  const events = wanted.events === undefined ? before.events : JSON.stringify(wanted.events)
  const begins = isActive && (before.is_active === 0 || url !== known)
  const webhook = await store.updateWebhook(tx, id, {
    url: sealUrl(keyring, org.id, url),
    description,
    events,
    is_active: isActive ? 1 : 0,
    ...(begins && fresh),
    updated_at: at,
  })
  if (before.is_active === 1 && !isActive) await giveUpWaiting(tx, id, { error: 'The webhook was switched off' })
  const isElsewhere = url !== known
  await audit(change, webhook, {
    action: 'update',
    before: toAudited(change, before),
    after: { ...toAudited(change, webhook), ...(isElsewhere && { url_changed: true }) },
  })
  return webhook
}

export async function removeWebhook(change: Change, id: string): Promise<void> {
  const webhook = await store.holdWebhook(change.tx, change.org.id, id)
  await store.deleteWebhook(change.tx, id)
  await audit(change, webhook, { action: 'delete', before: toAudited(change, webhook) })
}

/** Signs with a new secret, and for some time with the old one too. One that was older still ends at once. */
export async function replaceSecret(
  change: Change,
  { id, graceSeconds }: { id: string; graceSeconds: number },
): Promise<Made> {
  const { tx, keyring, org, at } = change
  const before = await store.holdWebhook(tx, org.id, id)
  const secret = newSigningSecret()
  const endsAt = graceSeconds === 0 ? null : at + graceSeconds * 1000
  const webhook = await store.updateWebhook(tx, id, {
    secret: keyring.seal(secret, sealContext(id)),
    previous_secret: endsAt === null ? null : before.secret,
    previous_ends_at: endsAt,
    updated_at: at,
  })
  const after = endsAt === null ? {} : { previous_secret_ends_at: new Date(endsAt).toISOString() }
  await audit(change, webhook, { action: 'secret.replace', after })
  return { webhook, secret }
}

/** Switches a webhook off that takes nothing, with what waits for it. Somebody has to switch it on again. */
export async function deactivate(
  change: Change,
  id: string,
  { why, explanation }: { why: 'failing' | 'gone'; explanation: string },
): Promise<void> {
  const { tx, org, at } = change
  const before = await store.holdWebhook(tx, org.id, id)
  if (before.is_active === 0) return
  await store.updateWebhook(tx, id, { is_active: 0, deactivation: why, updated_at: at })
  await giveUpWaiting(tx, id, { error: explanation })
  await audit(change, before, {
    action: 'deactivate',
    before: toAudited(change, before),
    after: { reason: why, explanation },
  })
}

export async function audit(
  { tx, actor, org, at }: Omit<Change, 'keyring'>,
  { id }: Pick<store.WebhookRow, 'id'>,
  { action, ...states }: { action: string; before?: object; after?: object },
): Promise<void> {
  await recordAudit(tx, actor, {
    at,
    action: `webhook.${action}`,
    groupId: org.groupId,
    orgId: org.id,
    target: { kind: 'webhook', id },
    ...states,
  })
}

/** Path and query often hold a secret of the receiver's, so the audit log says where it is and no more. */
function toAudited({ keyring }: Change, webhook: store.WebhookRow): object {
  const { description, events, is_active } = webhook
  return {
    origin: new URL(urlOf(keyring, webhook)).origin,
    description,
    events: JSON.parse(events) as string[],
    is_active: is_active === 1,
  }
}
