import { Type } from 'typebox'
import { Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Assignee } from './triage-store.ts'

export const IssueAssignee = Type.Object({
  id: Uuid,
  name: Type.String(),
  is_member: Type.Boolean({ description: 'False if the user left the organization or was deleted' }),
})

nameSchemas({ IssueAssignee })

export const dueDescription =
  'Day in UTC on which the vulnerability is due: set by a user, or else by the SLA policy; absent or null without one'

export function toAssignee({ id, name, isMember }: Assignee) {
  return { id, name, is_member: isMember }
}
