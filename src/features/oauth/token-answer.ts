import { type Static, Type } from 'typebox'
import { nameSchemas } from '#foundation/http/schema-names.ts'

/** RFC 6749 §5.1, with the additional members that existing clients read. */
export const TokenAnswer = Type.Object({
  access_token: Type.String({
    description: 'A JWT (RFC 9068); revoking it takes effect immediately',
  }),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds' }),
  scope: Type.String({ description: 'The scopes of the token, separated by spaces' }),
  bot_id: Type.String({
    description: 'Id of the bot with which an app acts where it is installed; for a service account, its own id',
  }),
  refresh_token: Type.Optional(Type.String({ description: 'Can be used once. Absent for client credentials' })),
  refresh_expires_in: Type.Optional(Type.Integer({ description: 'Lifetime of the refresh token in seconds' })),
})

export type TokenAnswer = Static<typeof TokenAnswer>

export const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials'] as const
export type GrantType = (typeof grantTypes)[number]

/** RFC 6749 §4.1.3, §4.4.2, §6; RFC 7523 §2.2; RFC 7636 §4.5. Further parameters are ignored. */
export const TokenRequest = Type.Object({
  grant_type: Type.Optional(Type.String({ description: `One of ${grantTypes.join(', ')}` })),
  client_id: Type.Optional(Type.String({ description: 'Required unless HTTP Basic or an assertion names the client' })),
  client_secret: Type.Optional(
    Type.String({ description: 'Required for confidential clients unless sent with HTTP Basic' }),
  ),
  client_assertion_type: Type.Optional(Type.String()),
  client_assertion: Type.Optional(Type.String({ description: 'A JWT signed with a key of the service account' })),
  code: Type.Optional(Type.String()),
  redirect_uri: Type.Optional(Type.String({ description: 'The same as in the authorization request' })),
  code_verifier: Type.Optional(Type.String()),
  refresh_token: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String({ description: 'A subset of the available scopes; default: all' })),
})

nameSchemas({ TokenAnswer, TokenRequest })

export type TokenRequest = Static<typeof TokenRequest>
