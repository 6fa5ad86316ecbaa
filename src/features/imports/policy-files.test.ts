// cspell:ignore wpgm
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { type BareRepository, bareRepository, type CommittedFile } from '#test/repositories/git-repository.ts'
import { type ImportApp, importAndWait, importOf, npmProject, startImportApp } from '#test/repositories/imports.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const ISSUE = 'GHSA-35jh-r3h4-6jhm'
const OTHER = 'GHSA-29mw-wpgm-hmr9'

const ruleOf = (id: string, details = '        reason: guarded\n') => `  ${id}:\n    - '*':\n${details}`
const policyOf = (...rules: string[]) => `version: v1.25.0\nignore:\n${rules.join('')}`
const projectWith = (policy: string | undefined): CommittedFile[] => [
  ...npmProject('app'),
  ...(policy === undefined ? [] : [{ path: 'app/.snyk', content: policy }]),
]

interface ListedIgnore {
  readonly id: string
  readonly attributes: {
    readonly issue_id: string
    readonly reason: string
    readonly source: string
    readonly stale_because: string | null
    readonly ignored_by: { readonly name: string }
    readonly created_at: string
  }
}

onAnyEngine('policy files of imported repositories', (engine) => {
  let app: ImportApp
  before(async () => {
    app = await startImportApp(engine, { GATEHOUSE_TEST_WORKERS: '1', searchSeconds: 0 })
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const v1 = (rest: string) => `/v1/org/${app.orgId}/${rest}`
  const rest = (path: string) => `/rest/orgs/${app.orgId}/${path}`

  /** Imports a commit; returns its project. */
  async function importAll(repository: BareRepository, files: readonly CommittedFile[]) {
    repository.commit(files)
    const job = await importAndWait(app, importOf(repository.path))
    const row = await db()
      .selectFrom('projects as p')
      .innerJoin('targets as t', 't.id', 'p.target_id')
      .select(['p.id', 'p.number'])
      .where('t.source_key', 'like', `%${repository.path}%`)
      .where('p.target_file', '=', 'app/package.json')
      .executeTakeFirstOrThrow()
    return { ...row, job }
  }
  async function openIssues(projectId: string): Promise<string[]> {
    const answer = await app.call('POST', v1(`project/${projectId}/aggregated-issues`), {
      body: { filters: { ignored: false } },
    })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().issues.map(({ id }: { id: string }) => id)
  }
  async function ignoresOf(projectId: string): Promise<ListedIgnore[]> {
    const answer = await app.call('GET', rest('ignores'), { query: { project_id: projectId } })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data
  }
  const coverageOf = async (projectId: string) =>
    (await app.call('GET', rest(`projects/${projectId}/coverage`))).json().data.attributes
  async function decide(policyFiles: string) {
    const answer = await app.call('PUT', v1('settings'), { body: { policyFiles } })
    assert.equal(answer.statusCode, 200, answer.body)
  }

  test('policy file of a repository: its ignores apply to the project; users read but cannot remove them (409)', async () => {
    using repository = bareRepository()
    const { id } = await importAll(repository, projectWith(policyOf(ruleOf(ISSUE))))
    const open = await openIssues(id)
    assert.ok(!open.includes(ISSUE) && open.includes(OTHER), open.join())
    const [ignore, ...others] = await ignoresOf(id)
    assert.equal(others.length, 0)
    const { issue_id, reason, source, stale_because, ignored_by } = ignore!.attributes
    assert.deepEqual(
      [issue_id, reason, source, stale_because, ignored_by.name],
      [ISSUE, 'guarded', 'repository', null, 'app/.snyk in the repository'],
    )
    assert.deepEqual((await app.call('GET', v1(`project/${id}/ignores`))).json(), {}, 'as the interface says')
    const { issues } = (await app.call('POST', v1(`project/${id}/aggregated-issues`), { body: {} })).json()
    const ignored = issues.find((issue: { id: string }) => issue.id === ISSUE)
    assert.deepEqual([ignored.isIgnored, ignored.ignoreReasons[0].source], [true, 'cli'])
    const refused = { status: 409, code: 'conflict' } as const
    const ended = await app.call('DELETE', rest(`ignores/${ignore!.id}`))
    assertRefusal(ended, refused)
    assert.match(ended.body, /app\/\.snyk in the repository\. Remove it from that file/)
    assertRefusal(await app.call('DELETE', v1(`project/${id}/ignore/${ISSUE}`)), refused)
    assertRefusal(await app.call('PUT', v1(`project/${id}/ignore/${ISSUE}`), { body: [] }), refused)
    const events = await auditEventsOf(app, id)
    assert.deepEqual(
      events.map(({ action }) => action),
      ['ignore.replace_from_repository'],
    )
    assert.deepEqual((await coverageOf(id)).policyFile, { path: 'app/.snyk', rules: 1, notes: [] })
  })

  test('ignores of a policy file: end with the file; unchanged ones keep id and age, users’ ignores stay', async () => {
    using repository = bareRepository()
    const { id } = await importAll(repository, projectWith(policyOf(ruleOf(ISSUE), ruleOf(OTHER))))
    const before = await ignoresOf(id)
    const body = { ignorePath: '*', reasonType: 'wont-fix', disregardIfFixable: false }
    const added = await app.call('POST', v1(`project/${id}/ignore/${OTHER}`), { body })
    assert.equal(added.statusCode, 200, added.body)
    await importAll(repository, projectWith(policyOf(ruleOf(ISSUE))))
    const after = await ignoresOf(id)
    assert.deepEqual(
      after.map(({ attributes }) => [attributes.issue_id, attributes.source]),
      [
        [ISSUE, 'repository'],
        [OTHER, 'user'],
      ],
    )
    for (const { id: ignoreId, attributes } of after) {
      const query = { project_id: id, source: attributes.source }
      const { data } = (await app.call('GET', rest('ignores'), { query })).json()
      assert.deepEqual(
        data.map((ignore: { id: string }) => ignore.id),
        [ignoreId],
      )
    }
    const kept = before.find(({ attributes }) => attributes.issue_id === ISSUE)
    assert.deepEqual([after[0]!.id, after[0]!.attributes], [kept!.id, kept!.attributes])
    await importAll(repository, projectWith(undefined))
    const open = await openIssues(id)
    assert.ok(open.includes(ISSUE) && !open.includes(OTHER), open.join())
    assert.equal((await app.call('DELETE', v1(`project/${id}/ignore/${OTHER}`))).statusCode, 200)
    assert.ok((await openIssues(id)).includes(OTHER))
    assert.deepEqual(await ignoresOf(id), [])
  })

  test('ignores of a policy file: removed without a trace when only the file held them', async () => {
    using repository = bareRepository()
    const { id, number } = await importAll(repository, projectWith(policyOf(ruleOf(ISSUE))))
    await importAll(repository, projectWith(undefined))
    assert.ok((await openIssues(id)).includes(ISSUE))
    const left = await db().selectFrom('ignored_issues').selectAll().where('project_number', '=', number).execute()
    assert.deepEqual(left, [])
  })

  test('an unreadable policy file: ignores nothing; import and coverage say why', async () => {
    using repository = bareRepository()
    await importAll(repository, projectWith(policyOf(ruleOf(ISSUE))))
    const { id, job } = await importAll(repository, projectWith('ignore: [\n'))
    assert.ok((await openIssues(id)).includes(ISSUE))
    assert.match((await coverageOf(id)).policyFile.notes[0], /Not applied/)
    assert.match(JSON.stringify(job), /app\/\.snyk: Not applied/)
  })

  test('organization that forbids or limits policy files: ignores end, and projects are retested soon', async () => {
    using repository = bareRepository()
    const files = projectWith(policyOf(ruleOf(ISSUE), ruleOf(OTHER, '        expires: 2099-01-01\n')))
    const { id, number } = await importAll(repository, files)
    const due = async () =>
      (await db().selectFrom('projects').select('next_test_at').where('number', '=', number).executeTakeFirstOrThrow())
        .next_test_at!
    assert.ok((await due()) > Date.now() + 3_600_000)
    await decide('require-reason')
    assert.ok((await due()) < Date.now() + 3_600_000)
    await importAll(repository, files)
    const open = await openIssues(id)
    assert.ok(!open.includes(ISSUE) && open.includes(OTHER), open.join())
    assert.match((await coverageOf(id)).policyFile.notes[0], /requires a reason/)
    await decide('forbid')
    await importAll(repository, files)
    assert.ok((await openIssues(id)).includes(ISSUE))
    assert.deepEqual(await ignoresOf(id), [])
    await decide('allow')
    await importAll(repository, files)
    assert.ok(!(await openIssues(id)).includes(ISSUE))
  })

  test('projects excluded by a policy file: not imported, listed as left out', async () => {
    using repository = bareRepository()
    const exclude = 'version: v1.25.0\nexclude:\n  global:\n    - old\n'
    const files = [...npmProject('app'), ...npmProject('old'), { path: '.snyk', content: exclude }]
    const { job } = await importAll(repository, files)
    const { attributes } = (await app.call('GET', rest(`imports/${job.id}`))).json().data
    assert.deepEqual(attributes.left_out, [{ path: 'old/package.json', package_manager: 'npm', reason: 'policy_file' }])
    assert.match(attributes.message, /Projects excluded by policy files were not tested: old\/package\.json \(\.snyk\)/)
  })
})
