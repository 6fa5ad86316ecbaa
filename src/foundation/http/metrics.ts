import type {} from '@fastify/swagger'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { Type } from 'typebox'
import type { Attempts } from '../access/attempts.ts'
import type { Server } from './server.ts'

/** The server's measurements, in the text format of Prometheus at `/metrics`. */
export interface Metrics {
  readonly registry: Registry
}

/** Process measurements (memory, CPU, event-loop delay) are included. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return { registry }
}

/** Counts and times every request by method, route and status, and serves `/metrics`. Call before routes are added. */
export function measureRequests(server: Server, { registry }: Metrics): void {
  const latency = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time to answer a request, by method, route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  })
  const refused = new Counter({
    name: 'gatehouse_http_refused_total',
    help: 'Requests refused for their credential or permissions, by status',
    labelNames: ['status'] as const,
    registers: [registry],
  })
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    latency.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (reply.statusCode === 401 || reply.statusCode === 403) refused.inc({ status: reply.statusCode })
    done()
  })
  server.get(
    '/metrics',
    {
      config: { access: 'public', rateLimit: false },
      schema: {
        operationId: 'getMetrics',
        summary: 'Measurements for Prometheus',
        tags: ['Operation'],
        produces: ['text/plain'],
        response: { 200: Type.String() },
      },
    },
    async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()),
  )
}

/** Tells Prometheus how often secrets and passwords did not work, and how often one was not even checked. */
export function measureAttempts(registry: Registry, attempts: Attempts): void {
  new Counter({
    name: 'gatehouse_failed_attempts_total',
    help: 'Secrets and passwords that did not work, or were not checked because too many before them had failed',
    labelNames: ['kind', 'end'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const { kind, end, attempts: times } of attempts.totals()) this.inc({ kind, end }, times)
    },
  })
}
