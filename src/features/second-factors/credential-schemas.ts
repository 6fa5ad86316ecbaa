import { Type } from 'typebox'
import { nameText } from '#foundation/http/text.ts'

const Encoded = Type.String({ maxLength: 20_000, pattern: '^[A-Za-z0-9_-]*$' })
const same = {
  id: Type.String({ minLength: 1, maxLength: 1400, pattern: '^[A-Za-z0-9_-]+$' }),
  rawId: Encoded,
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Object({}),
}

/** A passkey that a browser created (WebAuthn Level 3 §5.1.7, `RegistrationResponseJSON`). */
export const NewCredential = Type.Object({
  ...same,
  response: Type.Object({
    clientDataJSON: Encoded,
    attestationObject: Encoded,
    transports: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z-]{1,20}$' }), { maxItems: 10 })),
  }),
})

/** The use of a passkey (`AuthenticationResponseJSON`). */
export const UsedCredential = Type.Object({
  ...same,
  response: Type.Object({
    clientDataJSON: Encoded,
    authenticatorData: Encoded,
    signature: Encoded,
    userHandle: Type.Optional(Encoded),
  }),
})

export const FactorName = nameText(60, 'A name by which its user recognizes the factor')
