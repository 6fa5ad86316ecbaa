import { randomUUID } from 'node:crypto'
import { Ajv } from 'ajv'
import { Command } from 'commander'
import { createUser } from '#features/members/change-user.ts'
import { addFirstAdmin, createGroup } from '#features/organizations/create-group.ts'
import { GroupName } from '#features/organizations/resource.ts'
import type { GroupRow } from '#features/organizations/store.ts'
import { findUserByEmail } from '#features/user-sessions/users-store.ts'
import { operator } from '#foundation/access/caller.ts'
import { permissionNames } from '#foundation/access/permissions.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { Problem } from '#foundation/problem.ts'
import { hashRandomPassword } from '#foundation/secrets/password.ts'
import { email as readEmail } from '#foundation/setting-readers.ts'
import { issueOperatorKey } from './issue-operator-key.ts'
import { withServices } from './with-services.ts'

interface Options {
  readonly name: string
  readonly adminEmail?: string
}

interface CreatedGroup {
  readonly group: GroupRow
  readonly email: string
  /** Present for an account that was created with the group. */
  readonly secrets?: { readonly password: string; readonly apiKey: string }
}

export function createGroupCommand(): Command {
  return new Command('create-group')
    .description('Create a group with an administrator; the password and API key of a new account are printed once')
    .requiredOption('--name <name>', 'name of the group, 1 to 60 characters')
    .option(
      '--admin-email <address>',
      'its Group Admin, an existing account or a new one; default: GATEHOUSE_ADMIN_EMAIL',
    )
    .action(run)
}

async function run(options: Options): Promise<void> {
  try {
    checkName(options.name)
    const email = options.adminEmail === undefined ? undefined : parseEmail(options.adminEmail)
    console.log(describe(await create(options.name, email)))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    for (const { detail } of error.faults) console.error(detail)
    process.exitCode = 1
  }
}

/** Validates the name with the schema of a request, so that both accept the same names. */
function checkName(name: string): void {
  if (new Ajv({ strict: false }).compile(GroupName)(name)) return
  throw new Problem(
    'invalid-request',
    '--name must have 1 to 60 characters, at least one other than a space and no control characters',
  )
}

function parseEmail(address: string): string {
  try {
    return readEmail(address)
  } catch {
    throw new Problem('invalid-request', '--admin-email must be an e-mail address, for example ada@example.com')
  }
}

async function create(name: string, requestedEmail: string | undefined): Promise<CreatedGroup> {
  return withServices(async (services) => {
    const email = requestedEmail ?? services.config.adminEmail.toLowerCase()
    const password = randomUUID()
    const passwordHash = await hashRandomPassword(password)
    return inTransaction(services.db, async (tx) => {
      const change = { tx, actor: operator, at: services.now() }
      const group = await createGroup(change, name)
      const existing = await findUserByEmail(tx, email)
      const userId =
        existing?.id ?? (await addAccount({ tx, at: change.at, groupId: group.id }, { email, passwordHash }))
      await addFirstAdmin(change, group.id, userId)
      if (existing) return { group, email }
      return {
        group,
        email,
        secrets: { password, apiKey: await issueOperatorKey(services, tx, { id: userId, group_id: group.id }) },
      }
    })
  })
}

async function addAccount(
  place: { tx: Db; at: number; groupId: string },
  account: { email: string; passwordHash: string },
): Promise<string> {
  const change = { ...place, actor: operator, permissions: new Set(permissionNames) }
  return (await createUser(change, { ...account, name: 'Administrator' })).id
}

function describe({ group, email, secrets }: CreatedGroup): string {
  return [
    `Group       ${group.id}  ${group.name}`,
    `Group Admin ${email}${secrets ? '' : '  (an existing account, whose credentials stay valid)'}`,
    ...(secrets
      ? [
          `Password    ${secrets.password}`,
          `API key     ${secrets.apiKey}`,
          'Keep the password and the key now: they are not shown again.',
        ]
      : []),
  ].join('\n')
}
