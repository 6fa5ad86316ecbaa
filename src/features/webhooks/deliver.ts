import { systemActor } from '#foundation/access/caller.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import type { Services } from '#foundation/services.ts'
import { deactivate } from './change-webhook.ts'
import { giveUpWaiting } from './deliveries-store.ts'
import { findGroupOfOrg } from './orgs-store.ts'
import { nextDueAt, restMs } from './retry-plan.ts'
import { type Outcome, type Sending, send } from './send.ts'
import type { WebhookRow } from './store.ts'
import { type DueDelivery, saveAttempt, saveCondition } from './turns-store.ts'

/** Days of failures after which a webhook that gives up a delivery is disabled. */
const FAILING_DAYS = 3

type Deps = Sending & Pick<Services, 'db'>

type Noting = Pick<Sending, 'keyring' | 'now'> & { readonly tx: Db }

/** Makes one attempt and stores its outcome. Returns the pause before the next attempt to this webhook. */
export async function deliver(deps: Deps, webhook: WebhookRow, due: DueDelivery): Promise<{ restMs: number }> {
  const outcome = await send(deps, webhook, { eventId: due.event_id, body: due.body })
  const failures = outcome.isTaken ? 0 : webhook.failures + 1
  await inTransaction(deps.db, async (tx) => {
    if (outcome.isTaken) await noteSuccess(tx, webhook, { due, outcome })
    else await noteFailure({ ...deps, tx }, webhook, { due, outcome, failures })
  })
  return { restMs: outcome.isTaken ? 0 : restMs(failures, outcome.retryAfterMs) }
}

interface Made {
  readonly due: DueDelivery
  readonly outcome: Outcome
}

async function noteSuccess(tx: Db, webhook: WebhookRow, { due, outcome }: Made): Promise<void> {
  if (webhook.failures > 0) await saveCondition(tx, webhook, { failures: 0, failing_since: null })
  await saveAttempt(tx, due, { ...outcome, state: 'delivered', dueAt: outcome.at })
}

/**
 * Records a failure. Writes the webhook's row before its deliveries, as user changes do. Ignores late failures: the
 * current lease holder repeats the delivery and may have succeeded.
 */
async function noteFailure(
  { tx, keyring, now: clock }: Noting,
  webhook: WebhookRow,
  { due, outcome, failures }: Made & { failures: number },
): Promise<void> {
  const now = clock()
  const { id } = webhook
  const since = webhook.failing_since ?? outcome.at
  if (!(await saveCondition(tx, webhook, { failures, failing_since: since }))) return
  const attempts = due.attempts + 1
  const plan = { attempts, now, givesUpAt: due.gives_up_at, retryAfterMs: outcome.retryAfterMs }
  const dueAt = outcome.isFinal ? undefined : nextDueAt(plan, Math.random())
  await saveAttempt(tx, due, { ...outcome, state: dueAt === undefined ? 'failed' : 'waiting', dueAt: dueAt ?? now })
  if (dueAt !== undefined) return
  await giveUpWaiting(tx, id, { until: now, error: 'The receiver did not accept the delivery in time' })
  if (outcome.isFinal === 'gone') {
    await switchOff({ tx, keyring }, webhook, {
      at: now,
      why: 'gone',
      explanation: 'The receiver returned HTTP 410 (gone)',
    })
  } else if (now - since >= FAILING_DAYS * 86_400_000) {
    const explanation = `All deliveries failed for ${FAILING_DAYS} days`
    await switchOff({ tx, keyring }, webhook, { at: now, why: 'failing', explanation })
  }
}

async function switchOff(
  { tx, keyring }: Pick<Noting, 'tx' | 'keyring'>,
  { id, org_id: orgId }: WebhookRow,
  { at, ...reason }: { at: number; why: 'failing' | 'gone'; explanation: string },
): Promise<void> {
  const groupId = await findGroupOfOrg(tx, orgId)
  if (groupId === undefined) return
  await deactivate({ tx, keyring, actor: systemActor, org: { id: orgId, groupId }, at }, id, reason)
}
