import { type Static, Type } from 'typebox'
import { bodyOf, resource, Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { nameText, toStoredName } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { Problem } from '#foundation/problem.ts'
import type { ArchiveRow } from './archives-store.ts'
import type { IntegrationInput, Pointers } from './change-integration.ts'
import type { Credentials } from './credentials.ts'
import { integrationKinds } from './kinds.ts'
import { parseBaseUrl } from './parse-base-url.ts'
import type { StoredIntegration } from './store.ts'
import { unservedKinds } from './unserved-kinds.ts'

const strict = { additionalProperties: false } as const

const Name = nameText(100, 'Unique in the organization')

const BaseUrl = Type.Union([Type.String({ minLength: 1, maxLength: 1000 }), Type.Null()], {
  description: 'Base URL of the source; null for the default of the kind',
})

// Control characters cannot be passed to git (gitcredentials(7)).
const Secret = (description: string) =>
  Type.String({ minLength: 1, maxLength: 4096, pattern: '^[^\\u0000-\\u001f\\u007f]+$', description })

/** Credentials of either form. A form that the kind does not support is refused. */
export const SentCredentials = Type.Object(
  {
    token: Type.Optional(Secret('An access token')),
    username: Type.Optional(Secret('Together with a password')),
    password: Type.Optional(Secret('A password, or a token that the source accepts as one')),
  },
  { ...strict, minProperties: 1, description: 'Stored encrypted and never shown again' },
)
type SentCredentials = Static<typeof SentCredentials>

const kindIds = integrationKinds.map(({ id }) => id)

export const Integration = resource(
  'integration',
  Type.Object({
    kind: Type.Enum(kindIds, { description: 'Kind of source' }),
    name: Name,
    base_url: Type.Union([Type.String(), Type.Null()]),
    has_credentials: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)

export const NewIntegration = bodyOf(
  'integration',
  Type.Object(
    {
      kind: Type.Enum([...kindIds, ...unservedKinds], {
        description: `One of ${kindIds.join(', ')}; other kinds of the interface are refused with 422`,
      }),
      name: Name,
      base_url: Type.Optional(BaseUrl),
      credentials: Type.Optional(SentCredentials),
    },
    strict,
  ),
)

export const ChangedIntegration = Type.Object(
  {
    data: Type.Object(
      {
        id: Type.Optional(Uuid),
        type: Type.Literal('integration'),
        attributes: Type.Object(
          {
            name: Type.Optional(Name),
            base_url: Type.Optional(BaseUrl),
            credentials: Type.Optional(
              Type.Union([SentCredentials, Type.Null()], { description: 'Null deletes the stored credentials' }),
            ),
          },
          { ...strict, minProperties: 1 },
        ),
      },
      strict,
    ),
  },
  strict,
)

export const ConnectionTest = resource(
  'integration_test',
  Type.Object({
    ok: Type.Boolean(),
    message: Type.String({ description: 'Result, or the reason for the failure' }),
    code: Type.Optional(Type.String({ description: 'Code of the error if the connection failed' })),
    reference: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'The branch of the target that an import would read' }),
    ),
    revision: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'The current commit of that branch' }),
    ),
    is_private: Type.Optional(Type.Boolean()),
  }),
)

export const TestInput = bodyOf(
  'integration_test',
  Type.Object(
    {
      target: Type.Optional(Type.Object({}, { description: 'A target, as in a request for an import, to look for' })),
    },
    strict,
  ),
)

export const Archive = resource(
  'integration_archive',
  Type.Object({
    name: Type.String({ description: 'Archives of the same name are one target, which imports the newest of them' }),
    size_bytes: Type.Integer(),
    digest: Type.String({ description: 'SHA-256 of the archive, in hexadecimal' }),
    created_at: Timestamp,
  }),
)

nameSchemas({
  SentCredentials,
  Integration,
  NewIntegration,
  ChangedIntegration,
  ConnectionTest,
  NewConnectionTest: TestInput,
  Archive,
})

export const restPointers: Pointers = {
  name: '/data/attributes/name',
  baseUrl: '/data/attributes/base_url',
  credentials: '/data/attributes/credentials',
}

export function toResource(row: StoredIntegration): Static<typeof Integration> {
  return {
    id: row.id,
    type: 'integration',
    attributes: {
      kind: row.kind,
      name: row.name,
      base_url: row.baseUrl,
      has_credentials: row.sealedCredentials !== null,
      created_at: toTimestamp(row.createdAt),
      updated_at: toTimestamp(row.updatedAt),
    },
  }
}

export function toArchive(row: ArchiveRow): Static<typeof Archive> {
  const { id, name, size_bytes, digest, created_at } = row
  return {
    id,
    type: 'integration_archive',
    attributes: { name, size_bytes: Number(size_bytes), digest, created_at: toTimestamp(created_at) },
  }
}

/**
 * Parses the attributes of an integration. Throws 400 for a base URL that is not allowed and for malformed credentials.
 */
export function parseAttributes(
  outgoing: Pick<Outgoing, 'judge'>,
  { name, base_url: baseUrl, credentials }: Static<typeof ChangedIntegration>['data']['attributes'],
): IntegrationInput {
  return {
    ...(name !== undefined && { name: toStoredName(name) }),
    ...(baseUrl !== undefined && { baseUrl: baseUrl && parseBaseUrl(outgoing, baseUrl, restPointers.baseUrl) }),
    ...(credentials !== undefined && {
      credentials: credentials && parseCredentials(credentials, restPointers.credentials),
    }),
  }
}

export function parseCredentials({ token, username, password }: SentCredentials, pointer: string): Credentials {
  if (token !== undefined && username === undefined && password === undefined) return { token }
  if (token === undefined && username !== undefined && password !== undefined) return { username, password }
  const detail = `${pointer} must have either a token, or a username and a password`
  throw new Problem('invalid-request', detail, { source: { pointer } })
}
