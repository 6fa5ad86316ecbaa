import type {} from '@fastify/swagger'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { Type } from 'typebox'
import type { Attempts } from '#foundation/access/attempts.ts'
import type { Config } from '#foundation/config.ts'
import type { Server } from '../server.ts'
import { metricsAccess } from './metrics-access.ts'
import { createRouteLabels } from './route-labels.ts'

/**
 * Maximum number of routes with series of their own: with ten duration lines and six statuses each, the text stays
 * below 250 KB.
 */
const MAX_ROUTES = 100

/** The server's metrics, in the text format of Prometheus at `/metrics`. */
export interface Metrics {
  readonly registry: Registry
}

let ofProcess: Registry | undefined

/** Includes process metrics (memory, CPU, event-loop delay). */
export function createMetrics(): Metrics {
  return { registry: Registry.merge([processMetrics()]) }
}

/** All servers of a process share them, as nothing ends their timers and observers. */
function processMetrics(): Registry {
  if (ofProcess) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

/** Counts and times every request by method, route and status, and serves `/metrics`. Call before adding routes. */
export function measureRequests(
  server: Server,
  { registry }: Metrics,
  config: Pick<Config, 'metricsAllow' | 'metricsToken'>,
): void {
  const requireReader = metricsAccess(config)
  const latency = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Duration of requests in seconds, by method and route',
    labelNames: ['method', 'route'] as const,
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
    registers: [registry],
  })
  // Only this counter has the status: each label set of a histogram has ten lines.
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
  const labelsOf = createRouteLabels(MAX_ROUTES)
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply
    const labels = labelsOf({ method: request.method, url: request.routeOptions.url, status })
    latency.observe({ ...labels }, reply.elapsedTime / 1000)
    answered.inc({ ...labels, status })
    if (status === 401 || status === 403) refused.inc({ status })
    done()
  })
  const text = keptText(registry)
  server.get(
    '/metrics',
    {
      config: { access: 'public', rateLimit: false },
      schema: {
        operationId: 'getMetrics',
        summary: 'Metrics for Prometheus',
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

/** Milliseconds for which the text is cached. */
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

/** Exports the number of failed and of unchecked secrets and passwords. */
export function measureAttempts(registry: Registry, attempts: Attempts): void {
  new Counter({
    name: 'gatehouse_failed_attempts_total',
    help: 'Secrets and passwords that failed, or were refused unchecked after too many failures',
    labelNames: ['kind', 'end'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const { kind, end, attempts: times } of attempts.totals()) this.inc({ kind, end }, times)
    },
  })
}
