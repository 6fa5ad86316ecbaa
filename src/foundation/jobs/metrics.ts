import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/database.ts'
import { countJobs } from './store.ts'

/** Exports the numbers of waiting, running and failed jobs. */
export function measureJobs(registry: Registry, db: Db): void {
  new Gauge({
    name: 'gatehouse_jobs',
    help: 'Background jobs, by kind and state',
    labelNames: ['kind', 'state'] as const,
    registers: [registry],
    async collect() {
      this.reset()
      // A storage failure must not hide the other metrics.
      const counts = await countJobs(db).catch(() => [])
      for (const { kind, state, jobs } of counts) this.set({ kind, state }, Number(jobs))
    },
  })
}
