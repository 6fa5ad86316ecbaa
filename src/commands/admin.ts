import { Command } from 'commander'
import { replaceSigningKey } from '#features/access-tokens/signing-keys.ts'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import { findUserByEmail } from '#features/setup/store.ts'
import { operator } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import { createAppCommand } from './create-app.ts'
import { withServices } from './with-services.ts'

/** What only the person at the machine may do: whoever can read the storage can do it anyway. */
export function adminCommand(): Command {
  const command = new Command('admin').description('Administration at the machine itself')
  command
    .command('create-key')
    .description('Make an API key for a user, for example when the one of the first start was lost; it is printed once')
    .option('--email <address>', 'the user; default: GATEHOUSE_ADMIN_EMAIL')
    .action(createKey)
  command.addCommand(createAppCommand())
  command
    .command('rotate-signing-key')
    .description('Make the next key that signs access tokens: published now, used from tomorrow on')
    .option('--compromised', 'use it at once and stop publishing the present keys, because others may know them')
    .action(rotateSigningKey)
  return command
}

async function createKey({ email }: { email?: string }): Promise<void> {
  await withServices(async (services) => {
    const address = (email ?? services.config.adminEmail).toLowerCase()
    const secret = await services.db.transaction().execute(async (tx) => {
      const user = await findUserByEmail(tx, address)
      if (!user) return undefined
      const owner = { kind: 'user', id: user.id } as const
      const issued = await issueCredential(services, tx, { kind: 'api_key', owner, name: 'Made by the operator' })
      await recordAudit(tx, operator, {
        at: services.now(),
        action: 'api_key.create',
        groupId: user.group_id,
        target: { kind: 'api_key', id: issued.row.id },
        after: { user_id: user.id, name: issued.row.name },
      })
      return issued.secret
    })
    if (secret === undefined) {
      console.error(`There is no user with the e-mail address ${address}; name one with --email`)
      process.exitCode = 1
    } else console.log(secret)
  })
}

async function rotateSigningKey({ compromised }: { compromised?: true }): Promise<void> {
  await withServices(async (services) => {
    const reason = compromised ? 'compromised' : 'planned'
    const made = await services.db.transaction().execute((tx) => replaceSigningKey(services, tx, reason))
    console.log(`Signing key ${made.id} is published and signs from ${new Date(made.usedFrom).toISOString()} on.`)
    if (made.withdrawn.length > 0) console.log(`No longer published: ${made.withdrawn.join(', ')}`)
  })
}
