import { Command } from 'commander'
import { allowBreakGlass } from '#features/members/break-glass.ts'
import { disable, enable } from '#features/members/disable-user.ts'
import { disconnectIdentities } from '#features/single-sign-on/disconnect-identity.ts'
import { findUserByEmail, lockUser, type UserRow } from '#features/user-sessions/users-store.ts'
import { operator } from '#foundation/access/caller.ts'
import type { Change } from '#foundation/audit/record.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { Problem } from '#foundation/problem.ts'
import { withServices } from '../with-services.ts'

type AccountChange = (change: Change, user: UserRow) => Promise<void>

export function disableCommand(): Command {
  return new Command('disable')
    .description('Disable a user and revoke all browser sessions, API keys and authorized apps')
    .argument('<email>', 'the user')
    .action((email: string) =>
      run(email, { change: disable, done: 'Disabled the user. Sessions, keys and grants ended.' }),
    )
}

export function enableCommand(): Command {
  return new Command('enable')
    .description('Let a disabled user sign in again')
    .argument('<email>', 'the user')
    .action((email: string) => run(email, { change: enable, done: 'The user can sign in again.' }))
}

export function disconnectCommand(): Command {
  const done = 'Disconnected the user. The next sign-in with the provider connects the account with the same address.'
  return new Command('disconnect')
    .description('Disconnect a user from the identity provider, for example if its id of the user has changed')
    .argument('<email>', 'the user')
    .action((email: string) => run(email, { change: disconnectIdentities, done }))
}

export function breakGlassCommand(): Command {
  const done = 'The administrator can sign in with the password.'
  return new Command('break-glass')
    .description('Let a Group Admin sign in with the password although the group requires single sign-on')
    .argument('<email>', 'the administrator')
    .action((email: string) => run(email, { change: allowBreakGlass, done }))
}

async function run(email: string, { change, done }: { change: AccountChange; done: string }): Promise<void> {
  await withServices(async ({ db, now }) => {
    try {
      const isFound = await inTransaction(db, async (tx) => {
        const existing = await findUserByEmail(tx, email.trim().toLowerCase())
        const user = existing && (await lockUser(tx, existing.id))
        if (user) await change({ tx, actor: operator, at: now() }, user)
        return user !== undefined
      })
      if (isFound) return console.log(done)
      console.error(`No user has the e-mail address ${email}.`)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      console.error(error.message)
    }
    process.exitCode = 1
  })
}
