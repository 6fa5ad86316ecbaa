import type { Db } from '#foundation/db/database.ts'

/** The step after a correct password: verifying a second factor, or setting up the first one. */
export type SecondStep = 'verify' | 'enroll'

/** Returns the step after a user's password; undefined if the password is sufficient. */
export async function findSecondStep(db: Db, userId: string): Promise<SecondStep | undefined> {
  const factor = await db.selectFrom('second_factors').select('id').where('user_id', '=', userId).executeTakeFirst()
  if (factor) return 'verify'
  return (await findRequiringGroup(db, userId)) === undefined ? undefined : 'enroll'
}

/** Returns the name of a group that requires a second factor of the user: as a member, or because it manages the account. */
export async function findRequiringGroup(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('groups')
    .select('name')
    .where('second_factor', '=', 'required')
    .where((eb) =>
      eb.or([
        eb('id', 'in', eb.selectFrom('users').select('group_id').where('id', '=', userId)),
        eb(
          'id',
          'in',
          eb
            .selectFrom('memberships')
            .select('group_id')
            .where('principal_id', '=', userId)
            .where('principal_kind', '=', 'user'),
        ),
      ]),
    )
    .orderBy('name')
    .limit(1)
    .executeTakeFirst()
  return row?.name
}

/** Returns true if a group other than the one that manages the account requires a second factor of a member. */
export async function isFactorRequiredElsewhere(
  db: Db,
  { id, group_id }: { readonly id: string; readonly group_id: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('memberships as m')
    .innerJoin('groups as g', 'g.id', 'm.group_id')
    .select('g.id')
    .where('m.principal_id', '=', id)
    .where('m.principal_kind', '=', 'user')
    .where('g.second_factor', '=', 'required')
    .where('g.id', '<>', group_id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
