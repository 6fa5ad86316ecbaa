import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestApp } from '#test/servers/app.ts'
import { runCommand } from '#test/servers/command-line.ts'
import { startListening } from '#test/servers/listening.ts'

describe('interrupted import command', () => {
  let app: TestApp
  let root: string
  // Without background work, an import never finishes.
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-interrupted-'))
    writeFileSync(join(root, 'package.json'), '{"name":"shop"}')
    app = await startListening('sqlite', { GATEHOUSE_LOCAL_REPOSITORIES: root })
  })
  after(async () => {
    await app.close()
    rmSync(root, { recursive: true })
  })

  const listImports = async () => (await app.call('GET', `/rest/orgs/${app.orgId}/imports`)).json().data

  test('import: Ctrl+C exits with 130; the import continues and the message names --follow', async () => {
    const stopping = new AbortController()
    const environment = { HOME: root, GATEHOUSE_URL: app.parts.services.baseUrl, GATEHOUSE_KEY: app.adminKey }
    const running = runCommand(['import', root], { environment, interrupt: stopping.signal })
    let ended = false
    running.finally(() => (ended = true))
    while (!ended && (await listImports()).length === 0) await sleep(20)
    // After its first read of the import, the command waits.
    const reads = () => app.log().split(`/imports/`).length
    const before = reads()
    while (!ended && reads() === before) await sleep(20)
    stopping.abort()
    const { code, output, errors } = await running
    const [row] = await listImports()
    assert.deepEqual([code, output, row.attributes.state], [130, '', 'pending'], errors)
    assert.ok(errors.includes(`gatehouse import --follow ${row.id}`), errors)
  })
})
