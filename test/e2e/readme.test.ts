import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '#test/servers/free-port.ts'

test("the README's five commands work when pasted", { skip: hasCurl() ? false : 'needs curl' }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-readme-'))
  const port = await freePort()
  const written = /## Five commands[\s\S]*?```sh\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))![1]!
  // The same commands, but on a free port, with files in a folder of their own, and ended at the end.
  const story = written
    .replaceAll('7331', String(port))
    .replaceAll(/\b(project|result)\.json/g, `${dir}/$1.json`)
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
    assert.match(stdout, /critical: .+ \(CVE-2019-10744\), upgrade to lodash@4\.17\.12/)
    assert.match(stdout, /"action":"service_account.create"/)
    assert.ok(!existsSync(join(dir, 'data')), 'it works also where a server was started before')
    await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`), 'ending npm ends the server')
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

function hasCurl(): boolean {
  return spawnSync('curl', ['--version']).status === 0
}
