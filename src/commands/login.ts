import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { Command, Option } from 'commander'
import { ApiError } from '../client/api/client.ts'
import type { LoginAccess } from '../client/browser-login.ts'
import { requireKey, requireServerUrl } from '../client/connection.ts'
import { ClientFailure } from '../client/failure.ts'
import { openServer } from '../client/open-server.ts'
import {
  DEFAULT_PROFILE,
  type Profile,
  readProfiles,
  requireProfileName,
  requireWritableProfiles,
  writeProfile,
} from '../client/profile.ts'
import { findOrgId } from '../client/resources/find-org.ts'
import { toFailure } from '../client/to-failure.ts'
import { askWhoAmI, nameOf } from '../client/who-am-i.ts'
import { withInterrupt } from './interrupt.ts'

interface LoginOptions {
  readonly key?: true
  readonly url?: string
  readonly org?: string
  readonly profile: string
  readonly access: LoginAccess
  readonly browser: boolean
  readonly insecureHttp?: true
}

const examples = `
Examples:
  gatehouse login --url https://gatehouse.example                sign in with the browser
  gatehouse login --url https://gatehouse.example --profile work  beside another server
  gatehouse login --access import                                also allow "monitor" and "import"
  gatehouse login --key --url https://gatehouse.example < key.txt
  pass show gatehouse | gatehouse login --key --url https://gatehouse.example --org shop

A browser login can read and delete projects, run tests and ignore issues. --access import also allows imports (org.edit);
--access read allows only reading. To manage apps, service accounts and keys, sign in with an API key.

Exit codes: 0 signed in, 2 failure, 130 interrupted
`

export function loginCommand(): Command {
  return new Command('login')
    .option('--key', 'read an API key from standard input instead of opening a browser')
    .option('--url <url>', 'address of the server, instead of GATEHOUSE_URL')
    .option('--org <id>', 'organization to use, by id or slug')
    .option('--profile <name>', 'name under which the server is stored', DEFAULT_PROFILE)
    .addOption(
      new Option('--access <level>', 'what a browser login may do; your role must allow it')
        .choices(['read', 'work', 'import'])
        .default('work'),
    )
    .option('--no-browser', 'only print the address to open')
    .option('--insecure-http', 'send the credential over http without encryption')
    .addHelpText('after', examples)
    .action(login)
}

async function login(options: LoginOptions): Promise<void> {
  process.exitCode = await withInterrupt(async (signal) => {
    const { org, insecureHttp } = options
    await requireWritableProfiles(process.env)
    const name = requireProfileName(options.profile)
    const address = options.url ?? (process.env['GATEHOUSE_URL'] || readProfiles(process.env).profiles[name]?.url)
    if (address === undefined) throw new ClientFailure('No server is known. Pass --url, or set GATEHOUSE_URL.')
    const url = requireServerUrl(address, { isInsecure: insecureHttp === true })
    const login = options.key ? { key: await readKey() } : { session: await inBrowser(url, options, signal) }
    const credential = login.key ?? login.session!.accessToken
    const server = openServer({ url, key: credential, org }, process.env)
    try {
      const who = nameOf(await askWhoAmI(server, signal))
      if (org !== undefined) await findOrgId(server, signal)
      const profile: Profile = { url, ...login, ...(org !== undefined && { org }) }
      const path = await writeProfile(process.env, name, profile)
      const what = options.key ? 'The key is' : 'Its tokens are'
      console.log(`Signed in to ${url} as ${who}. ${what} stored in ${path}, profile "${name}".`)
      return 0
    } catch (error) {
      throw error instanceof ApiError ? toFailure(error, url) : error
    }
  })
}

async function readKey(): Promise<string> {
  if (process.stdin.isTTY) throw new ClientFailure('Pass the key on standard input, so that no history stores it.')
  return requireKey((await text(process.stdin)).trim())
}

async function inBrowser(url: string, { access, browser, insecureHttp }: LoginOptions, signal: AbortSignal) {
  const { loginInBrowser } = await import('../client/browser-login.ts')
  return loginInBrowser(url, {
    access,
    environment: process.env,
    isInsecure: insecureHttp === true,
    signal,
    open(address) {
      console.error(`Sign in with this address in a browser on this machine:\n${address}`)
      if (browser) openBrowser(address)
    },
  })
}

/** Opens the browser. A missing browser is not a failure, since the address was printed. */
function openBrowser(address: string): void {
  const program = process.env['BROWSER'] || (process.platform === 'darwin' ? 'open' : 'xdg-open')
  const child = spawn(program, [address], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
