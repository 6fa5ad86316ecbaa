import type { Db } from '#foundation/db/database.ts'

/** The rule of a group for the sign-in of its members. */
export type GroupRule = 'required' | 'optional'

export async function findGroupRule(db: Db, groupId: string): Promise<GroupRule> {
  const row = await db.selectFrom('groups').select('second_factor').where('id', '=', groupId).executeTakeFirst()
  return row?.second_factor === 'required' ? 'required' : 'optional'
}

export async function saveGroupRule(tx: Db, groupId: string, { rule, at }: { rule: GroupRule; at: number }) {
  await tx
    .updateTable('groups')
    .set({ second_factor: rule === 'required' ? rule : null, updated_at: at })
    .where('id', '=', groupId)
    .execute()
}

/** Counts the people to whom a group's rule applies, and those of them with a second factor. */
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
