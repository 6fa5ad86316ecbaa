import { Gauge, type Registry } from 'prom-client'
import type { Db } from '#foundation/db/database.ts'
import { countUnsettled } from './deliveries-store.ts'

/** Tells Prometheus how many deliveries wait, and how many in the log were given up. */
export function measureDeliveries(registry: Registry, db: Db): void {
  new Gauge({
    name: 'gatehouse_webhook_deliveries',
    help: 'Webhook deliveries that wait to be taken, or were given up and are still in the log',
    labelNames: ['state'] as const,
    registers: [registry],
    async collect() {
      this.reset()
      // While storage fails it is not known, and the other measurements matter all the more.
      const counts = await countUnsettled(db).catch(() => undefined)
      if (!counts) return
      this.set({ state: 'waiting' }, 0)
      this.set({ state: 'failed' }, 0)
      for (const { state, deliveries } of counts) this.set({ state }, Number(deliveries))
    },
  })
}
