import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Server } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import type { NewFactor } from './change-factors.ts'
import { FactorName, NewCredential } from './credential-schemas.ts'
import { type Applicant, acceptPasskey, acceptTotp, offerPasskey, offerTotp } from './set-up.ts'

interface SetUp {
  readonly prefix: string
  readonly config: FastifyContextConfig
  /** Returns the user who sets up a factor. Throws if that is not allowed. */
  findApplicant(request: FastifyRequest): Promise<Applicant>
  /** Stores the factor and sends the response. */
  finish(exchange: { request: FastifyRequest; reply: FastifyReply }, factor: NewFactor): Promise<FastifyReply>
}

const hide = true
const strict = { additionalProperties: false } as const

/** Routes that set up an authenticator app or a passkey: first an offer, then a proof that the factor works. */
export function setUpRoutes(scope: Server, services: Services, { prefix, config, findApplicant, finish }: SetUp): void {
  scope.post(`${prefix}/app/challenge`, { config, schema: { hide } }, async (request) =>
    offerTotp(services, await findApplicant(request)),
  )

  const app = Type.Object(
    {
      id: Type.String({ maxLength: 100 }),
      name: FactorName,
      code: Type.String({ minLength: 1, maxLength: 20 }),
    },
    strict,
  )
  scope.post(`${prefix}/app`, { config, schema: { hide, body: app } }, async (request, reply) => {
    const { code, ...given } = request.body
    const applicant = await findApplicant(request)
    const factor = await acceptTotp(services, applicant, { ...given, code: code.replace(/\s/g, '') })
    return finish({ request, reply }, factor)
  })

  scope.post(`${prefix}/passkey/challenge`, { config, schema: { hide } }, async (request) =>
    offerPasskey(services, await findApplicant(request)),
  )

  const passkey = Type.Object({ name: FactorName, credential: NewCredential }, strict)
  scope.post(`${prefix}/passkey`, { config, schema: { hide, body: passkey } }, async (request, reply) => {
    const { name, credential } = request.body
    const given = { name, credential: credential as RegistrationResponseJSON }
    return finish({ request, reply }, await acceptPasskey(services, await findApplicant(request), given))
  })
}
