import { type Static, Type } from 'typebox'

const secretModes = ['replace', 'create', 'delete'] as const

/** What requests that make, replace or delete client secrets say, whoever owns them. */
export const SecretsAttributes = Type.Object(
  {
    mode: Type.Enum([...secretModes], {
      description:
        'replace: end all secrets and make one; create: make a second one; delete: end the one given in `secret`',
    }),
    secret: Type.Optional(Type.String({ maxLength: 1024, description: 'The secret to delete; other modes ignore it' })),
  },
  { additionalProperties: false },
)
export type SecretsAttributes = Static<typeof SecretsAttributes>
