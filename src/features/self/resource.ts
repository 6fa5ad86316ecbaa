import { type Static, Type } from 'typebox'
import type { Principal } from '#foundation/access/caller.ts'
import { resource, Uuid } from '#foundation/http/documents.ts'

const Name = Type.String({ description: 'How people call the principal' })
const DefaultOrg = Type.Optional(
  Type.String({ format: 'uuid', description: 'The organisation meant when none is named' }),
)

export const Self = Type.Union([
  resource(
    'user',
    Type.Object({ name: Name, username: Type.String(), email: Type.String(), default_org_context: DefaultOrg }),
  ),
  resource('service_account', Type.Object({ name: Name, default_org_context: DefaultOrg })),
])
export type Self = Static<typeof Self>

export function toSelf(principal: Principal, defaultOrgId: string | undefined): Self {
  const context = defaultOrgId === undefined ? {} : { default_org_context: defaultOrgId }
  const { id, name } = principal
  if (principal.kind === 'service_account') return { id, type: 'service_account', attributes: { name, ...context } }
  return {
    id,
    type: 'user',
    attributes: { name, username: principal.username ?? '', email: principal.email ?? '', ...context },
  }
}

/** `GET /v1/user/me`; `orgs` are those the user can see. */
export const Me = Type.Object({
  id: Uuid,
  username: Type.String(),
  email: Type.String(),
  orgs: Type.Array(
    Type.Object({
      id: Uuid,
      name: Type.String(),
      group: Type.Object({ id: Uuid, name: Type.String() }),
    }),
  ),
})
