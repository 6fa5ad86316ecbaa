import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { newSecret } from '#foundation/secrets/typed-secret.ts'
import { addKey, type Seed } from '../servers/keys.ts'
import { newAccount, secretsBody } from './accounts.ts'
import { appSecrets, creationsOf, installsOf, newApp, newInstall, unattended } from './apps.ts'
import { addApp, consentTo, userOf } from './tokens.ts'

/** Sends a request to a running process, and repeats it if that process was killed before it answered. */
export type Send = (request: SentRequest) => Promise<Sent>

export interface SentRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Sent {
  readonly status: number
  readonly body: string
}

export interface World extends Seed {
  readonly adminKey: string
  readonly send: Send
}

/** A credential that works, and something that ends it. */
export interface Subject {
  readonly credential: string
  /** The status of requests after the revocation. */
  readonly refusedWith: 401 | 404
  /** Resolves when the interface has answered that it is done. */
  revoke(): Promise<void>
}

const VERSION = 'version=2024-10-15'

const rest = (world: World, method: SentRequest['method'], path: string, sent: { body?: object; key?: string } = {}) =>
  world.send({
    method,
    path: `${path}?${VERSION}`,
    headers: {
      authorization: `token ${sent.key ?? world.adminKey}`,
      ...(sent.body && { 'content-type': 'application/vnd.api+json' }),
      // Sent again after a kill, a change that was made is not made twice.
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
    },
    ...(sent.body && { body: JSON.stringify(sent.body) }),
  })

interface Client {
  readonly clientId: string
  readonly secret: string
}

const form = (world: World, path: string, { clientId, secret }: Client, fields: Record<string, string>) =>
  world.send({
    method: 'POST',
    path: `/oauth2/${path}`,
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(fields).toString(),
  })

/**
 * Accepts 404 as well: a deletion that is sent again after a kill finds nothing left. A key that deleted itself is then
 * unknown.
 */
function isDone({ status, body }: Sent, { isOwn = false } = {}): void {
  assert.ok(status === 200 || status === 204 || status === 404 || (isOwn && status === 401), `${status} ${body}`)
}

async function created(answer: Promise<Sent>): Promise<{ id: string; attributes: Record<string, string> }> {
  const { status, body } = await answer
  assert.equal(status, 201, body)
  return JSON.parse(body).data
}

async function fetchToken(world: World, client: Client): Promise<string> {
  const { status, body } = await form(world, 'token', client, { grant_type: 'client_credentials' })
  assert.equal(status, 200, body)
  return JSON.parse(body).access_token
}

async function makeAccount(world: World, auth_type: 'api_key' | 'oauth_client_secret') {
  const path = `/rest/orgs/${world.orgId}/service_accounts`
  const account = await created(
    rest(world, 'POST', path, { body: newAccount({ auth_type, role_id: orgCollaborator.id }) }),
  )
  const { client_id: clientId = '', client_secret: secret = '', api_key: key = '' } = account.attributes
  return { path: `${path}/${account.id}`, clientId, secret, key }
}

async function makeInstall(world: World) {
  const app = await created(
    rest(world, 'POST', creationsOf(world.orgId), { body: newApp({ ...unattended, name: randomUUID() }) }),
  )
  const path = installsOf(world.orgId)
  const install = await created(rest(world, 'POST', path, { body: newInstall(app.id) }))
  const { client_id: clientId = '', client_secret: secret = '' } = install.attributes
  return { appId: app.id, path: `${path}/${install.id}`, clientId, secret }
}

/** Stores a consent as the consent page does, which would be slower. */
async function makeSession(world: World, context: 'tenant' | 'user') {
  const app = await addApp(world, { context })
  const key = await addKey(world, ['org.read'])
  const userId = await userOf(world, key)
  return { app, key, userId, ...(await consentTo(world, { app, userId })) }
}

type Make = (world: World) => Promise<Subject>

const deleting = (world: World, credential: string, path: string, key = world.adminKey): Subject => ({
  credential,
  refusedWith: 401,
  revoke: async () => isDone(await rest(world, 'DELETE', path, { key }), { isOwn: key === credential }),
})

/** Every way in which the interface ends a credential. */
export const revocations: Readonly<Record<string, Make>> = {
  'an app, of a session': async (world) => {
    const { app, token } = await makeSession(world, 'tenant')
    return deleting(world, token, `${creationsOf(world.orgId)}/${app.id}`)
  },
  'an app, of an install': async (world) => {
    const install = await makeInstall(world)
    return deleting(world, await fetchToken(world, install), `${creationsOf(world.orgId)}/${install.appId}`)
  },
  'an unattended install': async (world) => {
    const install = await makeInstall(world)
    return deleting(world, await fetchToken(world, install), install.path)
  },
  'the only install of a session': async (world) => {
    const { app, token } = await makeSession(world, 'user')
    const { id } = await world.parts.services.db
      .selectFrom('app_installs')
      .select('id')
      .where('app_id', '=', app.id)
      .executeTakeFirstOrThrow()
    return deleting(world, token, `${installsOf(world.orgId)}/${id}`)
  },
  'an app, by the user it acts for': async (world) => {
    const { app, token, key } = await makeSession(world, 'user')
    return deleting(world, token, `/rest/self/apps/${app.id}`, key)
  },
  'a session': async (world) => {
    const { app, token, key, id } = await makeSession(world, 'tenant')
    return deleting(world, token, `/rest/self/apps/${app.id}/sessions/${id}`, key)
  },
  'a secret of an install, by another': async (world) => {
    const install = await makeInstall(world)
    const body = appSecrets('replace')
    return {
      credential: await fetchToken(world, install),
      refusedWith: 401,
      revoke: async () => isDone(await rest(world, 'POST', `${install.path}/secrets`, { body })),
    }
  },
  'a secret of a service account': async (world) => {
    const account = await makeAccount(world, 'oauth_client_secret')
    const credential = await fetchToken(world, account)
    const second = await rest(world, 'POST', `${account.path}/secrets`, { body: secretsBody('create') })
    assert.equal(second.status, 200, second.body)
    return {
      credential,
      refusedWith: 401,
      revoke: async () => {
        const body = secretsBody('delete', account.secret)
        const answer = await rest(world, 'POST', `${account.path}/secrets`, { body })
        // Sent again after a kill, it is no secret any more.
        if (answer.status !== 400 || !answer.body.includes('no secret of')) isDone(answer)
      },
    }
  },
  'a service account, with a token': async (world) => {
    const account = await makeAccount(world, 'oauth_client_secret')
    return deleting(world, await fetchToken(world, account), account.path)
  },
  'a service account, with a key': async (world) => {
    const account = await makeAccount(world, 'api_key')
    return deleting(world, account.key, account.path)
  },
  'an API key': async (world) => {
    const key = await addKey(world, ['org.read'])
    const list = await rest(world, 'GET', '/rest/self/api_keys', { key })
    return deleting(world, key, `/rest/self/api_keys/${JSON.parse(list.body).data[0].id}`, key)
  },
  'an access token, by its client': async (world) => {
    const account = await makeAccount(world, 'oauth_client_secret')
    const token = await fetchToken(world, account)
    return {
      credential: token,
      refusedWith: 401,
      revoke: async () => isDone(await form(world, 'revoke', account, { token })),
    }
  },
  'a refresh token, by its client': async (world) => {
    const { services } = world.parts
    const { app, id, token: credential } = await makeSession(world, 'tenant')
    const owner = { kind: 'app', id: app.id } as const
    const { secret } = await issueCredential(services, services.db, { kind: 'client_secret', owner, name: 'First' })
    const token = newSecret('refresh_token')
    const record = { model: 'RefreshToken', id: services.keyring.digest(token), payload: new Uint8Array() }
    await services.db
      .insertInto('oauth_records')
      .values({ ...record, uid: null, session_id: id, consumed_at: null, expires_at: services.now() + 3_600_000 })
      .execute()
    const client = { clientId: app.client_id!, secret }
    return { credential, refusedWith: 401, revoke: async () => isDone(await form(world, 'revoke', client, { token })) }
  },
  'a membership, of a user with a key': async (world) => {
    const key = await addKey(world, ['org.read'])
    return withoutMembership(world, { credential: key, userId: await userOf(world, key) })
  },
  'a membership, of a user for whom an app acts': async (world) => {
    const { token, userId } = await makeSession(world, 'tenant')
    return withoutMembership(world, { credential: token, userId })
  },
  'a user': async (world) => {
    const { token, userId } = await makeSession(world, 'user')
    return deleting(world, token, `/rest/groups/${world.groupId}/users/${userId}`)
  },
}

/** The credential is still known, and finds nothing any more. */
async function withoutMembership(
  world: World,
  { credential, userId }: { credential: string; userId: string },
): Promise<Subject> {
  const { id } = await world.parts.services.db
    .selectFrom('memberships')
    .select('id')
    .where('principal_id', '=', userId)
    .executeTakeFirstOrThrow()
  const path = `/rest/orgs/${world.orgId}/memberships/${id}`
  return { ...deleting(world, credential, path), refusedWith: 404 }
}
