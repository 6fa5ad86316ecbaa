import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createProjectTester } from '#features/projects/run-project-test.ts'
import { byItself } from '#foundation/access/caller.ts'
import { findStorageFault } from '#foundation/db/storage-faults.ts'
import { startApp } from '#test/app.ts'
import { bareRepository } from '#test/git-repository.ts'
import { folderRepositories } from '#test/import-repositories.ts'
import { npmProject } from '#test/imports.ts'
import { requestImport } from './request-import.ts'
import { type ImportServices, runImport } from './run-import.ts'

const MANIFESTS = 60
const ATTEMPTS = 8

describe('an import on a disk without room', () => {
  test('waits for room however often it is begun, and then loses nothing', async () => {
    await using repositories = folderRepositories()
    using repository = bareRepository()
    const app = await startApp('sqlite')
    try {
      const { services: own, tests } = app.parts
      const { db } = own
      const integration = { id: randomUUID() }
      const plain = { kind: 'git', name: 'g', base_url: null, settings: '{}', credentials: null }
      await db
        .insertInto('integrations')
        .values({ ...integration, org_id: app.orgId, ...plain, created_at: 1, updated_at: 1 })
        .execute()
      const projects = Array.from({ length: MANIFESTS }, (_, n) => npmProject(`p${n}`, `package-${n}`))
      repository.commit(projects.flat())
      const org = { id: app.orgId, name: 'o', slug: 'o', groupId: app.groupId }
      const target = { name: 'team/app', branch: undefined, target: { path: repository.path } }
      const { id } = await db.transaction().execute((tx) =>
        requestImport({ tx, org, actor: byItself, at: Date.now() }, integration as never, {
          target,
          files: undefined,
          exclusionGlobs: undefined,
        }),
      )
      const tester = createProjectTester(own, tests)
      let begun = 0
      const filling: ImportServices['tester'] = {
        async test(...wish) {
          if (++begun === 10) await setMostPages((await pages()) as number)
          return tester.test(...wish)
        },
      }
      const pages = async () => (await sql<{ page_count: number }>`pragma page_count`.execute(db)).rows[0]!.page_count
      const setMostPages = (most: number) => sql.raw(`pragma max_page_count = ${most}`).execute(db)
      const run = (attempt: number) =>
        runImport({ ...own, repositories, tester: filling }, id, {
          log: own.log,
          signal: new AbortController().signal,
          attempt,
        })
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        await assert.rejects(run(attempt), (error) => findStorageFault(error) === 'full')
      }
      await setMostPages(4294967294)
      await run(ATTEMPTS + 1)
      const row = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      assert.deepEqual([row.state, row.message], ['complete', null])
      const manifests = await db.selectFrom('import_manifests').selectAll().where('import_id', '=', id).execute()
      assert.deepEqual(
        manifests.filter(({ state }) => state !== 'done').map(({ path, message }) => `${path} ${message}`),
        [],
      )
      assert.equal(manifests.length, MANIFESTS)
    } finally {
      await app.close()
    }
  })
})
