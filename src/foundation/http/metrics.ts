import type {} from '@fastify/swagger'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { Type } from 'typebox'
import type { Attempts } from '../access/attempts.ts'
import type { Config } from '../config.ts'
import { metricsAccess } from './metrics-access.ts'
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
export function measureRequests(
  server: Server,
  { registry }: Metrics,
  config: Pick<Config, 'metricsAllow' | 'metricsToken'>,
): void {
  const requireReader = metricsAccess(config)
  const latency = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time to answer a request, by method and route',
    labelNames: ['method', 'route'] as const,
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
    registers: [registry],
  })
  // By status here and not above: each label set of a histogram is ten lines.
  const answered = new Counter({
    name: 'gatehouse_http_requests_total',
    help: 'Requests answered, by method, route and status',
    labelNames: ['method', 'route', 'status'] as const,
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
    // Clients choose the method where there is no route.
    const method = route === 'none' ? 'any' : request.method
    latency.observe({ method, route }, reply.elapsedTime / 1000)
    answered.inc({ method, route, status: reply.statusCode })
    if (reply.statusCode === 401 || reply.statusCode === 403) refused.inc({ status: reply.statusCode })
    done()
  })
  const text = keptText(registry)
  server.get(
    '/metrics',
    {
      config: { access: 'public', rateLimit: false },
      schema: {
        operationId: 'getMetrics',
        summary: 'Measurements for Prometheus',
        description: 'For the networks in GATEHOUSE_METRICS_ALLOW, and for the bearer token GATEHOUSE_METRICS_TOKEN.',
        tags: ['Operation'],
        produces: ['text/plain'],
        response: { 200: Type.String() },
      },
    },
    async (request, reply) => {
      requireReader(request)
      return reply.type(registry.contentType).send(await text())
    },
  )
}

/** However often it is asked for, the text is written once a second. */
const KEPT_MS = 1000

function keptText(registry: Registry): () => Promise<string> {
  let kept: Promise<string> | undefined
  return () => {
    if (kept) return kept
    kept = registry.metrics()
    setTimeout(() => {
      kept = undefined
    }, KEPT_MS).unref()
    return kept
  }
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
