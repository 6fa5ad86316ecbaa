import type { IncomingMessage, Agent as PlainAgent } from 'node:http'
import type { ApiRequest, ApiResponse, Transport } from './api/client.ts'
import { type Environment, isLoopback } from './connection.ts'
import { ClientFailure } from './failure.ts'

const MAX_ANSWER_BYTES = 512 * 1024 * 1024

/**
 * Returns a transport that sends each request once, through the proxy of the environment, and does not follow
 * redirects. It throws `ClientFailure` if there is no answer.
 */
export function askServer(environment: Environment): Transport {
  return async (url, request) => {
    const target = new URL(url)
    const options = isLoopback(target.hostname) ? {} : { proxyEnv: environment }
    const agent = new (moduleFor(target).Agent)(options)
    try {
      return requireProgram(await askOnce(target, request, agent), target.origin)
    } catch (error) {
      request.signal?.throwIfAborted()
      if (error instanceof ClientFailure) throw error
      throw new ClientFailure(describe(target, error as NodeJS.ErrnoException, environment), { cause: error })
    } finally {
      agent.destroy()
    }
  }
}

/** Loads the module of the protocol. An import would read all its exports, which loads its WebSocket, in 40 ms. */
function moduleFor({ protocol }: URL) {
  return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
}

/** Codes of OpenSSL and of Node for a certificate that does not prove the server's identity. */
const CERTIFICATE = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|CERT_.*|ERR_TLS_CERT_.*)$/

function describe({ origin, hostname, protocol }: URL, error: NodeJS.ErrnoException, environment: Environment): string {
  const { code, message } = error
  if (code !== undefined && CERTIFICATE.test(code)) {
    return `The certificate of ${origin} is not trusted (${code}). If your own authority issued it, set NODE_EXTRA_CA_CERTS to its file.`
  }
  if (code === 'EPROTO')
    return `${origin} does not speak TLS (${code}). Check whether GATEHOUSE_URL begins with https or http.`
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const isProxied = !isLoopback(hostname) && Boolean(environment[name] || environment[name.toLowerCase()])
  const proxy = isProxied ? ` Check ${name} too, or add the host to NO_PROXY.` : ''
  return `No answer from ${origin} (${code ?? message}). Check GATEHOUSE_URL and that the server runs.${proxy}`
}

/** Throws for an HTML page: it comes from another server, or from a proxy. */
function requireProgram(response: ApiResponse, origin: string): ApiResponse {
  if (response.status >= 300 || !/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) return response
  throw new ClientFailure(
    `${origin} answers with a web page, not as a Gatehouse server. Set GATEHOUSE_URL to the address of the server itself.`,
  )
}

function askOnce(target: URL, request: ApiRequest, agent: PlainAgent): Promise<ApiResponse> {
  const { method, headers, body, signal } = request
  const length = body === undefined ? undefined : Buffer.byteLength(body)
  const options = {
    method,
    headers: { ...headers, ...(length !== undefined && { 'content-length': length }) },
    agent,
    ...(signal && { signal }),
  }
  return new Promise((resolve, reject) => {
    const sent = moduleFor(target).request(target, options)
    let isAnswered = false
    sent.once('response', (response) => {
      isAnswered = true
      readAnswer(response).then(resolve, reject)
    })
    // A server that refuses a body may close before it has read all: then its answer counts.
    sent.on('error', (error) => {
      if (!isAnswered) reject(error)
    })
    sent.end(body)
  })
}

async function readAnswer(response: IncomingMessage): Promise<ApiResponse> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new ClientFailure('The answer of the server is too large. Ask for less.')
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString()
  return {
    status: response.statusCode!,
    headers: { get: (name) => [response.headers[name.toLowerCase()] ?? []].flat()[0] ?? null },
    text: async () => text,
  }
}
