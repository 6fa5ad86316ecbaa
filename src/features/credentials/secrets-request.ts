import { type Static, Type } from 'typebox'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { limitAttributes } from './limits.ts'

const secretModes = ['replace', 'create', 'delete'] as const

const MAX_GRACE_SECONDS = 7 * 86_400

/** Attributes of requests that create, replace or delete client secrets of any owner. */
export const SecretsAttributes = Type.Object(
  {
    mode: Type.Enum([...secretModes], {
      description:
        'replace: revoke all secrets and create one; create: create a second one; delete: revoke the one in `secret`',
    }),
    secret: Type.Optional(Type.String({ maxLength: 1024, description: 'The secret to delete; other modes ignore it' })),
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_GRACE_SECONDS,
        description: 'An extension, mode replace only: seconds for which the replaced secret stays valid; default: 0',
      }),
    ),
    ...limitAttributes,
  },
  { additionalProperties: false },
)
export type SecretsAttributes = Static<typeof SecretsAttributes>

nameSchemas({ SecretsAttributes })
