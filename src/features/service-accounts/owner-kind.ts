import type { TObject } from 'typebox'
import type { Permission } from '#foundation/access/permissions.ts'
import { ownerKinds, type OwnerKind as Paths } from '#foundation/http/org-or-group.ts'
import type { AccessRule } from '#foundation/http/request-context.ts'
import { NewGroupAccount, NewOrgAccount } from './resource.ts'

type Verb = 'create' | 'read' | 'edit' | 'delete'

export interface OwnerKind extends Paths {
  readonly NewAccount: TObject
  access(verb: Verb): AccessRule
}

const kinds = ownerKinds('/service_accounts')

export const orgs: OwnerKind = {
  ...kinds.org,
  NewAccount: NewOrgAccount,
  access: (verb) => ({ org: [`org.service_account.${verb}` satisfies Permission] }),
}

export const groups: OwnerKind = {
  ...kinds.group,
  NewAccount: NewGroupAccount,
  access: (verb) => ({ group: [`group.service_account.${verb}` satisfies Permission] }),
}
