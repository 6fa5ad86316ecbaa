import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { toRecord } from '#analysis/advisories/parse-record.ts'
import type { ReadSubject } from '#scanning/reading/task.ts'
import { publishRecords } from '#test/manifests/published-advisories.ts'
import { record } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { createProjectTester } from '../recording/run-project-test.ts'

let modifiedAt = Date.parse('2026-01-01T00:00:00Z')

/** Builds an advisory about packages of a module; without any, about the whole module. */
function against(module: string, id: string, folders: readonly string[], aliases: readonly string[] = []) {
  modifiedAt += 1000
  const imports = folders.map((folder) => ({ path: `${module}/${folder}` }))
  return toRecord({
    id,
    modified: new Date(modifiedAt).toISOString(),
    aliases,
    affected: [
      {
        package: { ecosystem: 'Go', name: module },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.2.0' }] }],
        ...(imports.length > 0 && { ecosystem_specific: { imports } }),
      },
    ],
  })
}

onEveryEngine('advisories about Go packages that stored projects do not vendor', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_TEST_WORKERS: '1', searchSeconds: 0 })
  })
  after(() => app.close())

  const newModule = () => `github.com/a/m-${randomUUID().slice(0, 8)}`
  const publish = async (records: readonly ReturnType<typeof against>[]) => {
    await publishRecords(app.parts, records)
    await app.parts.matcher.run()
  }
  const vendored = (module: string, folders: readonly string[]): ReadSubject => {
    const entry = (folder: string) => ({
      path: `${module}/${folder}`,
      revision: '0'.repeat(40),
      versionExact: 'v1.1.0',
    })
    const target = JSON.stringify({ rootPath: 'git.example/project', package: folders.map(entry) })
    return { kind: 'files', target, additional: [], encoding: 'plain' }
  }
  async function store(subject: ReadSubject, rest: { target?: string; at?: number } = {}) {
    const tester = createProjectTester(app.parts.services, app.parts.tests)
    const outcome = await tester.test(app.orgId, { ecosystem: 'govendor', subject })
    assert.ok('test' in outcome)
    const recorded = await record(app.parts.services.db, { orgId: app.orgId, test: outcome.test, ...rest })
    return recorded.projectId
  }
  const issuesOf = async (id: string) => {
    const path = `/v1/org/${app.orgId}/project/${id}/aggregated-issues`
    const { issues } = (await app.call('POST', path, { body: {} })).json()
    return issues.map((issue: { id: string }) => issue.id).sort()
  }
  const notImportedOf = async (id: string) => {
    const { data } = (await app.call('GET', `/rest/orgs/${app.orgId}/projects/${id}/coverage`)).json()
    return data.attributes.notImported?.map((advisory: { id: string }) => advisory.id)
  }

  test('packages not vendored: their advisories are listed in the coverage and are no issues', async () => {
    const module = newModule()
    await publish([
      against(module, 'GO-1-AWAY', ['away']),
      against(module, 'GO-1-THERE', ['there', 'away']),
      against(module, 'GO-1-ALL', []),
    ])
    const [without, having] = [await store(vendored(module, ['there'])), await store(vendored(module, ['away']))]
    assert.deepEqual(await issuesOf(without), ['GO-1-ALL', 'GO-1-THERE'])
    assert.deepEqual(await notImportedOf(without), ['GO-1-AWAY'])
    assert.deepEqual(await issuesOf(having), ['GO-1-ALL', 'GO-1-AWAY', 'GO-1-THERE'])
    assert.equal(await notImportedOf(having), undefined)
  })

  test('packages not vendored: an advisory is an issue while its packages differ from the tested ones', async () => {
    const module = newModule()
    await publish([against(module, 'GO-2-AWAY', ['away'])])
    const id = await store(vendored(module, ['there']))
    await publish([against(module, 'GO-2-AWAY', ['away', 'there'])])
    assert.deepEqual(await issuesOf(id), ['GO-2-AWAY'])
    await publish([against(module, 'GO-2-AWAY', [])])
    assert.deepEqual(await issuesOf(id), ['GO-2-AWAY'])
    await publish([against(module, 'GO-2-AWAY', ['away'])])
    assert.deepEqual(await issuesOf(id), [])
  })

  test('packages not vendored: an advisory that gets a new id is still no issue', async () => {
    const module = newModule()
    await publish([against(module, 'GO-3-AWAY', ['away'])])
    const id = await store(vendored(module, ['there']))
    await publish([against(module, 'GHSA-3333-3333-3333', ['away'], ['GO-3-AWAY'])])
    assert.deepEqual(await issuesOf(id), [])
  })

  test('packages not vendored: issues keep their age when the judgment of others changes', async () => {
    const module = newModule()
    const target = randomUUID()
    await publish([against(module, 'GO-4-THERE', ['there'])])
    await store(vendored(module, ['there']), { target, at: 1_000_000 })
    await publish([against(module, 'GO-4-THERE', ['there']), against(module, 'GO-4-AWAY', ['away'])])
    const id = await store(vendored(module, ['there']), { target, at: 2_000_000 })
    assert.deepEqual(await issuesOf(id), ['GO-4-THERE'])
    const rows = await app.parts.services.db
      .selectFrom('org_issues')
      .select('known_since')
      .where('issue_id', '=', 'GO-4-THERE')
      .execute()
    assert.deepEqual(
      rows.map(({ known_since }) => Number(known_since)),
      [1_000_000, 1_000_000],
    )
  })
})
