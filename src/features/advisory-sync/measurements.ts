import { Gauge, type Registry } from 'prom-client'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'

export function measureAdvisories(registry: Registry, holder: AdvisoryHolder): void {
  const registers = [registry]
  new Gauge({
    name: 'gatehouse_advisories_age_seconds',
    help: 'Seconds since the source of the advisories was last seen to hold nothing newer',
    registers,
    collect() {
      this.set(holder.facts().ageSeconds)
    },
  })
  new Gauge({
    name: 'gatehouse_advisories_records',
    help: 'Advisories in use, by registry',
    labelNames: ['registry'] as const,
    registers,
    collect() {
      this.reset()
      for (const [name, { records }] of Object.entries(holder.facts().registries)) this.set({ registry: name }, records)
    },
  })
  new Gauge({
    name: 'gatehouse_advisories_info',
    help: 'Always 1; the snapshot in use and whether it is only the starter set',
    labelNames: ['digest', 'starter_set'] as const,
    registers,
    collect() {
      this.reset()
      const { digest, isStarterSet } = holder.facts()
      this.set({ digest, starter_set: String(isStarterSet) }, 1)
    },
  })
}

/** Returns the readiness check of the advisories, which describes their state in a sentence. */
export function advisoriesCheck(holder: AdvisoryHolder) {
  return {
    name: 'advisories',
    async check(): Promise<string> {
      const { records, isStarterSet, checkedAt } = holder.facts()
      const since = `${records} records, checked ${new Date(checkedAt).toISOString()}`
      return isStarterSet ? `${since}; only the starter set: run "gatehouse advisories sync"` : since
    },
  }
}
