import { Counter, Gauge, type Registry } from 'prom-client'
import type { Replica } from './replica.ts'

/**
 * Exports which server served the reads that a replica may serve, and whether the replica is in use; nothing without a
 * replica.
 */
export function measureReplica(registry: Registry, replica: Replica | undefined): void {
  new Counter({
    name: 'gatehouse_replica_reads_total',
    help: 'Statements that the replica may serve, by the server that served them; `reason` is the reason for using the primary',
    labelNames: ['server', 'reason'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, times] of replica?.totals() ?? []) {
        this.inc(
          outcome === 'replica' ? { server: 'replica', reason: '' } : { server: 'primary', reason: outcome },
          times,
        )
      }
    },
  })
  new Gauge({
    name: 'gatehouse_replica_used',
    help: '1 if reads go to the replica, 0 if all of them go to the primary',
    registers: [registry],
    collect() {
      if (replica) this.set(replica.isUsed() ? 1 : 0)
      else this.remove()
    },
  })
}
