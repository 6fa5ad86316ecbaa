import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { insertMissing } from '#foundation/db/insert-missing.ts'
import { toParts } from '../storage/packages-store.ts'
import { forProjects } from '../storage/page-of-projects-store.ts'

export interface Effect {
  readonly project_number: number
  readonly issue_id: string
  readonly policy_number: number
}

interface EvaluatedProject {
  readonly number: number
  readonly id: string
  readonly target_id: string
  readonly type: string
  /** JSON. */
  readonly tags: string
  readonly org_id: string
  readonly group_id: string
}

export const listEvaluated = forProjects<EvaluatedProject>(
  (projects) => sql`
    select distinct p.number, p.id, p.target_id, p.type, p.tags, p.org_id, o.group_id
    from projects p join orgs o on o.id = p.org_id where p.number in (${projects})`,
)

export const listEffects = forProjects<Effect>(
  (projects) => sql`select * from policy_effects where project_number in (${projects})`,
)

export interface PolicyEnd {
  readonly project_number: number
  readonly issue_id: string
  /** Epoch milliseconds; 0 for none. */
  readonly policy_until: number
}

export const listPolicyEnds = forProjects<PolicyEnd>(
  (projects) => sql`
    select project_number, issue_id, policy_until from ignored_issues
    where project_number in (${projects}) and policy_until > 0`,
)

export async function saveEffects(
  tx: Db,
  { added, removed }: { added: readonly Effect[]; removed: readonly Effect[] },
): Promise<void> {
  for (const part of toParts(removed)) {
    const keys = part.map(
      ({ project_number, issue_id, policy_number }) =>
        sql`(cast(${project_number} as bigint), ${issue_id}, cast(${policy_number} as bigint))`,
    )
    await tx
      .deleteFrom('policy_effects')
      .where(sql<boolean>`(project_number, issue_id, policy_number) in (values ${sql.join(keys)})`)
      .execute()
  }
  await insertMissing(tx, 'policy_effects', added)
}

const LATER = sql<number>`case when coalesce(ignored_issues.own_until, ignored_issues.ignored_until) > excluded.policy_until
  then coalesce(ignored_issues.own_until, ignored_issues.ignored_until) else excluded.policy_until end`

/** Stores until when policies hide issues. Those that nothing hides any more are removed. */
export async function savePolicyEnds(tx: Db, ends: readonly PolicyEnd[]): Promise<void> {
  for (const part of toParts(ends)) {
    await tx
      .insertInto('ignored_issues')
      .values([...new Set(part)].map((end) => ({ ...end, own_until: 0, ignored_until: end.policy_until })))
      .onConflict((conflict) =>
        conflict.columns(['project_number', 'issue_id']).doUpdateSet({
          ignored_until: LATER,
          own_until: sql<number>`coalesce(ignored_issues.own_until, ignored_issues.ignored_until)`,
          policy_until: sql<number>`excluded.policy_until`,
        }),
      )
      .execute()
  }
  const ended = [...new Set(ends.flatMap((end) => (end.policy_until === 0 ? [end.project_number] : [])))]
  for (const part of toParts(ended)) {
    await tx.deleteFrom('ignored_issues').where('project_number', 'in', part).where('ignored_until', '=', 0).execute()
  }
}

export type EffectivePolicy = Awaited<ReturnType<typeof listEffectivePolicies>>[number]

/** Lists the unexpired policies that hide issues of projects. */
export async function listEffectivePolicies(
  db: Db,
  { projectNumbers, issueIds, now }: { projectNumbers: readonly number[]; issueIds: readonly string[]; now: number },
) {
  return db
    .selectFrom('policy_effects as e')
    .innerJoin('policies as p', 'p.number', 'e.policy_number')
    .select(['e.project_number', 'e.issue_id', 'p.id', 'p.group_id', 'p.org_id as policy_org', 'p.reason'])
    .select(['p.reason_type', 'p.expires_at', 'p.created_by_id', 'p.created_by_name', 'p.created_at', 'p.updated_at'])
    .where('e.project_number', 'in', projectNumbers)
    .where('e.issue_id', 'in', issueIds)
    .where('p.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('p.expires_at', 'is', null), eb('p.expires_at', '>', now)]))
    .orderBy('p.number')
    .execute()
}
