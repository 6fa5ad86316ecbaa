import { Command } from 'commander'
import { ApiError } from '../client/api/client.ts'
import { revokeSession } from '../client/open-server.ts'
import { readProfiles, removeProfile, requireProfileName } from '../client/profile.ts'
import { toFailure } from '../client/to-failure.ts'
import { withInterrupt } from './interrupt.ts'

const examples = `
Examples:
  gatehouse logout                  revoke the browser login, or remove the stored key
  gatehouse logout --profile work

A stored API key stays valid on the server: revoke it with "gatehouse keys delete".

Exit codes: 0 done, 2 failure
`

export function logoutCommand(): Command {
  return new Command('logout')
    .option('--profile <name>', 'profile to remove (default: the current one)')
    .addHelpText('after', examples)
    .action(({ profile }: { profile?: string }) => logout(profile))
}

async function logout(requested: string | undefined): Promise<void> {
  process.exitCode = await withInterrupt(async (signal) => {
    const { current, profiles } = readProfiles(process.env)
    const name = requireProfileName(requested ?? current)
    const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
    if (profile === undefined) {
      console.log('No key was stored.')
      return 0
    }
    const { session, url } = profile
    // The tokens are removed even if the server cannot be reached: the user wants them gone from this machine.
    await removeProfile(process.env, name)
    if (session === undefined) {
      console.log(`The stored key of ${url} was removed. It stays valid on the server.`)
      return 0
    }
    try {
      await revokeSession({ url, session, environment: process.env, signal })
    } catch (error) {
      throw error instanceof ApiError ? toFailure(error, url) : error
    }
    console.log(`Signed out of ${url}. The login was revoked.`)
    return 0
  })
}
