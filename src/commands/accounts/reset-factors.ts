import { Command } from 'commander'
import { resetFactors } from '#features/second-factors/change-factors.ts'
import { findUserByEmail } from '#features/user-sessions/users-store.ts'
import { operator } from '#foundation/access/caller.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { withServices } from '../with-services.ts'

export function resetFactorsCommand(): Command {
  return new Command('reset-factors')
    .description('Remove the second factors and recovery codes of a user who lost them, and sign the user out')
    .argument('<email>', 'the user')
    .action(run)
}

async function run(email: string): Promise<void> {
  await withServices(async ({ db, now }) => {
    const count = await inTransaction(db, async (tx) => {
      const user = await findUserByEmail(tx, email.trim().toLowerCase())
      return user && resetFactors({ tx, actor: operator, at: now(), userId: user.id })
    })
    if (count === undefined) {
      console.error(`No user has the e-mail address ${email}.`)
      process.exitCode = 1
    } else if (count === 0) console.log('The user had no second factor and was signed out.')
    else console.log(`Removed ${count === 1 ? '1 second factor' : `${count} second factors`} and signed the user out.`)
  })
}
