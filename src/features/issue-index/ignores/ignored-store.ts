import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { RuleEffect } from '#analysis/findings/ignore-rules.ts'
import type { Db } from '#foundation/db/database.ts'
import { createMemory } from '#foundation/db/memory.ts'
import { prepared } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'
import { type EffectivePolicy, listEffectivePolicies } from '../policies/effects-store.ts'
import { toParts } from '../storage/packages-store.ts'

export type IgnoreRow = Selectable<Tables['ignores']>

/** Origin of an ignore of a project: a user, or a policy file of the repository. */
export type IgnoreSource = 'user' | 'repository'

export interface IgnoreSelection {
  /** Undefined for all. */
  readonly issueId?: string
  /** Undefined for both. */
  readonly source?: IgnoreSource
}

export async function listIgnores(
  db: Db,
  projectNumber: number,
  { issueId, source }: IgnoreSelection = {},
): Promise<IgnoreRow[]> {
  let query = db.selectFrom('ignores').selectAll().where('project_number', '=', projectNumber)
  if (issueId !== undefined) query = query.where('issue_id', '=', issueId)
  if (source !== undefined) query = query.where('source', '=', source)
  return query.orderBy('created_at').orderBy('id').execute()
}

/** Returns the ids under which any project ignores one of these issues, aliases included. */
export async function listIgnoredUnder(db: Db, issueIds: readonly string[]): Promise<string[]> {
  const matches = new Set<string>()
  for (const part of toParts(issueIds)) {
    const rows = await db
      .selectFrom('ignores')
      .select('issue_id')
      .distinct()
      .where(({ eb, or }) => or([eb('issue_id', 'in', part), eb('known_as', 'in', part)]))
      .execute()
    for (const { issue_id } of rows) matches.add(issue_id)
  }
  return [...matches]
}

export async function listProjectsIgnoring(
  db: Db,
  issueId: string,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('ignores')
    .where(({ eb, or }) => or([eb('issue_id', '=', issueId), eb('known_as', '=', issueId)]))
    .select('project_number')
    .distinct()
    .where('project_number', '>', after)
    .orderBy('project_number')
    .limit(sql.lit(limit))
    .execute()
  return rows.map(({ project_number }) => project_number)
}

export async function findProjectOf(db: Db, projectNumber: number) {
  return db.selectFrom('projects').select(['org_id', 'type']).where('number', '=', projectNumber).executeTakeFirst()
}

export async function saveJudgment(
  tx: Db,
  ids: readonly string[],
  { knownAs, effect }: { knownAs: string; effect: RuleEffect },
): Promise<void> {
  await tx.updateTable('ignores').set({ known_as: knownAs, effect }).where('id', 'in', ids).execute()
}

/**
 * Replaces the issues that a project's own ignores hide and the ends of these ignores, for these issue ids or for all.
 * Ids without an entry in `ignored` are hidden by policies at most.
 */
export async function replaceIgnored(
  tx: Db,
  projectNumber: number,
  { issueIds, ignored }: { issueIds: readonly string[] | 'all'; ignored: ReadonlyMap<string, number> },
): Promise<void> {
  const kept = [...ignored.keys()]
  await endOwn(tx, ({ eb, and }) =>
    and([
      eb('project_number', '=', projectNumber),
      ...(issueIds === 'all' ? [] : [eb('issue_id', 'in', issueIds)]),
      ...(kept.length === 0 ? [] : [eb('issue_id', 'not in', kept)]),
    ]),
  )
  for (const [issue_id, until] of ignored) {
    await tx
      .insertInto('ignored_issues')
      .values({ project_number: projectNumber, issue_id, own_until: until, ignored_until: until })
      .onConflict((conflict) =>
        conflict.columns(['project_number', 'issue_id']).doUpdateSet({
          own_until: until,
          ignored_until: sql<number>`case when ignored_issues.policy_until > ${until} then ignored_issues.policy_until else ${until} end`,
        }),
      )
      .execute()
  }
}

/** Ends the effect of projects' own ignores on some issues; that of policies stays. */
export async function endOwn(
  tx: Db,
  some: (eb: ExpressionBuilder<Tables, 'ignored_issues'>) => Expression<SqlBool>,
): Promise<void> {
  await tx.deleteFrom('ignored_issues').where(some).where(sql<boolean>`coalesce(policy_until, 0) = 0`).execute()
  await tx
    .updateTable('ignored_issues')
    .set({ own_until: 0, ignored_until: sql<number>`policy_until` })
    .where(some)
    .where('policy_until', '>', 0)
    .execute()
}

const MINUTE_MS = 60_000
const ends = createMemory<readonly number[]>({ maxWeight: 10_000, weightOf: (all) => all.length + 1 })

const endsBetween = prepared((db: Db, { from, until }: { from: number; until: number }) =>
  db
    .selectFrom('ignored_issues')
    .select('ignored_until')
    .distinct()
    .where('ignored_until', '>', from)
    .where('ignored_until', '<=', until)
    .orderBy('ignored_until'),
)

/**
 * Returns a time since which the set of effective ignores is unchanged, for cache keys: it changes when an ignore is
 * edited or expires.
 */
export function ignoringSince(db: Db, now: number): MaybePromise<number> {
  const from = now - (now % MINUTE_MS)
  const read = () =>
    andThen(endsBetween(db, { from, until: from + MINUTE_MS }), (rows) => rows.map((row) => Number(row.ignored_until)))
  return andThen(ends.recall(db, String(from), read), (all) => all.findLast((end) => end <= now) ?? from)
}

/**
 * Lists the unexpired ignores with an effect, under the current ids of the issues. The policies that hide an issue follow
 * those of its project.
 */
export async function listEffectiveIgnores(
  db: Db,
  { projectNumbers, issueIds, now }: { projectNumbers: readonly number[]; issueIds: readonly string[]; now: number },
): Promise<IgnoreRow[]> {
  if (projectNumbers.length === 0 || issueIds.length === 0) return []
  const rows = await db
    .selectFrom('ignores')
    .selectAll()
    .where('project_number', 'in', projectNumbers)
    .where('known_as', 'in', issueIds)
    .where('effect', '=', 'applies')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const ofPolicies = await listEffectivePolicies(db, { projectNumbers, issueIds, now })
  return [...rows.map((row) => ({ ...row, issue_id: row.known_as })), ...ofPolicies.map(toIgnore)]
}

function toIgnore({ issue_id, project_number, group_id, policy_org, ...policy }: EffectivePolicy): IgnoreRow {
  return {
    id: policy.id,
    project_number,
    org_id: policy_org ?? group_id,
    issue_id,
    known_as: issue_id,
    path: '*',
    reason: policy.reason,
    reason_type: policy.reason_type,
    disregard_if_fixable: 0,
    expires_at: policy.expires_at,
    effect: 'applies',
    source: policy_org === null ? 'group_policy' : 'policy',
    ignored_by_id: policy.created_by_id,
    ignored_by_name: policy.created_by_name,
    ignored_by_email: '',
    created_at: policy.created_at,
    updated_at: policy.updated_at,
  }
}

export async function moveIgnores(tx: Db, projectNumber: number, orgId: string): Promise<void> {
  await tx.updateTable('ignores').set({ org_id: orgId }).where('project_number', '=', projectNumber).execute()
}
