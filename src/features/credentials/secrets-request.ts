import { type Static, Type } from 'typebox'
import { limitAttributes } from './limits.ts'

const secretModes = ['replace', 'create', 'delete'] as const

const MAX_GRACE_SECONDS = 7 * 86_400

/** What requests that make, replace or delete client secrets say, whoever owns them. */
export const SecretsAttributes = Type.Object(
  {
    mode: Type.Enum([...secretModes], {
      description:
        'replace: end all secrets and make one; create: make a second one; delete: end the one given in `secret`',
    }),
    secret: Type.Optional(Type.String({ maxLength: 1024, description: 'The secret to delete; other modes ignore it' })),
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_GRACE_SECONDS,
        description:
          'An extension, mode replace only: the replaced secret works on for this long and then ends by itself. Without it, it ends at once',
      }),
    ),
    ...limitAttributes,
  },
  { additionalProperties: false },
)
export type SecretsAttributes = Static<typeof SecretsAttributes>
