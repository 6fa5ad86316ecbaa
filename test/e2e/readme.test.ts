import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '#test/servers/free-port.ts'
import { startListening } from '#test/servers/listening.ts'

test("the README's five commands and those of the command line work when pasted", {
  skip: hasCurl() ? false : 'needs curl',
}, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-readme-'))
  const port = await freePort()
  const readme = readFileSync('README.md', 'utf8')
  const written = ['Five commands', 'Command line'].flatMap((title) => blocksOf(readme, title)).join('\n')
  const shop = join(dir, 'shop')
  mkdirSync(shop)
  writeFileSync(join(shop, 'package.json'), '{"name":"shop","version":"1.0.0"}')
  // The same commands, but on a free port, with files in a temporary folder, and stopped at the end.
  const story = written
    .replaceAll('7331', String(port))
    .replaceAll(/\b(project|result)\.json/g, `${dir}/$1.json`)
    .replaceAll('docs/example', shop)
    .replaceAll('gatehouse.log', `${dir}/gatehouse.log`)
  const script = `set -e\ntrap 'kill $(jobs -p); wait' EXIT\n${story}`
  try {
    const { stdout, stderr, status } = spawnSync('bash', ['-c', script], {
      env: {
        PATH: process.env['PATH'],
        HOME: dir,
        TMPDIR: dir,
        GATEHOUSE_PORT: String(port),
        GATEHOUSE_DATA_DIR: join(dir, 'data'),
      },
      encoding: 'utf8',
      timeout: 600_000,
    })
    assert.equal(status, 0, stdout + stderr)
    assert.match(stdout, /^200$/m)
    assert.match(stdout, /dependencyCount: \d{2,}/)
    assert.match(stdout, /starterSet: true/)
    assert.match(stdout, /critical: .+ \(CVE-2019-10744\), upgrade to lodash@4\.17\.21/)
    assert.match(stdout, /"action":"service_account.create"/)
    assert.match(stdout, /^shop:package\.json +0\/0\/0\/0 /m)
    assert.match(stdout, /^ci +api_key /m)
    assert.ok(!existsSync(join(dir, 'data')), 'it works also where a server was started before')
    await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`), 'ending npm ends the server')
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

test("the README's first test finds issues without a server", () => {
  const [command] = /^npm run .+ test --local docs\/example/m.exec(readFileSync('README.md', 'utf8'))!
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-readme-'))
  try {
    const env = { PATH: process.env['PATH'], HOME: home }
    const { status, stdout } = spawnSync('bash', ['-c', command], { env, encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stdout, /critical +lodash@4\.17\.4/)
  } finally {
    rmSync(home, { recursive: true })
  }
})

test("the README's import prints the location of the import, or why the server refuses it", {
  skip: hasCurl() ? false : 'needs curl',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-readme-'))
  writeFileSync(join(folder, 'package.json'), '{"name":"shop"}')
  const block = blocksOf(readFileSync('README.md', 'utf8'), 'Projects').find((block) => block.includes('/import '))!
  const script = block.replace('/srv/git/shop.git', folder)
  const cases: [settings: Record<string, string>, printed: RegExp][] = [
    [{}, /"message":"[^"]*GATEHOUSE_LOCAL_REPOSITORIES/],
    [{ GATEHOUSE_LOCAL_REPOSITORIES: folder }, /^location: http\S+\/import\/[\da-f-]{36}\s*$/],
  ]
  try {
    for (const [settings, printed] of cases) {
      const app = await startListening('sqlite', settings)
      const env = { PATH: process.env['PATH'], URL: app.parts.services.baseUrl, KEY: app.adminKey, ORG: app.orgId }
      const { stdout } = await promisify(execFile)('bash', ['-c', script], { env }).finally(() => app.close())
      assert.match(stdout, printed)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** Returns the shell commands of a section. */
function blocksOf(text: string, title: string): string[] {
  const section = text.split(`\n## ${title}\n`)[1]!.split('\n## ')[0]!
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)
}

function hasCurl(): boolean {
  return spawnSync('curl', ['--version']).status === 0
}
