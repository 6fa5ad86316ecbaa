import { randomUUID } from 'node:crypto'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import type { Services } from '#foundation/services.ts'
import { deliver } from './deliver.ts'
import { SEND_SECONDS } from './send.ts'
import type { WebhookRow } from './store.ts'
import { endTurn, findDueDelivery, keepTurn, takeTurn } from './turns-store.ts'

type Deps = Pick<Services, 'database' | 'db' | 'keyring' | 'log' | 'now'> & { readonly outgoing: Outgoing }

export interface DeliverySettings {
  /** Webhooks to which one process sends concurrently; each receives one message at a time. */
  readonly concurrency: number
  readonly pollMs: number
  /** Time after which another process takes over the webhook of a dead one; longer than an attempt. */
  readonly leaseMs: number
}

export interface Deliveries {
  /** Starts nothing new and waits for attempts in progress. */
  close(): Promise<void>
}

const DEFAULTS: DeliverySettings = { concurrency: 16, pollMs: 1000, leaseMs: (SEND_SECONDS + 10) * 1000 }

/** Share of a process's webhook slots per organization, so that slow receivers do not block others. */
const SHARE_OF_ORG = 0.5

/** Deliveries and duration after which the longest waiting webhook gets its turn. */
const TURN_DELIVERIES = 20
const TURN_MS = 10_000

/**
 * Sends pending deliveries until closed. Each webhook is leased to one process for a turn: a slow receiver delays only
 * itself, and nothing is sent twice unless a process dies, or stalls beyond its lease, between sending and recording.
 */
export function startDeliveries(deps: Deps, settings: Partial<DeliverySettings> = {}): Deliveries {
  const { concurrency, pollMs, leaseMs } = { ...DEFAULTS, ...settings }
  const { database, db, log, now } = deps
  const active = new Map<Promise<void>, string>()
  const mostOfOrg = Math.max(1, Math.floor(concurrency * SHARE_OF_ORG))
  let isClosing = false
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function fill(): void {
    if (looking || isClosing) return
    clearTimeout(timer)
    looking = beginAll().finally(() => {
      looking = undefined
      if (!isClosing) timer = setTimeout(fill, pollMs)
    })
  }

  async function beginAll(): Promise<void> {
    try {
      while (active.size < concurrency && !isClosing) {
        const turn = { owner: randomUUID(), endsAt: now() + leaseMs }
        const webhook = await takeTurn(database, turn, { now: now(), exceptOrgs: listBusyOrgs() })
        if (!webhook) break
        begin(webhook, turn.owner)
      }
    } catch (err) {
      log.error({ err }, 'the search for due webhook deliveries failed')
    }
  }

  function listBusyOrgs(): string[] {
    const turns = Map.groupBy(active.values(), (orgId) => orgId)
    return [...turns].filter(([, all]) => all.length >= mostOfOrg).map(([orgId]) => orgId)
  }

  function begin({ id, org_id }: WebhookRow, owner: string): void {
    const turn = sendAll(id, owner)
      // Keep the lease until it expires: an immediate retry would fail again.
      .catch((err) => log.error({ err, webhook: id }, 'deliveries of a webhook could not be sent'))
      .finally(() => {
        active.delete(turn)
        fill()
      })
    active.set(turn, org_id)
  }

  async function sendAll(id: string, owner: string): Promise<void> {
    const until = now() + TURN_MS
    let restMs = 0
    for (let sent = 0; sent < TURN_DELIVERIES && restMs === 0 && now() < until && !isClosing; sent++) {
      const webhook = await keepTurn(db, id, { owner, endsAt: now() + leaseMs })
      const due = webhook && (await findDueDelivery(db, id, now()))
      if (!due) break
      restMs = (await deliver(deps, webhook, due)).restMs
    }
    await endTurn(db, id, { owner, nextAt: now() + restMs })
  }

  fill()
  return {
    async close() {
      isClosing = true
      clearTimeout(timer)
      await looking
      await Promise.all(active.keys())
    },
  }
}
