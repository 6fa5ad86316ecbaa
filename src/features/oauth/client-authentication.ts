import type { Attempt } from '#foundation/access/attempts.ts'
import { endOf, isUsable } from '#foundation/access/is-usable.ts'
import type { AuthenticatedClient, ClientRequest } from '#foundation/access/oauth-client.ts'
import { isUuid } from '#foundation/http/access.ts'
import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'
import { Problem } from '#foundation/problem.ts'
import { toAccountClient, toAppClient, toClient } from './clients.ts'
import { type ClientAuthenticationNeeds, refuse } from './refused-client.ts'
import { findAppByClientId, findClientBySecret } from './store.ts'

/**
 * Authenticates the client at every endpoint of the authorization server: by secret in HTTP Basic or in the form (RFC
 * 6749 §2.3.1), by a signed assertion (RFC 7523 §3), or by id alone for a public app.
 */
export function authenticateClient(
  needs: ClientAuthenticationNeeds,
  request: ClientRequest,
): MaybePromise<AuthenticatedClient> {
  const { client_id, client_secret, client_assertion, client_assertion_type } = request.form
  const basic = request.authorization === undefined ? undefined : parseBasic(request.authorization)
  const shown = [basic, client_secret, client_assertion ?? client_assertion_type].filter((one) => one !== undefined)
  if (shown.length > 1) throw new Problem('invalid-request', 'Send only one form of client authentication')
  if (basic && client_id !== undefined && client_id !== basic.clientId) {
    throw new Problem('invalid-request', 'client_id differs from the one in the Authorization header')
  }
  if (client_assertion !== undefined || client_assertion_type !== undefined) return byAssertion(needs, request)
  const clientId = basic?.clientId ?? client_id
  if (clientId === undefined) throw refuse('The request names no client')
  const secret = basic?.secret ?? client_secret
  return secret === undefined
    ? publicClient(needs, { clientId, ...request })
    : bySecret(needs, { clientId, secret, ...request })
}

/** Loaded on demand: signed assertions are rare, and their library is large. */
async function byAssertion(
  needs: ClientAuthenticationNeeds,
  { form, address }: ClientRequest,
): Promise<AuthenticatedClient> {
  const { readAssertion, verifyAssertion } = await import('./client-assertion.ts')
  const shown = readAssertion(form)
  // Assertions are unique, so a successful one admits later attempts of this client from this address.
  const attempt = { kind: 'client', address, client: shown.clientId, proof: `assertion of ${shown.clientId}` } as const
  return attempted(needs, attempt, async () =>
    toAccountClient(await verifyAssertion(needs, { ...shown, address }), { method: 'private_key_jwt' }),
  )
}

/**
 * Counts the attempt. Only a refusal of the client counts as failed, not an error of this server or of the client's key
 * server.
 */
async function attempted(
  { attempts }: ClientAuthenticationNeeds,
  attempt: Attempt,
  authenticate: () => Promise<AuthenticatedClient>,
): Promise<AuthenticatedClient> {
  attempts.admit(attempt)
  try {
    const client = await authenticate()
    attempts.worked(attempt)
    return client
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid-client') attempts.failed(attempt)
    throw error
  }
}

function bySecret(
  { db, keyring, lastUses, attempts, now }: ClientAuthenticationNeeds,
  { clientId, secret, address }: { clientId: string; secret: string; address: string },
): MaybePromise<AuthenticatedClient> {
  const digest = keyring.digest(secret)
  const attempt: Attempt = { kind: 'client', address, client: clientId, proof: digest }
  attempts.admit(attempt)
  return andThen(findClientBySecret(db, digest), (row) => {
    const at = now()
    const client = row && isUsable(row, { address, at }) ? toClient(row) : undefined
    if (!row || !client || client.clientId !== clientId) {
      attempts.failed(attempt)
      throw refuse('Unknown client, or its secret is invalid, expired, or not allowed from this address')
    }
    attempts.worked(attempt)
    lastUses.note(row.id, at)
    const end = endOf(row)
    return { ...client, credential: { id: row.id, endsAt: end === Infinity ? null : end } }
  })
}

async function publicClient(
  needs: ClientAuthenticationNeeds,
  { clientId, address }: { clientId: string; address: string },
): Promise<AuthenticatedClient> {
  const attempt = { kind: 'client', address, client: clientId, proof: `${clientId} without a secret` } as const
  return attempted(needs, attempt, async () => {
    const app = isUuid(clientId) ? await findAppByClientId(needs.db, clientId) : undefined
    if (!app || app.is_confidential === 1) throw refuse('Unknown client, or it must authenticate')
    return toAppClient(app, { method: 'none' })
  })
}

/**
 * Parses HTTP Basic with form-encoded parts. An empty secret counts as none: some clients of public apps try this form
 * first.
 */
function parseBasic(header: string): { clientId: string; secret: string | undefined } {
  const encoded = /^\s*basic\s+([A-Za-z0-9+/_-]{1,8192}={0,2})\s*$/i.exec(header)?.[1]
  const [, id, secret] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? []
  if (id === undefined || secret === undefined)
    throw refuse('The Authorization header must be HTTP Basic with the client id and secret')
  try {
    return { clientId: formDecoded(id), secret: secret === '' ? undefined : formDecoded(secret) }
  } catch {
    throw refuse('Client id and secret in the Authorization header must be form-encoded')
  }
}

function formDecoded(text: string): string {
  return /[%+]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text
}
