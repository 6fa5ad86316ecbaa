import { Counter, type Registry } from 'prom-client'
import type { ObjectStore } from './object-store.ts'

/** Exports the number and duration of requests to the object store. */
export function measureObjects(registry: Registry, objects: ObjectStore | undefined): void {
  if (objects === undefined) return
  const labelNames = ['operation', 'outcome'] as const
  new Counter({
    name: 'gatehouse_object_requests_total',
    help: 'Requests to the object store, by operation (put, get, remove) and outcome (done, missing, failed)',
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const { operation, outcome, requests } of objects.totals()) this.inc({ operation, outcome }, requests)
    },
  })
  new Counter({
    name: 'gatehouse_object_request_seconds_total',
    help: 'Seconds spent on requests to the object store, with their retries',
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const { operation, outcome, seconds } of objects.totals()) this.inc({ operation, outcome }, seconds)
    },
  })
}
