import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Exchange } from '#foundation/http/change.ts'
import type { Server } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import type { NewFactor } from './change-factors.ts'
import { FactorName, NewCredential } from './credential-schemas.ts'
import { type Applicant, acceptPasskey, acceptTotp, offerPasskey, offerTotp } from './set-up.ts'

interface SetUp {
  readonly prefix: string
  /** The noun in the ids of the operations. */
  readonly factor: 'Factor' | 'FirstFactor'
  readonly config: FastifyContextConfig
  /** Returns the user who sets up a factor. Throws if that is not allowed. */
  findApplicant(request: FastifyRequest): Promise<Applicant>
  finish(exchange: Exchange, factor: NewFactor): Promise<FastifyReply>
}

const hide = true
const strict = { additionalProperties: false } as const

export const AddedFactor = Type.Object({
  id: Type.Optional(Type.String({ description: 'The session, if the factor completed a sign-in' })),
  recovery_codes: Type.Array(Type.String(), { description: 'Shown once; empty if the user has codes' }),
})

const TotpOffer = Type.Object({ id: Type.String(), secret: Type.String(), address: Type.String() })

/** The required members of `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3 §5.1.8). */
const PasskeyOffer = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
})

/** Routes that set up an authenticator app or a passkey: first an offer, then a proof that the factor works. */
export function setUpRoutes(scope: Server, services: Services, { config, ...setUp }: SetUp): void {
  const { prefix, factor: noun, findApplicant, finish } = setUp
  const offer = { hide, operationId: `offerApp${noun}`, response: { 200: TotpOffer } } as const
  scope.post(`${prefix}/app/challenge`, { config, schema: offer }, async (request) =>
    offerTotp(services, await findApplicant(request)),
  )

  const adding = { hide, response: { 200: AddedFactor } } as const
  const app = Type.Object(
    {
      id: Type.String({ maxLength: 100 }),
      name: FactorName,
      code: Type.String({ minLength: 1, maxLength: 20 }),
    },
    strict,
  )
  scope.post(
    `${prefix}/app`,
    { config, schema: { ...adding, operationId: `addApp${noun}`, body: app } },
    async (request, reply) => {
      const { code, ...input } = request.body
      const applicant = await findApplicant(request)
      const factor = await acceptTotp(services, applicant, { ...input, code: code.replace(/\s/g, '') })
      return finish({ request, reply }, factor)
    },
  )

  const creation = { hide, operationId: `offerPasskey${noun}`, response: { 200: PasskeyOffer } } as const
  scope.post(`${prefix}/passkey/challenge`, { config, schema: creation }, async (request) =>
    offerPasskey(services, await findApplicant(request)),
  )

  const passkey = Type.Object({ name: FactorName, credential: NewCredential }, strict)
  scope.post(
    `${prefix}/passkey`,
    { config, schema: { ...adding, operationId: `addPasskey${noun}`, body: passkey } },
    async (request, reply) => {
      const { name, credential } = request.body
      const input = { name, credential: credential as RegistrationResponseJSON }
      return finish({ request, reply }, await acceptPasskey(services, await findApplicant(request), input))
    },
  )
}
