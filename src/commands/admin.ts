import { Command } from 'commander'
import { replaceSigningKey } from '#features/access-tokens/signing-keys.ts'
import { findUserByEmail } from '#features/user-sessions/users-store.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { breakGlassCommand, disableCommand, disconnectCommand, enableCommand } from './accounts/change-account.ts'
import { resetFactorsCommand } from './accounts/reset-factors.ts'
import { resetPasswordCommand } from './accounts/reset-password.ts'
import { createAppCommand } from './create-app.ts'
import { createGroupCommand } from './create-group.ts'
import { issueOperatorKey } from './issue-operator-key.ts'
import { withServices } from './with-services.ts'

/** Commands for the operator, who has access to the storage anyway. */
export function adminCommand(): Command {
  const command = new Command('admin')
  command
    .command('create-key')
    .description('Create an API key for a user, for example to replace a lost one; it is printed once')
    .option('--email <address>', 'the user; default: GATEHOUSE_ADMIN_EMAIL')
    .action(createKey)
  command.addCommand(resetPasswordCommand())
  command.addCommand(resetFactorsCommand())
  command.addCommand(disableCommand())
  command.addCommand(enableCommand())
  command.addCommand(disconnectCommand())
  command.addCommand(breakGlassCommand())
  command.addCommand(createAppCommand())
  command.addCommand(createGroupCommand())
  command
    .command('rotate-signing-key')
    .description('Create the next signing key of access tokens: published now, used after 24 hours')
    .option('--compromised', 'use the new key immediately and withdraw the current keys, because others may know them')
    .action(rotateSigningKey)
  return command
}

async function createKey({ email }: { email?: string }): Promise<void> {
  await withServices(async (services) => {
    const address = (email ?? services.config.adminEmail).toLowerCase()
    const secret = await inTransaction(services.db, async (tx) => {
      const user = await findUserByEmail(tx, address)
      return user && issueOperatorKey(services, tx, user)
    })
    if (secret === undefined) {
      console.error(`No user has the email address ${address}. Set --email.`)
      process.exitCode = 1
    } else console.log(secret)
  })
}

async function rotateSigningKey({ compromised }: { compromised?: true }): Promise<void> {
  await withServices(async (services) => {
    const reason = compromised ? 'compromised' : 'planned'
    const made = await inTransaction(services.db, (tx) => replaceSigningKey(services, tx, reason))
    console.log(`Signing key ${made.id} is published and signs from ${new Date(made.usedFrom).toISOString()} on.`)
    if (made.withdrawn.length > 0) console.log(`No longer published: ${made.withdrawn.join(', ')}`)
  })
}
