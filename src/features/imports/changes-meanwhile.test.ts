import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { moveProject } from '#features/projects/move-project.ts'
import { systemActor } from '#foundation/access/caller.ts'
import { Problem } from '#foundation/problem.ts'
import { importServices } from '#jobs.ts'
import { type BareRepository, bareRepository, type CommittedFile } from '#test/repositories/git-repository.ts'
import { folderRepositories } from '#test/repositories/import-repositories.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { requestImport } from './request-import.ts'
import { type ImportServices, runImport } from './run-import.ts'

const files = (...names: string[]): CommittedFile[] =>
  names.map((name) => ({
    path: `${name}/package-lock.json`,
    content: JSON.stringify({ name, lockfileVersion: 3, packages: { '': { name } } }),
  }))

onEveryEngine('changes during a running import', (engine) => {
  let app: TestApp
  let services: ImportServices
  let repositories: ReturnType<typeof folderRepositories>
  const integration = { id: randomUUID() }
  before(async () => {
    app = await startApp(engine)
    repositories = folderRepositories()
    const own = app.parts.services
    services = { ...importServices(app.parts), repositories }
    const plain = { base_url: null, settings: '{}', credentials: null, created_at: 1, updated_at: 1 }
    await own.db
      .insertInto('integrations')
      .values({ ...integration, org_id: app.orgId, kind: 'git', name: 'g', ...plain })
      .execute()
  })
  after(async () => {
    await repositories[Symbol.asyncDispose]()
    await app.close()
  })

  const db = () => app.parts.services.db
  const org = (id = app.orgId) => ({ id, name: 'o', slug: 'o', groupId: app.groupId })
  const projects = (repository: BareRepository) =>
    db()
      .selectFrom('projects as p')
      .innerJoin('targets as t', 't.id', 'p.target_id')
      .select(['p.id', 'p.target_id'])
      .where('t.source_key', '=', repository.path)
      .execute()

  /** Runs an import; `meanwhile` runs before its first test and may replace that test’s result. */
  async function run(
    repository: BareRepository,
    meanwhile?: () => Promise<{ readonly problem: Problem } | undefined>,
  ): Promise<string> {
    const options = { target: { name: 'team/app', branch: undefined, target: { path: repository.path } } }
    const { id } = await db()
      .transaction()
      .execute((tx) =>
        requestImport({ tx, org: org(), actor: systemActor, at: Date.now() }, integration as never, {
          ...options,
          files: undefined,
          exclusionGlobs: undefined,
        }),
      )
    let first = meanwhile
    const tester: ImportServices['tester'] = {
      async test(...wish) {
        const [work] = [first]
        first = undefined
        return (await work?.()) ?? services.tester.test(...wish)
      },
    }
    const context = { log: services.log, signal: new AbortController().signal, attempt: 1 }
    await runImport({ ...services, tester }, id, context)
    await db().deleteFrom('jobs').where('kind', '=', 'import').execute()
    return id
  }

  test('import whose target is deleted meanwhile: ends with a message and does not recreate the target', async () => {
    using repository = bareRepository()
    repository.commit(files('a', 'b', 'c'))
    await run(repository)
    const { target_id } = (await projects(repository))[0]!
    const id = await run(repository, async () => {
      await db().deleteFrom('targets').where('id', '=', target_id).execute()
      return undefined
    })
    const row = await db().selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.deepEqual([row.state, row.message], ['complete', 'The target was deleted during the import'])
    const manifests = await db().selectFrom('import_manifests').selectAll().where('import_id', '=', id).execute()
    assert.deepEqual(
      manifests.map(({ state, message }) => [state, message]),
      manifests.map(() => ['failed', 'The target was deleted during the import']),
    )
    const left = db().selectFrom('targets').select('id').where('source_key', '=', repository.path)
    assert.deepEqual(await left.execute(), [])
  })

  test('import of a very long path: fails that manifest with a reason, imports the shorter one', async () => {
    using repository = bareRepository()
    // Random characters do not compress in an index.
    const text = Array.from({ length: 1_000 }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000)))
    const [bearable, tooLong] = [text.slice(0, 330).join(''), text.join('')]
    repository.commit(files(bearable, tooLong))
    const id = await run(repository)
    const rows = await db()
      .selectFrom('import_manifests')
      .select(['path', 'message'])
      .where('import_id', '=', id)
      .orderBy('state')
      .execute()
    const start = tooLong.slice(0, 150)
    assert.deepEqual(
      rows.map(({ path, message }) => [path.slice(0, 150), message]),
      [
        [start, null],
        [start, 'Its name is not a plain path'],
      ],
    )
  })

  test('import whose project moves to another organization meanwhile: stores no failure there', async () => {
    using repository = bareRepository()
    repository.commit(files('a'))
    await run(repository)
    const { id: projectId } = (await projects(repository))[0]!
    const elsewhere = await app.addOrg()
    await run(repository, async () => {
      await db()
        .transaction()
        .execute((tx) => moveProject({ tx, org: org(), actor: systemActor, at: Date.now() }, projectId, org(elsewhere)))
      return { problem: new Problem('unprocessable', 'of the other organization') }
    })
    const moved = await db().selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirstOrThrow()
    assert.deepEqual([moved.org_id, moved.failure], [elsewhere, null])
  })
})
