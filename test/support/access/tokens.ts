import { randomUUID } from 'node:crypto'
import { issueAccessToken, type TokenInput } from '#features/access-tokens/issue-access-token.ts'
import { insertInstall } from '#features/app-installs/store.ts'
import { type AppRow, insertApp, scopesOf } from '#features/apps/store.ts'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import type { TestApp } from '../servers/app.ts'
import type { Seed } from '../servers/keys.ts'
import { type Account, createAccount } from './accounts.ts'

export interface AppInput {
  readonly groupId?: string
  readonly orgId?: string
  readonly name?: string
  readonly context?: 'tenant' | 'user'
  readonly grantType?: 'authorization_code' | 'client_credentials'
  readonly isConfidential?: boolean
  readonly isPublic?: boolean
  readonly redirectUris?: readonly string[]
  readonly scopes?: readonly string[]
  readonly ttlSeconds?: number
}

/** Registers an app, by default one that users authorize and that acts as itself. */
export async function addApp({ parts, ...app }: Seed, input: AppInput = {}): Promise<AppRow> {
  const isUnattended = input.grantType === 'client_credentials'
  const at = parts.services.now()
  return insertApp(parts.services.db, {
    id: randomUUID(),
    group_id: input.groupId ?? app.groupId,
    org_id: input.orgId ?? app.orgId,
    name: input.name ?? 'An app',
    client_id: isUnattended ? null : randomUUID(),
    context: input.context ?? 'tenant',
    grant_type: input.grantType ?? 'authorization_code',
    is_confidential: input.isConfidential === false ? 0 : 1,
    is_public: input.isPublic ? 1 : 0,
    redirect_uris: JSON.stringify(input.redirectUris ?? (isUnattended ? [] : ['https://app.example/callback'])),
    scopes: JSON.stringify(input.scopes ?? ['org.read']),
    access_token_ttl_seconds: input.ttlSeconds ?? 3600,
    created_at: at,
    updated_at: at,
  })
}

export interface Consent {
  readonly app: AppRow
  readonly userId: string
  /** Default: the first organization. */
  readonly places?: readonly OrgOrGroup[]
  /** Default: all of the app's. */
  readonly scopes?: readonly Permission[]
}

export interface Session {
  readonly id: string
  readonly botId: string
  /** An access token of it. */
  readonly token: string
}

/** Grants consent and fetches the app's first access token. */
export async function consentTo(
  { parts, groupId, orgId }: Seed,
  { app, userId, places = [{ groupId, orgId }], scopes = scopesOf(app) as Permission[] }: Consent,
): Promise<Session> {
  const { services } = parts
  const [id, botId, at] = [randomUUID(), randomUUID(), services.now()]
  for (const place of places) {
    await insertInstall(services.db, {
      id: randomUUID(),
      bot_id: botId,
      app_id: app.id,
      group_id: place.groupId,
      org_id: place.orgId,
      user_id: userId,
      created_at: at,
      updated_at: at,
    })
  }
  const session = { id, app_id: app.id, user_id: userId, bot_id: botId, scopes: JSON.stringify(scopes) }
  await services.db
    .insertInto('app_sessions')
    .values({ ...session, created_at: at, last_used_at: null })
    .execute()
  const { token } = await issueAccessToken(services, services.db, {
    basis: { sessionId: id },
    clientId: app.client_id!,
    subject: app.context === 'user' ? userId : botId,
    botId,
    scopes,
    ttlSeconds: app.access_token_ttl_seconds,
  })
  return { id, botId, token }
}

export interface Install {
  readonly id: string
  readonly clientId: string
  readonly secret: string
  readonly secretId: string
  readonly token: string
}

/** Installs an unattended app and fetches a token with the install's secret. */
export async function installApp(
  { parts, groupId, orgId }: Seed,
  {
    app,
    place = { groupId, orgId },
    token: fields = {},
  }: { app: AppRow; place?: OrgOrGroup; token?: Partial<TokenInput> },
): Promise<Install> {
  const { services } = parts
  const [id, clientId] = [randomUUID(), randomUUID()]
  const at = services.now()
  const install = { id, bot_id: id, app_id: app.id, group_id: place.groupId, org_id: place.orgId, client_id: clientId }
  await insertInstall(services.db, { ...install, created_at: at, updated_at: at })
  const { row, secret } = await issueCredential(services, services.db, {
    kind: 'client_secret',
    owner: { kind: 'app_install', id },
    name: 'First',
  })
  const { token } = await issueAccessToken(services, services.db, {
    basis: { installId: id },
    clientId,
    subject: id,
    botId: id,
    scopes: scopesOf(app),
    ttlSeconds: app.access_token_ttl_seconds,
    credential: { id: row.id, endsAt: null },
    ...fields,
  })
  return { id, clientId, secret, secretId: row.id, token }
}

export interface AccountToken {
  readonly account: Account
  readonly secretId: string
  readonly token: string
}

/** A service account of the path with a token that its first secret obtained. */
export async function addAccountToken(
  app: TestApp,
  { path, roleId, token: fields = {} }: { path: string; roleId: string; token?: Partial<TokenInput> },
): Promise<AccountToken> {
  const { services } = app.parts
  const account = await createAccount(app, path, { auth_type: 'oauth_client_secret', role_id: roleId })
  const { id: secretId } = await services.db
    .selectFrom('credentials')
    .select('id')
    .where('owner_id', '=', account.id)
    .executeTakeFirstOrThrow()
  const { token } = await issueAccessToken(services, services.db, {
    basis: { serviceAccountId: account.id },
    clientId: String(account.attributes['client_id']),
    subject: account.id,
    botId: account.id,
    scopes: null,
    ttlSeconds: 3600,
    credential: { id: secretId, endsAt: null },
    ...fields,
  })
  return { account, secretId, token }
}

/** The user behind a key that `keyWith` made. */
export async function userOf({ parts }: Seed, key: string): Promise<string> {
  const { db, keyring } = parts.services
  const row = await db
    .selectFrom('credentials')
    .select('owner_id')
    .where('digest', '=', keyring.digest(key))
    .executeTakeFirstOrThrow()
  return row.owner_id
}
