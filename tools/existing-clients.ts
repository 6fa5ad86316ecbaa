import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serveGit } from '#test/repositories/git-server.ts'
import { freePort } from '#test/servers/free-port.ts'
import { startServer } from '#test/servers/server-process.ts'

/**
 * Runs programs that were written for this interface, as they are published, against a server of this tree, and prints
 * what came of each of their calls: `node tools/existing-clients.ts`. They are installed into a temporary folder, from
 * the registries that npm and pip are configured for, so this needs a network, Python 3 and git. Ends with 1 when a call
 * failed.
 */
const run = promisify(execFile)
const CLI = 'snyk@1.900.0'
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
    console.log(`${client.padEnd(8)} ${call.padEnd(40)} ${error === undefined ? `ok   ${said}` : `FAIL ${error}`}`)
  }
  const failed = outcomes.filter(({ error }) => error !== undefined).length
  console.log(`${outcomes.length} calls, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}

async function tryClients(): Promise<Outcome[]> {
  console.error(`installing ${CLI} and ${LIBRARY} …`)
  const project = join(folder, 'shop')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), manifest)
  writeFileSync(join(project, 'package-lock.json'), lock)
  await run('npm', ['install', '--prefix', join(folder, 'cli'), '--ignore-scripts', '--no-audit', '--no-fund', CLI])
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
    return [...(await tryCli(server.baseUrl, project)), ...(await tryLibrary(server.baseUrl))]
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
  const { orgs } = (await (await fetch(`${baseUrl}/v1/orgs`, { headers })).json()) as { orgs: { id: string }[] }
  const answer = await fetch(`${baseUrl}/v1/org/${orgs[0]!.id}/integrations`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ type: 'github-enterprise', credentials: { url: gitUrl, token: 'not-needed' } }),
  })
  if (!answer.ok) throw new Error(`the integration was not made: ${answer.status} ${await answer.text()}`)
}

async function tryCli(baseUrl: string, project: string): Promise<Outcome[]> {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    SNYK_API: `${baseUrl}/api/v1`,
    SNYK_HTTP_PROTOCOL_UPGRADE: '0',
    SNYK_DISABLE_ANALYTICS: '1',
  }
  const snyk = join(folder, 'cli/node_modules/.bin/snyk')
  const expected: [call: string, words: string[], what: RegExp][] = [
    ['snyk auth KEY', ['auth', key], /authenticated/i],
    ['snyk test', ['test'], /found 6 vulnerabilities/],
    ['snyk test --json', ['test', '--json'], /"CVE-2019-10744"/],
    [
      'snyk test --severity-threshold=critical',
      ['test', '--severity-threshold=critical'],
      /found 1 (issue|vulnerabilit)/,
    ],
    ['snyk test lodash@4.17.4', ['test', 'lodash@4.17.4'], /found 6/],
    ['snyk monitor', ['monitor'], /Explore this snapshot at/],
    ['snyk ignore --id=…', ['ignore', '--id=GHSA-jf85-cpcp-j695'], /^$|policy/],
    ['snyk test (with the ignore)', ['test'], /found 5 vulnerabilities/],
  ]
  const outcomes: Outcome[] = []
  for (const [call, words, what] of expected) {
    const printed = await run(snyk, words, { cwd: project, env: { ...env, SNYK_TOKEN: key } }).then(
      ({ stdout }) => stdout,
      // It ends with 1 when it found something.
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    )
    const said = what.exec(printed)?.[0]
    outcomes.push(
      said === undefined
        ? { client: 'CLI', call, error: printed.trim().slice(-300).replaceAll('\n', ' ') }
        : { client: 'CLI', call, said },
    )
  }
  return outcomes
}

async function tryLibrary(baseUrl: string): Promise<Outcome[]> {
  const script = new URL('existing-clients/calls.py', import.meta.url).pathname
  const { stdout } = await run(join(folder, 'python/bin/python'), [script, baseUrl, key, lock, sbt])
  return stdout
    .trim()
    .split('\n')
    .map((line) => ({ client: 'pysnyk', ...(JSON.parse(line) as Omit<Outcome, 'client'>) }))
}
