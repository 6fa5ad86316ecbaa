import type { LookupFunction } from 'node:net'
import { getCACertificates } from 'node:tls'
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici'
import { type Dialling, resolvePermitted } from './dialling.ts'
import { type Endpoint, toEndpoint } from './host-patterns.ts'
import type { OutgoingLimits } from './settings.ts'

/** Direct connections to exactly the checked addresses, which prevents DNS rebinding. */
export function createDirectDispatcher(dialling: Dialling): Dispatcher {
  return new Agent({
    ...timeouts(dialling.limits),
    factory: (origin, options) =>
      new Pool(origin, {
        ...options,
        connections: dialling.limits.requestsPerHost,
        connect: buildConnector({
          ...connectorOptions(dialling),
          autoSelectFamily: true,
          lookup: guardedLookup(toEndpoint(new URL(origin)), dialling),
        }),
      }),
  })
}

/**
 * Connections through the operator's proxy, which may be at any address, resolves names and decides on destinations.
 */
export function createProxyDispatcher(proxyUrl: string, dialling: Dialling): Dispatcher {
  return new ProxyAgent({
    ...timeouts(dialling.limits),
    uri: proxyUrl,
    connectTimeout: dialling.limits.connectTimeoutMs,
    connections: dialling.limits.requestsPerHost,
    proxyTls: connectorOptions(dialling),
    requestTls: connectorOptions(dialling),
  } as ProxyAgent.Options)
}

function guardedLookup(endpoint: Endpoint, dialling: Dialling): LookupFunction {
  return (_hostname, options, callback) => {
    resolvePermitted(endpoint, dialling).then(
      (permitted) => {
        const first = permitted[0]
        if (first === undefined) callback(Object.assign(new Error('no addresses'), { code: 'ENOTFOUND' }), '')
        else if (options.all) callback(null, [...permitted])
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
}

function timeouts(limits: OutgoingLimits) {
  return {
    allowH2: false,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyIdleTimeoutMs,
  }
}

function connectorOptions({ extraCertificates, limits }: Dialling) {
  return {
    allowH2: false,
    timeout: limits.connectTimeoutMs,
    ...(extraCertificates === undefined ? {} : { ca: [...getCACertificates('default'), extraCertificates] }),
  }
}
