import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { insertSession } from '#features/app-installs/sessions-store.ts'
import { insertInstall } from '#features/app-installs/store.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import type { TestApp } from '../servers/app.ts'

export interface App {
  readonly id: string
  readonly attributes: Record<string, string | number | boolean | string[]>
}

export const appAttributes = {
  name: 'An app',
  redirect_uris: ['https://app.example/callback'],
  scopes: ['org.read'],
} as const

/** A body that registers an app, wrapped in `data`. */
export function newApp(attributes: Record<string, unknown> = {}): { data: object } {
  return { data: { type: 'app', attributes: { ...appAttributes, ...attributes } } }
}

/** Attributes of an unattended app. */
export const unattended = { grant_type: 'client_credentials', redirect_uris: undefined } as const

export function creationsOf(orgId: string): string {
  return `/rest/orgs/${orgId}/apps/creations`
}

/** Registers an app as the administrator. */
export async function createApp(
  app: TestApp,
  attributes: Record<string, unknown> = {},
  { orgId = app.orgId, key = app.adminKey }: { orgId?: string; key?: string } = {},
): Promise<App> {
  const answer = await app.call('POST', creationsOf(orgId), { body: newApp(attributes), key })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().data
}

export function appSecrets(mode: string, attributes: Record<string, unknown> = {}): { data: object } {
  return { data: { type: 'app', attributes: { mode, ...attributes } } }
}

/** The two kinds of places that apps are installed in, as tests address them. */
export interface InstallPlace {
  readonly level: 'Org' | 'Group'
  /** Path of the list. */
  path(app: TestApp): string
  place(app: TestApp): OrgOrGroup
  permission(verb: 'read' | 'install' | 'edit'): Permission
  /** The key of a new user with these permissions in the place. */
  keyWith(app: TestApp, permissions: readonly Permission[]): Promise<string>
}

export const inOrg: InstallPlace = {
  level: 'Org',
  path: (app) => installsOf(app.orgId),
  place: (app) => ({ groupId: app.groupId, orgId: app.orgId }),
  permission: (verb) => `org.app.${verb}`,
  keyWith: (app, permissions) => app.keyWith(permissions),
}

export const inGroup: InstallPlace = {
  level: 'Group',
  path: (app) => `/rest/groups/${app.groupId}/apps/installs`,
  place: (app) => ({ groupId: app.groupId, orgId: null }),
  permission: (verb) => `group.app.${verb}`,
  keyWith: (app, permissions) => app.keyWith(permissions, { groupId: app.groupId }),
}

export function installsOf(orgId: string): string {
  return `/rest/orgs/${orgId}/apps/installs`
}

/** A body that installs an app, with `relationships` beside `data`. */
export function newInstall(appId: string): object {
  return { data: { type: 'app_install' }, relationships: ofApp(appId) }
}

export function ofApp(id: string): object {
  return { app: { data: { id, type: 'app' } } }
}

/** Installs a new unattended app. */
export async function install(
  app: TestApp,
  path: string,
  attributes: Record<string, unknown> = {},
): Promise<{ appId: string; id: string; clientId: string; secret: string }> {
  const { id: appId } = await createApp(app, { ...unattended, ...attributes })
  const answer = await app.call('POST', path, { body: newInstall(appId) })
  assert.equal(answer.statusCode, 201, answer.body)
  const { id, attributes: shown } = answer.json().data
  return { appId, id, clientId: shown.client_id, secret: shown.client_secret }
}

/** A person, by a key and an id. */
export interface Person {
  readonly id: string
  readonly key: string
}

export async function personWith(
  app: TestApp,
  permissions: readonly Permission[] = ['org.read'],
  at?: { orgId?: string; groupId?: string },
): Promise<Person> {
  const key = await app.keyWith(permissions, at)
  return { key, id: (await app.call('GET', '/rest/self', { key })).json().data.id }
}

/** Stores the result of a consent without the pages: an install in each place, and a session. */
export async function letIn(
  app: TestApp,
  { appId, userId, places }: { appId: string; userId: string; places: readonly OrgOrGroup[] },
): Promise<{ botId: string; installIds: string[]; sessionId: string }> {
  const { db, now } = app.parts.services
  const of = await db
    .selectFrom('app_installs')
    .select('bot_id')
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const botId = of?.bot_id ?? randomUUID()
  const installIds = places.map(() => randomUUID())
  const sessionId = randomUUID()
  const at = now()
  for (const [index, place] of places.entries()) {
    await insertInstall(db, {
      id: installIds[index]!,
      bot_id: botId,
      app_id: appId,
      group_id: place.groupId,
      org_id: place.orgId,
      user_id: userId,
      created_at: at,
      updated_at: at,
    })
  }
  const scopes = JSON.stringify(['org.read'])
  await insertSession(db, { id: sessionId, app_id: appId, user_id: userId, bot_id: botId, scopes, created_at: at })
  return { botId, installIds, sessionId }
}

/** Counts the remaining rows of an app by kind. */
export async function leftOf(app: TestApp, appId: string, ownerIds: readonly string[]): Promise<object> {
  const { db } = app.parts.services
  const count = async (rows: Promise<readonly unknown[]>) => (await rows).length
  return {
    apps: await count(db.selectFrom('apps').select('id').where('id', '=', appId).execute()),
    installs: await count(db.selectFrom('app_installs').select('id').where('app_id', '=', appId).execute()),
    sessions: await count(db.selectFrom('app_sessions').select('id').where('app_id', '=', appId).execute()),
    credentials: await count(
      db
        .selectFrom('credentials')
        .select('id')
        .where('owner_id', 'in', [...ownerIds])
        .execute(),
    ),
  }
}

/** Installs of an app in as many organizations of their own, each with a secret, stored without the interface. */
export async function plantInstalls(app: TestApp, appId: string, count: number): Promise<string[]> {
  const { db, now } = app.parts.services
  const [at, groupId] = [now(), app.groupId]
  const ids: string[] = []
  for (let planted = 0; planted < count; planted += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - planted) }, () => ({
      id: randomUUID(),
      orgId: randomUUID(),
    }))
    const times = { created_at: at, updated_at: at }
    const orgs = some.map(({ orgId }) => ({ id: orgId, group_id: groupId, name: orgId, slug: orgId, ...times }))
    const installs = some.map(({ id, orgId }) => ({
      ...{ id, bot_id: id, app_id: appId, group_id: groupId, org_id: orgId },
      ...{ user_id: null, client_id: randomUUID(), ...times },
    }))
    const secrets = some.map(({ id }) => ({
      ...{ id: randomUUID(), kind: 'client_secret', owner_kind: 'app_install', owner_id: id, name: 'First' },
      ...{ digest: randomUUID(), hint: 'none', created_at: at },
    }))
    await db.insertInto('orgs').values(orgs).execute()
    await db.insertInto('app_installs').values(installs).execute()
    await db.insertInto('credentials').values(secrets).execute()
    ids.push(...some.map(({ id }) => id))
  }
  return ids
}

/** Stores sessions that a user gave an app, each with an unused token, without the pages. */
export async function plantSessions(
  app: TestApp,
  { appId, userId }: { appId: string; userId: string },
  count: number,
): Promise<void> {
  const { db, now } = app.parts.services
  const at = now()
  for (let planted = 0; planted < count; planted += AT_ONCE) {
    const ids = Array.from({ length: Math.min(AT_ONCE, count - planted) }, () => randomUUID())
    const same = { app_id: appId, user_id: userId, bot_id: userId, scopes: '["org.read"]', created_at: at }
    await db
      .insertInto('app_sessions')
      .values(ids.map((id) => ({ id, ...same })))
      .execute()
    const tokens = ids.map((session_id) => ({
      ...{ id: randomUUID(), digest: randomUUID(), client_id: appId, session_id, scopes: same.scopes },
      ...{ issued_at: at, expires_at: at + 3_600_000 },
    }))
    await db.insertInto('access_tokens').values(tokens).execute()
  }
}

/** Rows in one statement: engines bound the values of one. */
const AT_ONCE = 500
