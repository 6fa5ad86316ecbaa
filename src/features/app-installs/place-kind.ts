import type { Permission } from '#foundation/access/permissions.ts'
import { type OwnerKind, ownerKinds } from '#foundation/http/org-or-group.ts'
import type { AccessRule } from '#foundation/http/request-context.ts'

type Verb = 'read' | 'install' | 'edit'

export interface PlaceKind extends OwnerKind {
  access(verb: Verb): AccessRule
}

const kinds = ownerKinds('/apps/installs')

export const orgs: PlaceKind = {
  ...kinds.org,
  access: (verb) => ({ org: [`org.app.${verb}` satisfies Permission] }),
}

export const groups: PlaceKind = {
  ...kinds.group,
  access: (verb) => ({ group: [`group.app.${verb}` satisfies Permission] }),
}
