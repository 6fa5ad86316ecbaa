import { Type } from 'typebox'
import type { Db } from '#foundation/db/database.ts'
import { overdue, type TriageFilters } from './due-conditions-store.ts'
import { toDay } from './due-days.ts'
import { findSla } from './sla-store.ts'

/** Parameters of lists of vulnerabilities. */
export const triageParameters = {
  overdue: Type.Optional(
    Type.Literal(true, {
      description:
        'An extension: only open issues after their due date. A group without due dates set by users counts from the time since which the organization has the vulnerability',
    }),
  ),
  assignee: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'An extension: only issues assigned to this user, in their project or its repository',
    }),
  ),
}

interface TriageQuery {
  readonly overdue?: boolean
  readonly assignee?: string
  readonly now: number
}

export async function readTriageFilters(
  db: Db,
  orgId: string,
  { overdue: isOverdue, assignee, now }: TriageQuery,
): Promise<TriageFilters> {
  return {
    ...(isOverdue && { due: overdue(await findSla(db, orgId), toDay(now)) }),
    ...(assignee !== undefined && { assigneeId: assignee.toLowerCase() }),
  }
}
