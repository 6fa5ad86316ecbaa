import type { Attributes, Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { version } from '../product.ts'

interface Active {
  readonly api: typeof import('@opentelemetry/api')
  readonly tracer: import('@opentelemetry/api').Tracer
}

let active: Active | undefined

/**
 * Starts exporting traces to an OTLP collector. The SDK is loaded only here. It also reads `OTEL_EXPORTER_OTLP_HEADERS`
 * and `OTEL_RESOURCE_ATTRIBUTES`, as the OpenTelemetry specification defines them.
 */
export async function startTracing(base: string): Promise<{ close(): Promise<void> }> {
  const endpoint = base.replace(/\/$/, '')
  const [api, sdk, hooks, core, exporter, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const own = resources.resourceFromAttributes({ 'service.name': 'gatehouse', 'service.version': version })
  const detected = resources.detectResources({ detectors: [resources.envDetector] })
  const collector = new exporter.OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: own.merge(detected),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: collector })],
  })
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable())
  api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator())
  api.trace.setGlobalTracerProvider(provider)
  active = { api, tracer: api.trace.getTracer('gatehouse', version) }
  return {
    async close() {
      active = undefined
      // An unreachable collector must not prevent the server from stopping.
      await provider.shutdown().catch(() => {})
    },
  }
}

/** Runs `work` within a span; without tracing it only calls it. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => T): T {
  if (active === undefined) return work()
  const { api } = active
  return active.tracer.startActiveSpan(name, { attributes }, (span) => {
    const fail = (error: unknown): never => {
      markFailed(api, span, error)
      span.end()
      throw error
    }
    try {
      const result = work()
      if (!(result instanceof Promise)) {
        span.end()
        return result
      }
      const ended = result.then((value) => {
        span.end()
        return value
      }, fail)
      return ended as T
    } catch (error) {
      return fail(error)
    }
  })
}

/** Traces each request as a span that continues the caller's trace. Names routes, never paths, which may hold secrets. */
export function traceRequests(server: FastifyInstance): void {
  if (active === undefined) return
  const { api, tracer } = active
  const spans = new WeakMap<FastifyRequest, Span>()
  server.addHook('onRequest', (request, _reply, done) => {
    const parent = api.propagation.extract(api.ROOT_CONTEXT, request.headers)
    const route = request.routeOptions.url ?? 'none'
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'gatehouse.request_id': request.id,
    }
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: api.SpanKind.SERVER, attributes }, parent)
    spans.set(request, span)
    api.context.with(api.trace.setSpan(parent, span), done)
  })
  server.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: api.SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}

/** Error messages may quote request data; their classes do not. */
function markFailed(api: Active['api'], span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
  span.setStatus({ code: api.SpanStatusCode.ERROR })
}
