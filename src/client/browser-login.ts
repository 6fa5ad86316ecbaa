import { createHash, randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { commandLineClientId, commandLineScopes } from '#foundation/product.ts'
import { ApiError } from './api/client.ts'
import { askServer } from './ask-server.ts'
import { type Environment, requireServerUrl } from './connection.ts'
import { ClientFailure } from './failure.ts'
import { openAnonymously, toSession } from './open-server.ts'
import { printable } from './printable.ts'
import type { Session } from './profile.ts'
import { toFailure } from './to-failure.ts'

const CALLBACK_PATH = '/callback'
const LONGEST_MS = 10 * 60_000

/** A set of scopes, by name. */
export type LoginAccess = keyof typeof commandLineScopes

export interface BrowserLoginContext {
  readonly access: LoginAccess
  readonly environment: Environment
  readonly isInsecure: boolean
  readonly signal: AbortSignal
  /** Shows the address to the user, and opens it in a browser. */
  open(address: string): void
}

/**
 * Signs a user in with the browser: authorization code with PKCE (RFC 7636) and a redirect to a free port of this machine
 * (RFC 8252 §7.3). Throws `ClientFailure`.
 */
export async function loginInBrowser(url: string, context: BrowserLoginContext): Promise<Session> {
  const { environment, signal } = context
  const client = openAnonymously(url, environment)
  const issuer = await readIssuer(url, context)
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const receiver = await receiveCode({ state, issuer: issuer.name, signal })
  try {
    const parameters = {
      response_type: 'code',
      client_id: commandLineClientId,
      redirect_uri: receiver.redirectUri,
      scope: commandLineScopes[context.access].join(' '),
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    await requireBrowserLogin(issuer.authorizationEndpoint, parameters, context)
    context.open(`${issuer.authorizationEndpoint}?${new URLSearchParams(parameters)}`)
    const body = {
      grant_type: 'authorization_code',
      client_id: commandLineClientId,
      code: await receiver.code,
      redirect_uri: receiver.redirectUri,
      code_verifier: verifier,
    }
    return toSession(await client.call('getToken', { body, signal }))
  } catch (error) {
    throw error instanceof ApiError ? toFailure(error, url) : error
  } finally {
    receiver.close()
  }
}

/** Reads the server's metadata (RFC 8414 §3.3: its issuer must be the address that it was read from). */
async function readIssuer(url: string, { environment, isInsecure, signal }: BrowserLoginContext) {
  const client = openAnonymously(url, environment)
  const metadata = await client.call('getServerMetadata', { signal }).catch((error: unknown) => {
    throw error instanceof ApiError ? toFailure(error, url) : error
  })
  if (metadata.issuer.replace(/\/+$/, '') !== url) {
    throw new ClientFailure(`The server calls itself ${printable(metadata.issuer)}. Pass this address with --url.`)
  }
  const authorizationEndpoint = requireServerUrl(metadata.authorization_endpoint, { isInsecure })
  return { name: metadata.issuer, authorizationEndpoint }
}

/** Asks without a user whether the server knows the command line, instead of waiting for an answer that never comes. */
async function requireBrowserLogin(
  endpoint: string,
  parameters: Readonly<Record<string, string>>,
  { environment, signal }: BrowserLoginContext,
): Promise<void> {
  const query = new URLSearchParams({ ...parameters, prompt: 'none' })
  const { status } = await askServer(environment)(`${endpoint}?${query}`, { method: 'GET', headers: {}, signal })
  if (status >= 200 && status < 400) return
  throw new ClientFailure(
    `The server refuses logins of the command line in a browser (HTTP ${status}): its app was deleted, or the server is older. Log in with --key.`,
  )
}

interface Receiver {
  readonly redirectUri: string
  readonly code: Promise<string>
  close(): void
}

interface Expected {
  readonly state: string
  readonly issuer: string
  readonly signal: AbortSignal
}

/** Listens on loopback for the one redirect that carries the state. Others are refused and change nothing. */
async function receiveCode({ state, issuer, signal }: Expected): Promise<Receiver> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // A failure before anything waits for the code is reported by the wait.
  promise.catch(() => {})
  const server = createServer((request, response) => {
    const searchParams = URL.parse(request.url ?? '', 'http://127.0.0.1')?.searchParams ?? new URLSearchParams()
    const isCallback = request.method === 'GET' && request.url?.split('?')[0] === CALLBACK_PATH
    if (!isCallback || searchParams.get('state') !== state)
      return answer(response, 400, 'This is not the answer that the command line waits for.')
    const code = searchParams.get('code')
    // RFC 9207: the answer of another authorization server must not be taken for this one's.
    if (code !== null && searchParams.get('iss') === issuer) {
      answer(response, 200, 'Signed in. Return to the terminal; this page can be closed.')
      return resolve(code)
    }
    answer(response, 400, 'Not signed in. Return to the terminal; this page can be closed.')
    const error = searchParams.get('error')
    const reason =
      error === 'access_denied' ? 'access was denied' : printable(error ?? 'no code of this server').slice(0, 200)
    reject(new ClientFailure(`Not signed in: ${reason}. Run "gatehouse login" again.`))
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(0, '127.0.0.1', listening)
  })
  const timer = setTimeout(() => {
    reject(new ClientFailure('Not signed in: the browser gave no answer within 10 minutes.'))
  }, LONGEST_MS)
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK_PATH}`,
    code: promise,
    close() {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      server.close()
      server.closeAllConnections()
    },
  }
}

function answer(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      connection: 'close',
    })
    .end(`<!doctype html><html lang="en"><title>Gatehouse</title><p>${text}</p></html>`)
}
