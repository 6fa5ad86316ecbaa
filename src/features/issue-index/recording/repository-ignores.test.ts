import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { readPolicy } from '#analysis/discovery/policy-files/read-policy.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { listIgnores } from '../ignores/ignored-store.ts'
import { recordTest } from './record-test.ts'

onEveryEngine('recording of tests with a policy file', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
    await publishRecords(app.parts, [recordAgainst('A-1', 'npm', 'left', { fixed: '2.0.0' })])
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  function testWith(...ids: string[]) {
    const { rules } = readPolicy(`ignore:\n${ids.map((id) => `  ${id}:\n    - '*':\n`).join('')}`)
    const { advisories, release } = app.parts.advisories.acquire()
    const test = toTest({ packages: ['left@1.0.0'] }, advisories)
    release()
    return { ...test, ...(ids.length > 0 && { policy: { path: '.snyk', rules, notes: [] } }) }
  }
  const store = (target: string, ids: readonly string[]) =>
    record(db(), { orgId: app.orgId, target, test: testWith(...ids) })
  const idsOf = async (number: number) => (await listIgnores(db(), number)).map(({ issue_id }) => issue_id)

  test('policy file: a failed transaction keeps the ignores of the previous test', async () => {
    const target = randomUUID()
    const { projectNumber, targetId } = await store(target, ['A-1', 'B-1'])
    const { orgId } = app
    const name = `${target}:package.json`
    const place = {
      orgId,
      targetId,
      type: 'npm',
      targetFile: 'package.json',
      targetReference: null,
      name,
      origin: 'cli',
    }
    const rest = { source: undefined, contentDigest: null, revision: null, cause: 'import', at: Date.now() } as const
    const failed = inTransaction(db(), async (tx) => {
      await recordTest(tx, place, { ...rest, test: testWith('C-1'), by: { id: null, name: 'Somebody' } })
      assert.deepEqual(
        (await listIgnores(tx, projectNumber)).map(({ issue_id }) => issue_id),
        ['C-1'],
      )
      throw new Error('the process ends')
    })
    await assert.rejects(failed, /the process ends/)
    assert.deepEqual(await idsOf(projectNumber), ['A-1', 'B-1'])
    await store(target, ['C-1'])
    assert.deepEqual(await idsOf(projectNumber), ['C-1'])
  })

  test('policy file: an unchanged file changes nothing and logs no event', async () => {
    const target = randomUUID()
    const { projectId, projectNumber } = await store(target, ['A-1'])
    const before = await listIgnores(db(), projectNumber)
    await store(target, ['A-1'])
    assert.deepEqual(await listIgnores(db(), projectNumber), before)
    assert.equal((await auditEventsOf(app, projectId)).length, 1)
  })

  test('policy file: stores 2,000 rules at once', async () => {
    const ids = Array.from({ length: 2_000 }, (_, at) => `X-${at}`)
    const { projectNumber } = await store(randomUUID(), ids)
    assert.equal((await idsOf(projectNumber)).length, 2_000)
  })
})
