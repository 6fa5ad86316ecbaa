import { randomUUID } from 'node:crypto'
import { issueAccessToken } from '#features/access-tokens/issue-access-token.ts'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import type { CredentialLimits } from '#features/credentials/store.ts'
import { insertAccount } from '#features/service-accounts/store.ts'
import { type Permission, permissionNames } from '#foundation/access/permissions.ts'
import type { TestApp } from '../servers/app.ts'
import { addApp, consentTo, installApp, userOf } from './tokens.ts'

/** An organization of a group, or the whole group. */
export interface Tenancy {
  readonly groupId: string
  readonly orgId: string | null
}

/** A kind of caller of the interface. */
export interface CallerKind {
  readonly name: string
  readonly isPerson?: true
  /** The credential of a new one that may do exactly this, and only there. */
  credentialFor(app: TestApp, place: Tenancy, permissions: readonly Permission[]): Promise<string>
}

const all = permissionNames

export const callerKinds: readonly CallerKind[] = [
  {
    name: 'a user',
    isPerson: true,
    credentialFor: (app, place, permissions) => app.keyWith(permissions, toPlace(place)),
  },
  {
    name: 'a service account with a key',
    credentialFor: async (app, place, permissions) => (await addAccount(app, place, permissions)).key,
  },
  {
    name: 'a service account with a token',
    credentialFor: async (app, place, permissions) => (await addAccount(app, place, permissions)).token(null),
  },
  {
    name: 'a service account with a narrowed token',
    credentialFor: async (app, place, permissions) => (await addAccount(app, place, all)).token(permissions),
  },
  ...(['tenant', 'user'] as const).flatMap((context): CallerKind[] => [
    {
      name: `an app in a ${context}’s context, bounded by its user`,
      credentialFor: async (app, place, permissions) => {
        const userId = await userOf(app, await app.keyWith(permissions, toPlace(place)))
        const consent = { app: await addApp(app, { context, scopes: all }), userId, places: [place] }
        return (await consentTo(app, consent)).token
      },
    },
    {
      name: `an app in a ${context}’s context, bounded by its scopes`,
      credentialFor: async (app, place, permissions) => {
        const userId = await userOf(app, await app.keyWith(all, toPlace(place)))
        const consent = { app: await addApp(app, { context, scopes: all }), userId, places: [place] }
        return (await consentTo(app, { ...consent, scopes: permissions })).token
      },
    },
    {
      name: `an app in a ${context}’s context, bounded by where it is installed`,
      credentialFor: async (app, place, permissions) => {
        const userId = await userOf(app, await app.keyWith(permissions, { groupId: place.groupId }))
        const consent = { app: await addApp(app, { context, scopes: all }), userId, places: [place] }
        return (await consentTo(app, consent)).token
      },
    },
  ]),
  {
    name: 'an unattended app',
    credentialFor: async (app, place, permissions) => {
      const registered = await addApp(app, { grantType: 'client_credentials', scopes: permissions })
      return (await installApp(app, { app: registered, place })).token
    },
  },
]

function toPlace({ groupId, orgId }: Tenancy) {
  return orgId === null ? { groupId } : { orgId }
}

/** A service account with a role of its own, an API key, and tokens by a secret. */
export async function addAccount(
  { parts }: TestApp,
  place: Tenancy,
  permissions: readonly Permission[],
  limits?: CredentialLimits,
) {
  const { services } = parts
  const { db } = services
  const [id, roleId, clientId, at] = [randomUUID(), randomUUID(), randomUUID(), services.now()]
  const role = { id: roleId, group_id: place.groupId, name: roleId, description: '' }
  await db
    .insertInto('roles')
    .values({ ...role, permissions: JSON.stringify(permissions), created_at: at, updated_at: at })
    .execute()
  const account = { id, name: id, authType: 'oauth_client_secret', roleId, clientId, jwksUrl: null, ttlSeconds: 3600 }
  await insertAccount(db, place, { ...account, createdAt: at })
  const owner = { kind: 'service_account', id } as const
  const key = await issueCredential(services, db, { kind: 'api_key', owner, name: 'Key', limits })
  const secret = await issueCredential(services, db, { kind: 'client_secret', owner, name: 'Secret', limits })
  return {
    id,
    clientId,
    keyId: key.row.id,
    key: key.secret,
    secretId: secret.row.id,
    secret: secret.secret,
    /** Null for all permissions of the role. */
    async token(scopes: readonly Permission[] | null): Promise<string> {
      const credential = { id: secret.row.id, endsAt: null }
      const grant = { basis: { serviceAccountId: id }, clientId, subject: id, botId: id, scopes, credential }
      return (await issueAccessToken(services, db, { ...grant, ttlSeconds: 3600 })).token
    },
  }
}
