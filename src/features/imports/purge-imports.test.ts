import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { type ImportApp, importAndWait, importOf, npmProject, startImportApp } from '#test/repositories/imports.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { purgeImports } from './purge-imports.job.ts'

const DAY_MS = 86_400_000

onEveryEngine('limits and retention of imports', (engine) => {
  let app: ImportApp
  before(async () => {
    app = await startImportApp(engine, { importManifests: 2, importKeepDays: 30 })
  })
  after(() => app.close())

  test('import with more manifests than the limit: imports the first ones and says so', async () => {
    using repository = bareRepository()
    repository.commit(['a', 'b', 'c'].flatMap((folder) => npmProject(folder)))
    const [log] = (await importAndWait(app, importOf(repository.path))).logs
    assert.deepEqual(
      [log.status, log.truncated, log.projects.map(({ targetFile }: { targetFile: string }) => targetFile)],
      ['complete', true, ['a/package.json', 'b/package.json']],
    )
    assert.match(log.userMessage, /^Only the first 2 of 3 manifests /)
    const [rest] = (await importAndWait(app, importOf(repository.path, { files: [{ path: './c/package.json' }] }))).logs
    assert.deepEqual([rest.truncated, rest.projects.length], [undefined, 1])
  })

  test('purge of imports: deletes old ones, scheduled ones sooner, but keeps the last one of a target', async () => {
    const { db } = app.parts.services
    using repository = bareRepository()
    repository.commit(npmProject(''))
    const { id } = await importAndWait(app, importOf(repository.path))
    const row = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const add = async (days: number, more: object = {}) => {
      const at = Date.now() - days * DAY_MS
      const older = { ...row, id: randomUUID(), created_at: at, started_at: at, ended_at: at, ...more }
      await db.insertInto('imports').values(older).execute()
      return older.id
    }
    const old = await add(31)
    const scheduled = await add(8, { cause: 'schedule' })
    const nothing = await add(31, { target_id: null })
    const kept = [
      id,
      await add(29),
      await add(6, { cause: 'schedule' }),
      await add(100, { reference: 'other' }),
      await add(31, { state: 'pending', ended_at: null }),
    ]
    const job = purgeImports(app.parts.services)
    const context = { log: pino({ level: 'silent' }), signal: new AbortController().signal, attempt: 1 }
    await job.run({}, context)
    const ids = (await db.selectFrom('imports').select('id').execute()).map((importRow) => importRow.id)
    for (const id of kept) assert.ok(ids.includes(id))
    for (const id of [old, scheduled, nothing]) assert.ok(!ids.includes(id))
    const projects = await db.selectFrom('projects').select('id').where('target_id', '=', row.target_id!).execute()
    assert.equal(projects.length, 1)
    await db.deleteFrom('imports').where('state', '=', 'pending').execute()
  })
})
