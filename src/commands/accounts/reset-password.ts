import { Command } from 'commander'
import { createReset } from '#features/passwords/create-reset.ts'
import { findUserByEmail } from '#features/user-sessions/users-store.ts'
import { operator } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { withServices } from '../with-services.ts'

export function resetPasswordCommand(): Command {
  return new Command('reset-password')
    .description('Print a one-time link with which a user sets a new password for the console')
    .argument('<email>', 'the user')
    .action(resetPassword)
}

async function resetPassword(email: string): Promise<void> {
  await withServices(async (services) => {
    const reset = await inTransaction(services.db, async (tx) => {
      const user = await findUserByEmail(tx, email.trim().toLowerCase())
      if (!user) return undefined
      const at = services.now()
      const made = await createReset(services, tx, { userId: user.id, at })
      await recordAudit(
        { tx, actor: operator, at },
        { id: user.id, group_id: user.group_id },
        { action: 'user.password_reset.create', after: { expires_at: new Date(made.expiresAt).toISOString() } },
      )
      return made
    })
    if (reset === undefined) {
      console.error(`No user has the e-mail address ${email}.`)
      process.exitCode = 1
    } else {
      console.log(reset.url)
      console.error(`The link works once, until ${new Date(reset.expiresAt).toISOString()}.`)
    }
  })
}
