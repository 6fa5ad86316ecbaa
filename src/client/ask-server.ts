import { type IncomingMessage, Agent as PlainAgent, request as requestPlain } from 'node:http'
import { request as requestSecure, Agent as SecureAgent } from 'node:https'
import { type Connection, type Environment, isLoopback } from './connection.ts'
import { ClientFailure } from './failure.ts'
import { printable } from './printable.ts'

const MAX_ANSWER_BYTES = 512 * 1024 * 1024

export interface ServerRequest {
  readonly method: 'GET' | 'POST'
  /** Below the server's URL, with its query. */
  readonly path: string
  readonly body?: { readonly bytes: Uint8Array; readonly type: string }
  readonly signal: AbortSignal
}

export interface ServerAnswer {
  readonly status: number
  readonly text: string
}

/**
 * Asks the server once. The key is sent in the header only, and redirects are not followed. Throws `ClientFailure` if
 * there is no answer.
 */
export async function askServer(
  { url, key }: Connection,
  environment: Environment,
  { method, path, body, signal }: ServerRequest,
): Promise<ServerAnswer> {
  const target = new URL(`${url}${path}`)
  const isSecure = target.protocol === 'https:'
  const options = isLoopback(target.hostname) ? {} : { proxyEnv: environment }
  const agent = isSecure ? new SecureAgent(options) : new PlainAgent(options)
  const headers = {
    authorization: `token ${key}`,
    accept: 'application/json',
    ...(body && { 'content-type': body.type, 'content-length': body.bytes.length }),
  }
  try {
    return await new Promise((resolve, reject) => {
      const sent = (isSecure ? requestSecure : requestPlain)(target, { method, headers, agent, signal })
      let isAnswered = false
      sent.once('response', (response) => {
        isAnswered = true
        readAnswer(response).then(resolve, reject)
      })
      // A server that refuses a body may close before it has read all: then its answer counts.
      sent.on('error', (error) => {
        if (!isAnswered) reject(error)
      })
      sent.end(body?.bytes)
    })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ClientFailure) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new ClientFailure(
      `No answer from ${url} (${code ?? message}). Check GATEHOUSE_URL and that the server runs.`,
      {
        cause: error,
      },
    )
  } finally {
    agent.destroy()
  }
}

async function readAnswer(response: IncomingMessage): Promise<ServerAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new ClientFailure('The answer of the server is too large. Test fewer folders.')
    chunks.push(chunk)
  }
  return { status: response.statusCode!, text: Buffer.concat(chunks).toString() }
}

/** Describes a refusal and what to do about it. */
export function toFailure({ status, text }: ServerAnswer, url: string): ClientFailure {
  const said = messageOf(text)
  const detail = said === undefined ? '' : ` The server says: ${said}`
  if (status === 401)
    return new ClientFailure(`${url} does not accept the key (401). Set GATEHOUSE_KEY to a valid one.`)
  if (status === 403) return new ClientFailure(`The key lacks a permission (403).${detail}`)
  if (status === 404) {
    return new ClientFailure(
      `${url} has no such organization or no test of files (404). Check GATEHOUSE_ORG and GATEHOUSE_URL, or update the server.${detail}`,
    )
  }
  if (status === 413) {
    return new ClientFailure(
      `The files are too large for the server (413). Test fewer folders, or raise GATEHOUSE_BODY_LIMIT_BYTES.${detail}`,
    )
  }
  if (status === 429 || status === 503)
    return new ClientFailure(`The server is busy (${status}). Try again later.${detail}`)
  if (status >= 300 && status < 400) {
    return new ClientFailure(`${url} redirects (${status}). Set GATEHOUSE_URL to the final address of the server.`)
  }
  return new ClientFailure(`${url} answered with HTTP ${status}.${detail}`)
}

function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? printable(message) : undefined
  } catch {
    return undefined
  }
}
