import { Gauge, type Registry } from 'prom-client'
import type { Db } from '#foundation/db/database.ts'
import { countUnsettled } from './deliveries-store.ts'

/** Reports to Prometheus the number of pending deliveries, and of failed ones in the log. */
export function measureDeliveries(registry: Registry, db: Db): void {
  new Gauge({
    name: 'gatehouse_webhook_deliveries',
    help: 'Webhook deliveries that are pending, or failed and still in the log',
    labelNames: ['state'] as const,
    registers: [registry],
    async collect() {
      this.reset()
      // If storage fails, omit the counts: the other metrics matter all the more.
      const counts = await countUnsettled(db).catch(() => undefined)
      if (!counts) return
      this.set({ state: 'waiting' }, 0)
      this.set({ state: 'failed' }, 0)
      for (const { state, deliveries } of counts) this.set({ state }, Number(deliveries))
    },
  })
}
