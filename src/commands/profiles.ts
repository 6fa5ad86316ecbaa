import { Command } from 'commander'
import { ClientFailure } from '../client/failure.ts'
import { changeProfiles, readProfiles } from '../client/profile.ts'
import { toTable } from '../client/table.ts'

const listExamples = `
Examples:
  gatehouse profiles          list the servers that "gatehouse login" stored
  gatehouse profiles use work

Exit codes: 0 done, 2 failure
`

export function profilesCommand(): Command {
  const list = new Command('list')
    .description('List the stored servers')
    .option('--json', 'print JSON, without credentials')
    .addHelpText('after', listExamples)
    .action(showProfiles)
  const use = new Command('use')
    .description('Use a profile unless --profile names another')
    .argument('<name>', 'name of the profile')
    .addHelpText('after', listExamples)
    .action(useProfile)
  return new Command('profiles')
    .addCommand(list, { isDefault: true })
    .addCommand(use)
    .addHelpText('after', listExamples)
}

function showProfiles({ json }: { json?: true }): void {
  const { current, profiles } = readProfiles(process.env)
  const shown = Object.entries(profiles).map(([name, { url, org, session }]) => ({
    name,
    url,
    org: org ?? null,
    login: session === undefined ? 'key' : 'browser',
    current: name === current,
  }))
  if (json) console.log(JSON.stringify(shown, undefined, 2))
  else if (shown.length === 0) console.log('No profiles. Store one with "gatehouse login".')
  else {
    const titles = ['', 'NAME', 'URL', 'LOGIN', 'ORGANIZATION']
    const rows = shown.map((profile) => [
      profile.current ? '*' : '',
      profile.name,
      profile.url,
      profile.login,
      profile.org ?? '-',
    ])
    const page = { width: undefined, heading: (text: string) => text }
    process.stdout.write(
      toTable(
        titles.map((title) => ({ title })),
        rows,
        page,
      ),
    )
  }
}

async function useProfile(name: string): Promise<void> {
  await changeProfiles(process.env, (stored) => {
    if (Object.hasOwn(stored.profiles, name)) return { ...stored, current: name }
    const names = Object.keys(stored.profiles)
    throw new ClientFailure(
      `No profile "${name}". ${names.length === 0 ? 'Run "gatehouse login".' : `Known: ${names.join(', ')}.`}`,
    )
  })
  console.log(`Profile "${name}" is now the current profile.`)
}
