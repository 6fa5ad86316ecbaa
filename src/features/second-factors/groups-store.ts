import type { Db } from '#foundation/db/database.ts'

export type GroupRule = 'required' | 'optional'

/** The rules of a group for the sign-ins and sessions of its members. Null means the server's limit. */
export interface GroupRules {
  readonly second_factor: GroupRule
  readonly session_hours: number | null
  readonly session_idle_minutes: number | null
}

export async function findGroupRules(db: Db, groupId: string): Promise<GroupRules> {
  const { second_factor, ...session } = await db
    .selectFrom('groups')
    .select(['second_factor', 'session_hours', 'session_idle_minutes'])
    .where('id', '=', groupId)
    .executeTakeFirstOrThrow()
  return { second_factor: second_factor === 'required' ? 'required' : 'optional', ...session }
}

export async function saveGroupRules(tx: Db, groupId: string, { rules, at }: { rules: GroupRules; at: number }) {
  const { second_factor, ...session } = rules
  await tx
    .updateTable('groups')
    .set({ second_factor: second_factor === 'required' ? second_factor : null, ...session, updated_at: at })
    .where('id', '=', groupId)
    .execute()
}

/** Counts the users to whom a group's rule applies, and those of them with a second factor. */
export async function countMembers(db: Db, groupId: string): Promise<{ members: number; with_factor: number }> {
  const row = await db
    .with('members', (cte) =>
      cte
        .selectFrom('users')
        .select('id')
        .where('group_id', '=', groupId)
        .union(
          cte
            .selectFrom('memberships')
            .select('principal_id as id')
            .where('group_id', '=', groupId)
            .where('principal_kind', '=', 'user'),
        ),
    )
    .selectFrom('members')
    .select((eb) => [
      eb.fn.countAll<number | string>().as('members'),
      eb
        .selectFrom('members as m')
        .select((inner) => inner.fn.countAll<number | string>().as('count'))
        .where((inner) =>
          inner.exists(inner.selectFrom('second_factors').select('id').whereRef('user_id', '=', 'm.id')),
        )
        .as('with_factor'),
    ])
    .executeTakeFirstOrThrow()
  return { members: Number(row.members), with_factor: Number(row.with_factor) }
}
