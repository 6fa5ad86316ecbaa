import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { insertIdentity } from '#features/single-sign-on/identities-store.ts'
import { groupAdmin } from '#foundation/access/built-in-roles.ts'
import type { Engine } from '#foundation/db/database.ts'
import { startApp, type TestApp } from '../servers/app.ts'
import type { ConsoleBrowser } from './console-browser.ts'
import { CLIENT_ID, CLIENT_SECRET, type IdentityProvider, startIdentityProvider } from './identity-provider.ts'

/** Settings with which the server may ask providers on loopback. */
export const PROVIDER_SERVER = { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' }

/** The body that saves a provider. */
export function providerInput(issuer: string, domain: string, changes: object = {}): object {
  return {
    name: 'Directory',
    issuer,
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    domains: [domain],
    mode: 'optional',
    creates_accounts: true,
    trusts_emails: false,
    role_claim: null,
    roles: [],
    ...changes,
  }
}

export interface Configured {
  readonly id: string
  readonly domain: string
  readonly path: string
  /** Saves other settings; the client secret stays. */
  change(changes: object): Promise<LightMyRequestResponse>
}

/** Adds an identity provider to a group, for a domain of its own. */
export async function addProvider(
  app: TestApp,
  { issuer }: Pick<IdentityProvider, 'issuer'>,
  { groupId = app.groupId, ...changes }: { groupId?: string; [name: string]: unknown } = {},
): Promise<Configured> {
  const key = groupId === app.groupId ? app.adminKey : await app.keyWith(groupAdmin.permissions, { groupId })
  const id = randomUUID()
  const domain = `d${id.slice(0, 8)}.example`
  const path = `/console/groups/${groupId}/identity-providers/${id}`
  const body = providerInput(issuer, domain, changes)
  const answer = await app.call('PUT', path, { key, body, query: { version: '-' } })
  assert.equal(answer.statusCode, 200, answer.body)
  const change = (more: object) =>
    app.call('PUT', path, { key, body: { ...body, client_secret: undefined, ...more }, query: { version: '-' } })
  return { id, domain, path, change }
}

/** Connects a user to a provider as a first sign-in does. Returns the id of the identity. */
export async function addIdentity(
  app: TestApp,
  { providerId, userId }: { providerId: string; userId: string },
): Promise<string> {
  const { db, now } = app.parts.services
  const id = randomUUID()
  const times = { created_at: now(), last_sign_in_at: now(), checked_at: now() }
  await insertIdentity(db, { id, provider_id: providerId, user_id: userId, subject: `subject of ${userId}`, ...times })
  return id
}

/** Asks for the address of the provider, as the sign-in page does. */
export async function startSignOn(browser: ConsoleBrowser, email: string, returnTo?: string): Promise<string> {
  const body = { email, ...(returnTo !== undefined && { return_to: returnTo }) }
  const answer = await browser.ask('POST', '/console/sign-in/single-sign-on', { body })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().url
}

/** Comes back from the provider. */
export async function comeBack(browser: ConsoleBrowser, url: URL): Promise<LightMyRequestResponse> {
  const headers = { 'sec-fetch-site': 'cross-site', 'gatehouse-session': undefined }
  const answer = await browser.ask('GET', `${url.pathname}${url.search}`, { headers })
  browser.adopt(await browser.ask('GET', '/console/session'))
  return answer
}

/** Signs in with the provider from the first page to the last. */
export async function signOn(
  browser: ConsoleBrowser,
  provider: IdentityProvider,
  email: string,
): Promise<LightMyRequestResponse> {
  return comeBack(browser, provider.authorize(await startSignOn(browser, email)))
}

/** A server with one identity provider, to which a domain belongs. */
export async function startWithProvider(engine: Engine) {
  const app = await startApp(engine, PROVIDER_SERVER)
  const provider = await startIdentityProvider()
  return {
    app,
    provider,
    configured: await addProvider(app, provider),
    async close() {
      await provider[Symbol.asyncDispose]()
      await app.close()
    },
  }
}
