import { commandLineClientId } from '#foundation/product.ts'
import { ApiError, type Client, createClient, type TokenAnswer } from './api/client.ts'
import { askServer } from './ask-server.ts'
import type { Connection, Environment } from './connection.ts'
import { ClientFailure } from './failure.ts'
import { changeProfiles, type Profiles, readProfiles, type Session } from './profile.ts'
import { toFailure } from './to-failure.ts'

/** A server, and the client that calls it with the chosen credential. */
export interface OpenServer {
  readonly url: string
  readonly org: string | undefined
  readonly client: Client
}

/** Refresh before the expiry, so that a token does not expire on its way. */
const EARLY_MS = 60_000

/** Opens a client of the connection. Its tokens are refreshed when they are about to expire. */
export function openServer(connection: Connection, environment: Environment): OpenServer {
  const { url, key, profile, org } = connection
  const transport = askServer(environment)
  const credential = key ?? (() => accessTokenOf(environment, { url, profile: profile! }))
  return { url, org, client: createClient({ url, credential, transport }) }
}

/** Opens a client that sends no credential. */
export function openAnonymously(url: string, environment: Environment): Client {
  return createClient({ url, transport: askServer(environment) })
}

async function accessTokenOf(environment: Environment, at: { url: string; profile: string }): Promise<string> {
  const stored = sessionOf(readProfiles(environment), at)
  if (isFresh(stored)) return stored.accessToken
  // Two uses of one refresh token end the login: the lock lets one process refresh, the others read its result.
  const changed = await changeProfiles(environment, async (profiles) => {
    const session = sessionOf(profiles, at)
    if (isFresh(session)) return profiles
    const refreshed = await refresh(session, at.url, environment)
    const profile = { ...profiles.profiles[at.profile]!, session: refreshed }
    return { ...profiles, profiles: { ...profiles.profiles, [at.profile]: profile } }
  })
  return sessionOf(changed, at).accessToken
}

function sessionOf({ profiles }: Profiles, { url, profile }: { url: string; profile: string }): Session {
  const stored = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
  if (stored?.session === undefined || stored.url !== url) {
    throw new ClientFailure(`The profile "${profile}" has no credential. Run "gatehouse login --profile ${profile}".`)
  }
  return stored.session
}

function isFresh({ expiresAt }: Session): boolean {
  return expiresAt - EARLY_MS > Date.now()
}

async function refresh({ refreshToken }: Session, url: string, environment: Environment): Promise<Session> {
  try {
    return toSession(
      await openAnonymously(url, environment).call('getToken', {
        body: { grant_type: 'refresh_token', client_id: commandLineClientId, refresh_token: refreshToken },
      }),
    )
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 400 || error.status === 401) {
      throw new ClientFailure(`The login to ${url} has expired or was revoked. Run "gatehouse login" again.`, {
        cause: error,
      })
    }
    throw toFailure(error, url)
  }
}

/** Converts an answer of the token endpoint. Throws without a refresh token. */
export function toSession({ access_token, refresh_token, expires_in }: TokenAnswer): Session {
  if (refresh_token === undefined) throw new ClientFailure('The server gave no refresh token. Log in with --key.')
  return { accessToken: access_token, refreshToken: refresh_token, expiresAt: Date.now() + expires_in * 1000 }
}

interface Revocation {
  readonly url: string
  readonly session: Session
  readonly environment: Environment
  readonly signal: AbortSignal
}

/** Revokes a browser login with all its tokens (RFC 7009). */
export async function revokeSession({ url, session, environment, signal }: Revocation): Promise<void> {
  const body = { client_id: commandLineClientId, token: session.refreshToken }
  await openAnonymously(url, environment).send('revokeToken', { body, signal })
}
