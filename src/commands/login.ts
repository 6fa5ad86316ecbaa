import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { chooseConnection } from '../client/connection.ts'
import { ClientFailure } from '../client/failure.ts'
import { readProfile, removeProfile, writeProfile } from '../client/profile.ts'
import { askWhoAmI } from '../client/who-am-i.ts'
import { withInterrupt } from './interrupt.ts'

interface LoginOptions {
  readonly key?: true
  readonly url?: string
  readonly org?: string
  readonly insecureHttp?: true
}

const loginExamples = `
Examples:
  gatehouse login --key --url https://gatehouse.example < key.txt
  pass show gatehouse | gatehouse login --key --url https://gatehouse.example --org shop
`

export function loginCommand(): Command {
  return new Command('login')
    .requiredOption('--key', 'read an API key from standard input')
    .option('--url <url>', 'address of the server, instead of GATEHOUSE_URL')
    .option('--org <id>', 'organization to use, by id or slug')
    .option('--insecure-http', 'send the key over http without encryption')
    .addHelpText('after', loginExamples)
    .action(login)
}

async function login({ url, org, insecureHttp }: LoginOptions): Promise<void> {
  process.exitCode = await withInterrupt(async (signal) => {
    if (process.stdin.isTTY) throw new ClientFailure('Pass the key on standard input, so that no history stores it.')
    const key = (await text(process.stdin)).trim()
    const given = { GATEHOUSE_URL: url ?? process.env['GATEHOUSE_URL'], GATEHOUSE_KEY: key }
    const connection = chooseConnection(given, { org, isInsecure: insecureHttp === true })
    const { name } = await askWhoAmI(connection, process.env, signal)
    const path = writeProfile(process.env, connection)
    console.log(`Signed in to ${connection.url} as ${name}. The key is stored in ${path}.`)
    return 0
  })
}

export function logoutCommand(): Command {
  return new Command('logout')
    .addHelpText('after', '\nExamples:\n  gatehouse logout     remove the stored key; it stays valid on the server\n')
    .action(() => {
      console.log(removeProfile(process.env) ? 'The stored key was removed.' : 'No key was stored.')
    })
}

export function whoamiCommand(): Command {
  return new Command('whoami')
    .option('--insecure-http', 'send the key over http without encryption')
    .addHelpText('after', '\nExamples:\n  gatehouse whoami     show the server and the owner of the key\n')
    .action(({ insecureHttp }: LoginOptions) => whoami(insecureHttp === true))
}

async function whoami(isInsecure: boolean): Promise<void> {
  process.exitCode = await withInterrupt(async (signal) => {
    const connection = chooseConnection(process.env, { profile: readProfile(process.env), isInsecure })
    const { name } = await askWhoAmI(connection, process.env, signal)
    console.log(`${name} on ${connection.url}`)
    return 0
  })
}
