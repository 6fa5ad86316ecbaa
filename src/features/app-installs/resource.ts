import { type Static, Type } from 'typebox'
import { AppSummary, toAppSummary, wrapped } from '#features/apps/resource.ts'
import { limitsOfFirst } from '#features/credentials/limits.ts'
import { SecretsAttributes } from '#features/credentials/secrets-request.ts'
import { resource, Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import { Problem } from '#foundation/problem.ts'
import type { SessionRow } from './sessions-store.ts'
import type { InstallRow } from './store.ts'

const strict = { additionalProperties: false } as const

const ClientId = Type.String({ format: 'uuid', description: 'The client id with which the install obtains tokens' })
const ClientSecret = Type.String({ description: 'Only in the response to the request that created the secret' })
const ofApp = Type.Object({ app: Type.Object({ data: AppSummary }) })

/** Accepted and ignored: the operations that accept it always include the app with its attributes. */
export const expand = Type.Optional(
  Type.Array(Type.Enum(['app'], { type: 'string' }), {
    description: 'Has no effect: the attributes of the app are always included',
  }),
)

export const CreatedInstall = Type.Object({
  id: Uuid,
  type: Type.Literal('app_install'),
  attributes: Type.Object({ client_id: ClientId, client_secret: ClientSecret }),
  relationships: Type.Object({ app: Type.Object({ data: Type.Object({ id: Uuid, type: Type.Literal('app') }) }) }),
})

export const AppInstall = Type.Object({
  id: Uuid,
  type: Type.Literal('app_install'),
  attributes: Type.Object({
    client_id: Type.Optional({ ...ClientId, description: 'Absent if a user authorized the app' }),
    client_secret: Type.Optional(ClientSecret),
    installed_at: Timestamp,
  }),
  relationships: ofApp,
})
export type AppInstall = Static<typeof AppInstall>

/** An install as shown to the user who authorized it, with its place. */
export const OwnInstall = Type.Object({
  ...AppInstall.properties,
  relationships: Type.Object({
    ...ofApp.properties,
    org: Type.Optional(Type.Object({ data: Type.Object({ id: Uuid, type: Type.Literal('org') }) })),
    group: Type.Optional(Type.Object({ data: Type.Object({ id: Uuid, type: Type.Literal('group') }) })),
  }),
})

/** Deprecated: the bot of an install. */
export const AppBot = Type.Object({
  id: Uuid,
  type: Type.Literal('app_bot'),
  attributes: Type.Object({}),
  relationships: ofApp,
})

export const AppSession = resource('app_session', Type.Object({ created_at: Timestamp }))

const Relationships = Type.Object(
  {
    app: Type.Object(
      { data: Type.Object({ id: Uuid, type: Type.Literal('app') }, strict) },
      { ...strict, description: 'The unattended app to install' },
    ),
  },
  strict,
)

/** The body of a creation. Existing clients send `relationships` beside `data` or inside it. */
export const NewInstall = Type.Object(
  {
    data: Type.Object(
      {
        type: Type.Literal('app_install'),
        attributes: Type.Optional(Type.Object(limitsOfFirst, strict)),
        relationships: Type.Optional(Relationships),
      },
      { ...strict, description: '`relationships` is required, here or beside `data`' },
    ),
    relationships: Type.Optional(Relationships),
  },
  strict,
)

/** `data.type` is `app` here. */
export const InstallSecrets = wrapped(SecretsAttributes)

nameSchemas({ CreatedInstall, AppInstall, OwnInstall, AppBot, AppSession, NewInstall, InstallSecrets })

/** Returns the app that a creation names, and its JSON pointer. Throws 400 if it names none, or two different ones. */
export function parseApp(body: Static<typeof NewInstall>): { id: string; pointer: string } {
  const [beside, inside] = [body.relationships, body.data.relationships].map((one) => one?.app.data.id.toLowerCase())
  if (beside === undefined && inside === undefined) {
    throw new Problem('invalid-request', '/relationships is missing', { source: { pointer: '/relationships' } })
  }
  if (beside !== undefined && inside !== undefined && beside !== inside) {
    throw new Problem('invalid-request', '/relationships and /data/relationships name different apps; send one', {
      source: { pointer: '/data/relationships' },
    })
  }
  return beside === undefined
    ? { id: inside!, pointer: '/data/relationships/app/data/id' }
    : { id: beside, pointer: '/relationships/app/data/id' }
}

export function toCreated(row: InstallRow, clientSecret: string): Static<typeof CreatedInstall> {
  return {
    id: row.id,
    type: 'app_install',
    attributes: { client_id: row.client_id!, client_secret: clientSecret },
    relationships: { app: { data: { id: row.app_id, type: 'app' } } },
  }
}

export function toResource(row: InstallRow, shown: { readonly client_secret?: string } = {}): AppInstall {
  return {
    id: row.id,
    type: 'app_install',
    attributes: {
      ...(row.client_id !== null && { client_id: row.client_id }),
      installed_at: toTimestamp(row.created_at),
      ...shown,
    },
    relationships: appOf(row),
  }
}

export function toOwnInstall(row: InstallRow): Static<typeof OwnInstall> {
  const place =
    row.org_id === null
      ? { group: { data: { id: row.group_id, type: 'group' as const } } }
      : { org: { data: { id: row.org_id, type: 'org' as const } } }
  const install = toResource(row)
  return { ...install, relationships: { ...install.relationships, ...place } }
}

export function toBot(row: InstallRow): Static<typeof AppBot> {
  return { id: row.bot_id, type: 'app_bot', attributes: {}, relationships: appOf(row) }
}

export function toSession({ id, created_at }: SessionRow): Static<typeof AppSession> {
  return { id, type: 'app_session', attributes: { created_at: toTimestamp(created_at) } }
}

function appOf(row: InstallRow) {
  const { app_id, app_client_id, app_name, context, scopes } = row
  return { app: { data: toAppSummary({ id: app_id, client_id: app_client_id, name: app_name, context, scopes }) } }
}
