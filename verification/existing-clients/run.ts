import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { orgAdmin } from '../../src/foundation/access/built-in-roles.ts'
import { serveGit } from '../../test/support/repositories/git-server.ts'
import { freePort } from '../../test/support/servers/free-port.ts'
import { startServer } from '../../test/support/servers/server-process.ts'

/**
 * Runs programs that were written for this interface, as they are published, against a server of this tree, and prints
 * what came of each of their calls: `node verification/existing-clients/run.ts`. They are installed into a temporary folder, from
 * the registries that npm and pip are configured for, so this needs a network, Python 3 and git. Ends with 1 when a
 * call failed.
 */
const run = promisify(execFile)
/** The first is the last that is JavaScript alone; of the second, its JavaScript bundle is run, without its binary. */
const CLI_VERSIONS = ['1.900.0', '1.1307.4']
const LIBRARY = 'pysnyk==0.9.19'
const key = randomUUID()
const { NODE_EXTRA_CA_CERTS } = process.env
/** Certificates of networks that inspect TLS. */
const certificates = NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }

interface Outcome {
  readonly client: string
  readonly call: string
  readonly said?: string
  readonly error?: string
}

const manifest = JSON.stringify({ name: 'shop', version: '1.0.0', dependencies: { lodash: '4.17.4' } })
const lock = JSON.stringify({
  name: 'shop',
  version: '1.0.0',
  lockfileVersion: 1,
  requires: true,
  dependencies: {
    lodash: { version: '4.17.4', resolved: 'https://registry.example/lodash/-/lodash-4.17.4.tgz' },
  },
})
const gems = 'GEM\n  remote: https://registry.example/\n  specs:\n    rack (1.6.4)\n\nDEPENDENCIES\n  rack\n'
const sbt = 'scalaVersion := "2.13.12"\n'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-clients-'))
try {
  const outcomes = await tryClients()
  for (const { client, call, said, error } of outcomes) {
    console.log(`${client.padEnd(12)} ${call.padEnd(60)} ${error === undefined ? `ok   ${said}` : `FAIL ${error}`}`)
  }
  const failed = outcomes.filter(({ error }) => error !== undefined).length
  console.log(`${outcomes.length} calls, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}

async function tryClients(): Promise<Outcome[]> {
  console.error(`installing snyk ${CLI_VERSIONS.join(', ')} and ${LIBRARY} …`)
  const project = join(folder, 'shop')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), manifest)
  writeFileSync(join(project, 'package-lock.json'), lock)
  for (const version of CLI_VERSIONS) {
    const options = ['--prefix', join(folder, version), '--ignore-scripts', '--no-audit', '--no-fund']
    await run('npm', ['install', ...options, `snyk@${version}`])
  }
  await run('python3', ['-m', 'venv', join(folder, 'python')])
  await run(join(folder, 'python/bin/pip'), ['install', '--quiet', LIBRARY])
  const git = await serveGit(await makeRepository())
  const server = await startServer({
    HOME: folder,
    ...certificates,
    GATEHOUSE_PORT: String(await freePort()),
    GATEHOUSE_DATA_DIR: join(folder, 'data'),
    GATEHOUSE_ADMIN_API_KEY: key,
    GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1',
    GATEHOUSE_LOG_LEVEL: 'warn',
  })
  try {
    await connectSource(server.baseUrl, git.url)
    const outcomes: Outcome[] = []
    for (const version of CLI_VERSIONS) outcomes.push(...(await tryCli(server.baseUrl, { project, version })))
    return [...outcomes, ...(await tryLibrary(server.baseUrl))]
  } finally {
    process.stderr.write(server.logged())
    await server.end('SIGTERM')
    await git[Symbol.asyncDispose]()
  }
}

/** A repository at `shop/front`, with a project of npm and one of Ruby. */
async function makeRepository(): Promise<string> {
  const work = join(folder, 'work')
  const bare = join(folder, 'git/shop/front.git')
  mkdirSync(work)
  writeFileSync(join(work, 'package.json'), manifest)
  writeFileSync(join(work, 'package-lock.json'), lock)
  writeFileSync(join(work, 'Gemfile.lock'), gems)
  const git = (...options: string[]) =>
    run('git', ['-c', 'user.name=shop', '-c', 'user.email=shop@example.test', ...options], { cwd: work })
  await git('init', '--quiet', '--initial-branch=main')
  await git('add', '.')
  await git('commit', '--quiet', '--message=first')
  await run('git', ['clone', '--quiet', '--bare', work, bare])
  return join(folder, 'git/shop')
}

async function connectSource(baseUrl: string, gitUrl: string): Promise<void> {
  const headers = { authorization: `token ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${baseUrl}/v1/org/${await defaultOrg(baseUrl)}/integrations`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ type: 'github-enterprise', credentials: { url: gitUrl, token: 'not-needed' } }),
  })
  if (!answer.ok) throw new Error(`the integration was not made: ${answer.status} ${await answer.text()}`)
}

interface CliRun {
  readonly project: string
  readonly version: string
}

type CliCall = [words: string[], what: RegExp, credential?: Record<string, string>]

async function tryCli(baseUrl: string, { project, version }: CliRun): Promise<Outcome[]> {
  const org = await defaultOrg(baseUrl)
  const env = {
    PATH: process.env['PATH'],
    HOME: join(folder, `home-${version}`),
    SNYK_API: `${baseUrl}/api/v1`,
    SNYK_HTTP_PROTOCOL_UPGRADE: '0',
    SNYK_DISABLE_ANALYTICS: '1',
  }
  const withKey = { SNYK_TOKEN: key }
  const withOAuth = { SNYK_OAUTH_TOKEN: await accessToken(baseUrl, { org, name: `cli ${version}` }) }
  const labels = ['--project-environment=backend', '--project-tags=team=shop', '--target-reference=main']
  const app = ['--name=cli', '--redirect-uris=https://shop.example/callback', '--scopes=org.read']
  const createApp: CliCall = [['apps', 'create', '--experimental', `--org=${org}`, ...app], /Client Secret/]
  const calls: CliCall[] = [
    [['auth', key], /authenticated/i],
    [['test'], /found 6 vulnerabilities/],
    [['test', '--json'], /"CVE-2019-10744"/],
    [['test', '--sarif'], /"ruleId": "GHSA-jf85-cpcp-j695"/],
    [['test', '--severity-threshold=critical'], /found 1 (issue|vulnerabilit)/],
    [['test', '--fail-on=upgradable', `--org=${org}`], /found 6/],
    [['test', '--all-projects', '--dev'], /found 6/],
    [['test', 'lodash@4.17.4'], /found 6/],
    [['test'], /found 6/, withOAuth],
    [['monitor'], /Explore this snapshot at/],
    [['monitor', '--project-name=front', ...labels], /Explore this snapshot at/],
    [['monitor'], /Explore this snapshot at/, withOAuth],
    [['ignore', '--id=GHSA-jf85-cpcp-j695'], /^$|policy/],
    [['policy'], /GHSA-jf85-cpcp-j695/],
    [['test'], /found 5 vulnerabilities/],
    // The older release asks the vendor's own server.
    ...(version === CLI_VERSIONS[0] ? [] : [createApp]),
  ]
  const bundle = join(folder, version, 'node_modules/snyk/dist/cli/index.js')
  const outcomes: Outcome[] = []
  for (const [words, what, credential = withKey] of calls) {
    const printed = await run('node', [bundle, ...words], { cwd: project, env: { ...env, ...credential } }).then(
      ({ stdout }) => stdout,
      // It ends with 1 when it found something.
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    )
    const said = what.exec(printed)?.[0]
    const shown = words.join(' ').replace(key, 'KEY').replace(org, 'ORG')
    const call = `snyk ${shown}${credential === withOAuth ? ' (OAuth)' : ''}`
    const outcome = { client: `CLI ${version}`, call }
    outcomes.push(
      said === undefined
        ? { ...outcome, error: printed.trim().slice(-300).replaceAll('\n', ' ') }
        : { ...outcome, said },
    )
  }
  rmSync(join(project, '.snyk'))
  return outcomes
}

async function defaultOrg(baseUrl: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/v1/orgs`, { headers: { authorization: `token ${key}` } })
  const { orgs } = (await answer.json()) as { orgs: { id: string }[] }
  return orgs[0]!.id
}

/** Returns an access token of a new service account with OAuth. */
async function accessToken(baseUrl: string, { org, name }: { org: string; name: string }): Promise<string> {
  const attributes = { name, auth_type: 'oauth_client_secret', role_id: orgAdmin.id }
  const created = await fetch(`${baseUrl}/rest/orgs/${org}/service_accounts?version=2024-10-15`, {
    method: 'POST',
    headers: { authorization: `token ${key}`, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'service_account', attributes } }),
  })
  const { data } = (await created.json()) as { data: { attributes: { client_id: string; client_secret: string } } }
  const { client_id, client_secret } = data.attributes
  const answer = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

async function tryLibrary(baseUrl: string): Promise<Outcome[]> {
  const script = new URL('calls.py', import.meta.url).pathname
  const { stdout } = await run(join(folder, 'python/bin/python'), [script, baseUrl, key, lock, sbt])
  return stdout
    .trim()
    .split('\n')
    .map((line) => ({ client: 'pysnyk', ...(JSON.parse(line) as Omit<Outcome, 'client'>) }))
}
