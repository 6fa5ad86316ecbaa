import { randomUUID } from 'node:crypto'
import type { Permission } from '#foundation/access/permissions.ts'
import { type OrgChange, recordAudit } from '#foundation/audit/record.ts'
import { Problem } from '#foundation/problem.ts'
import type { Keyring } from '#foundation/secrets/keyring.ts'
import { newSigningSecret } from '#foundation/secrets/webhook-signature.ts'
import { giveUpWaiting, listLoggedTypes } from './deliveries-store.ts'
import { addedTypes, requireMayRead } from './event-permissions.ts'
import { sealContext } from './send.ts'
import * as store from './store.ts'
import { sealUrl, urlOf } from './webhook-url.ts'

export interface WebhookChange extends OrgChange {
  readonly keyring: Keyring
}

/** A change that a caller asked for. */
export interface RequestedChange extends WebhookChange {
  readonly permissions: ReadonlySet<Permission>
}

export interface WebhookInput {
  readonly url: string
  readonly events: readonly string[]
  readonly description: string
  readonly isActive: boolean
}

/** Limit per organization: each event is stored once per webhook, in the transaction of the change. */
export const MAX_WEBHOOKS = 20

/** Resets the recorded failures, including those of a delivery in progress. */
const fresh = {
  failures: 0,
  failing_since: null,
  deactivation: null,
  next_turn_at: 0,
  turn_owner: null,
  turn_ends_at: 0,
} as const

type Made = { readonly webhook: store.WebhookRow; readonly secret: string }

export async function createWebhook(change: RequestedChange, input: WebhookInput): Promise<Made> {
  const { tx, keyring, org, at } = change
  requireMayRead(change.permissions, input.events)
  if ((await store.countWebhooks(tx, org.id)) >= MAX_WEBHOOKS) {
    throw new Problem('conflict', `An organization has at most ${MAX_WEBHOOKS} webhooks; delete one first`)
  }
  const id = randomUUID()
  const secret = newSigningSecret()
  const webhook = await store.insertWebhook(tx, {
    id,
    org_id: org.id,
    url: sealUrl(keyring, org.id, input.url),
    description: input.description,
    events: JSON.stringify(input.events),
    secret: keyring.seal(secret, sealContext(id)),
    previous_secret: null,
    previous_ends_at: null,
    is_active: input.isActive ? 1 : 0,
    ...fresh,
    created_at: at,
    updated_at: at,
  })
  await recordAudit(change, { id, org }, { action: 'webhook.create', after: toAudited(change, webhook) })
  return { webhook, secret }
}

/** Changes the given members. Disabling discards pending deliveries. */
export async function editWebhook(
  change: RequestedChange,
  id: string,
  input: Partial<WebhookInput>,
): Promise<store.WebhookRow> {
  const { tx, keyring, org, at } = change
  const before = await store.lockWebhook(tx, org.id, id)
  const currentUrl = urlOf(keyring, before)
  const subscribed = JSON.parse(before.events) as string[]
  const { url = currentUrl, description = before.description, isActive = before.is_active === 1 } = input
  const { events = subscribed } = input
  const isElsewhere = url !== currentUrl
  requireMayRead(change.permissions, addedTypes(subscribed, events))
  if (isElsewhere) await requireMayReadAll(change, before)
  const begins = isActive && (before.is_active === 0 || isElsewhere)
  const webhook = await store.updateWebhook(tx, id, {
    url: sealUrl(keyring, org.id, url),
    description,
    events: JSON.stringify(events),
    is_active: isActive ? 1 : 0,
    ...(begins && fresh),
    updated_at: at,
  })
  if (before.is_active === 1 && !isActive) await giveUpWaiting(tx, id, { error: 'The webhook was disabled' })
  await recordAudit(
    change,
    { id, org: change.org },
    {
      action: 'webhook.update',
      before: toAudited(change, before),
      after: { ...toAudited(change, webhook), ...(isElsewhere && { url_changed: true }) },
    },
  )
  return webhook
}

/** Requires the permissions of its events, including those in its log, which can be sent again. */
async function requireMayReadAll(
  { tx, permissions }: RequestedChange,
  { id, events }: store.WebhookRow,
): Promise<void> {
  requireMayRead(permissions, [...(JSON.parse(events) as string[]), ...(await listLoggedTypes(tx, id))])
}

export async function removeWebhook(change: WebhookChange, id: string): Promise<void> {
  const webhook = await store.lockWebhook(change.tx, change.org.id, id)
  await store.deleteWebhook(change.tx, id)
  await recordAudit(change, { id, org: change.org }, { action: 'webhook.delete', before: toAudited(change, webhook) })
}

/**
 * Signs with a new secret, and during the grace period also with the previous one. An older one stops working
 * immediately.
 */
export async function replaceSecret(
  change: RequestedChange,
  { id, graceSeconds }: { id: string; graceSeconds: number },
): Promise<Made> {
  const { tx, keyring, org, at } = change
  const before = await store.lockWebhook(tx, org.id, id)
  // The holder of the secret can sign events of these types.
  requireMayRead(change.permissions, JSON.parse(before.events) as string[])
  const secret = newSigningSecret()
  const endsAt = graceSeconds === 0 ? null : at + graceSeconds * 1000
  const webhook = await store.updateWebhook(tx, id, {
    secret: keyring.seal(secret, sealContext(id)),
    previous_secret: endsAt === null ? null : before.secret,
    previous_ends_at: endsAt,
    updated_at: at,
  })
  const after = endsAt === null ? {} : { previous_secret_ends_at: new Date(endsAt).toISOString() }
  await recordAudit(change, { id, org: change.org }, { action: 'webhook.secret.replace', after })
  return { webhook, secret }
}

/** Disables a failing webhook and discards its deliveries; only users enable it again. */
export async function deactivate(
  change: WebhookChange,
  id: string,
  { why, explanation }: { why: 'failing' | 'gone'; explanation: string },
): Promise<void> {
  const { tx, org, at } = change
  const before = await store.lockWebhook(tx, org.id, id)
  if (before.is_active === 0) return
  await store.updateWebhook(tx, id, { is_active: 0, deactivation: why, updated_at: at })
  await giveUpWaiting(tx, id, { error: explanation })
  await recordAudit(
    change,
    { id, org: change.org },
    {
      action: 'webhook.deactivate',
      before: toAudited(change, before),
      after: { reason: why, explanation },
    },
  )
}

/** Shows only the origin of the URL in the audit log: path and query often contain a secret of the receiver. */
function toAudited({ keyring }: WebhookChange, webhook: store.WebhookRow): object {
  const { description, events, is_active } = webhook
  return {
    origin: new URL(urlOf(keyring, webhook)).origin,
    description,
    events: JSON.parse(events) as string[],
    is_active: is_active === 1,
  }
}
