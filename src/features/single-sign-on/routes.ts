import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { listAdministrators } from '#features/members/break-glass-store.ts'
import { listDisabled } from '#features/members/suspended-store.ts'
import { isUuid } from '#foundation/http/access.ts'
import { answerChange, toGroupChange } from '#foundation/http/change.ts'
import { groupOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { notFound } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { putProvider, removeProvider } from './change-provider.ts'
import { describeFault } from './describe-fault.ts'
import type { ProviderClients } from './provider-client.ts'
import { getProvider, listProviders, logoutUriOf, redirectUriOf } from './providers-store.ts'
import { describeProvider, Provider, ProviderInput, SingleSignOn } from './resource.ts'

export interface SingleSignOnDeps extends Services {
  readonly outgoing: Outgoing
  readonly providers: ProviderClients
}

const hide = true
const ofGroup = Type.Object({ group_id: Type.String() })
const ofProvider = Type.Object({ group_id: Type.String(), provider_id: Type.String() })
const path = '/groups/:group_id/identity-providers'

/** `/console/groups/:group_id/identity-providers`: the providers with which members of a group sign in. */
export function identityProviderRoutes(deps: SingleSignOnDeps): Routes {
  return (scope) => {
    readRoutes(scope, deps)
    changeRoutes(scope, deps)
  }
}

function readRoutes(scope: Server, deps: SingleSignOnDeps): void {
  const { db, baseUrl } = deps
  const reading = {
    config: { access: { group: ['group.user.read'] } },
    schema: { hide, operationId: 'getSingleSignOn', params: ofGroup, response: { 200: SingleSignOn } },
  } as const
  scope.get(path, reading, async (request) => {
    const { id } = groupOf(request)
    const providers = await listProviders(db, id)
    const administrators = await listAdministrators(db, id)
    return {
      providers: await Promise.all(providers.map((row) => describeProvider(db, baseUrl, row))),
      administrators: administrators.map(({ break_glass, password_hash, disabled_at, ...user }) => ({
        ...user,
        break_glass: break_glass === 1,
        has_password: password_hash !== null,
        disabled: disabled_at !== null,
      })),
      disabled_users: (await listDisabled(db, id)).map(({ disabled_at, disabled_by: by, ...user }) => ({
        ...user,
        disabled_by: by === 'provider' ? ('provider' as const) : ('administrator' as const),
        disabled_at: toTimestamp(disabled_at!),
      })),
      // The browser chooses the id of a new provider, because its addresses must be registered with the provider first.
      redirect_uri: redirectUriOf(baseUrl, '{id}'),
      logout_uri: logoutUriOf(baseUrl, '{id}'),
    }
  })

  const config = { access: { group: ['group.edit'] } } as const
  const result = { 200: Type.Object({ ok: Type.Boolean(), detail: Type.Optional(Type.String()) }) }
  const test = { hide, operationId: 'testProvider', params: ofProvider, response: result } as const
  scope.post(`${path}/:provider_id/test`, { config, schema: test }, async (request) => {
    const provider = await getProvider(db, groupOf(request).id, idOf(request))
    try {
      await deps.providers.probe(provider)
      return { ok: true }
    } catch (error) {
      return { ok: false, detail: describeFault(error) }
    }
  })
}

function changeRoutes(scope: Server, deps: SingleSignOnDeps): void {
  const config = { access: { group: ['group.edit'] } } as const
  const saving = {
    config,
    schema: { hide, operationId: 'saveProvider', params: ofProvider, body: ProviderInput, response: { 200: Provider } },
  } as const
  scope.put(`${path}/:provider_id`, saving, async (request, reply) =>
    answerChange(deps, { request, reply }, async (change) => {
      const provider = await putProvider(deps, toGroupChange(request, change), idOf(request), request.body)
      return { status: 200, body: await describeProvider(change.tx, deps.baseUrl, provider) }
    }),
  )

  const removal = { hide, operationId: 'deleteProvider', params: ofProvider } as const
  scope.delete(`${path}/:provider_id`, { config, schema: removal }, async (request, reply) =>
    answerChange(deps, { request, reply }, (change) => removeProvider(toGroupChange(request, change), idOf(request))),
  )
}

function idOf(request: FastifyRequest): string {
  const { provider_id: id } = request.params as { provider_id: string }
  if (!isUuid(id)) throw notFound(`Identity provider ${id}`)
  return id.toLowerCase()
}
