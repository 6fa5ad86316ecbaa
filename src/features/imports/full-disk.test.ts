import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Repositories } from '#features/integrations/open-repository.ts'
import { createProjectTester } from '#features/issue-index/recording/run-project-test.ts'
import { systemActor } from '#foundation/access/caller.ts'
import { findStorageFault } from '#foundation/db/storage-faults.ts'
import { createTreeReader } from '#scanning/pool/read-tree.ts'
import { gitReader } from '#test/repositories/git-reader.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { folderRepositories } from '#test/repositories/import-repositories.ts'
import { npmProject } from '#test/repositories/imports.ts'
import { startApp } from '#test/servers/app.ts'
import { requestImport } from './request-import.ts'
import { type ImportServices, runImport } from './run-import.ts'

const MANIFESTS = 60
const ATTEMPTS = 8

describe('imports on a full disk', () => {
  test('import on a full database: is retried however often it fails, then completes', async () => {
    await using repositories = folderRepositories()
    await using started = await startImport(repositories)
    const { db } = started.services
    let begun = 0
    const tester: ImportServices['tester'] = {
      async test(...wish) {
        if (++begun === 10) await setMostPages((await pages()) as number)
        return started.services.tester.test(...wish)
      },
    }
    const pages = async () => (await sql<{ page_count: number }>`pragma page_count`.execute(db)).rows[0]!.page_count
    const setMostPages = (most: number) => sql.raw(`pragma max_page_count = ${most}`).execute(db)
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await assert.rejects(started.run(attempt, { tester }), isFull)
    }
    await setMostPages(4294967294)
    await started.run(ATTEMPTS + 1)
    await started.assertWhole()
  })

  test('import while git reports a full disk: is retried at each step, then completes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-full-git-'))
    try {
      const program = join(folder, 'git')
      const say = join(folder, 'say')
      // Runs git itself, but fails the chosen step with git's own words while `say` exists
      const script = `#!/bin/sh\ncase "$*" in *" $(cat "${say}.step" 2>/dev/null) "*) test -f "${say}" && cat "${say}" >&2 && exit 128;; esac\nexec git "$@"\n`
      writeFileSync(program, script, { mode: 0o755 })
      await using repositories = folderRepositories(gitReader({ program }))
      await using started = await startImport(repositories)
      let attempt = 0
      for (const step of ['ls-remote', '--depth=1', '--stdin']) {
        for (const words of MACHINE_FULL) {
          writeFileSync(`${say}.step`, step)
          writeFileSync(say, words)
          await assert.rejects(started.run(++attempt), isFull, `${step}: ${words}`)
        }
      }
      rmSync(say)
      await started.run(++attempt)
      await started.assertWhole()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('import with a full workspace disk: is retried, then completes', async (context) => {
    const disk = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'none', disk])
    if (mounted.status !== 0) {
      rmSync(disk, { recursive: true })
      return context.skip('needs the right to mount a small disk')
    }
    try {
      await using repositories = folderRepositories(gitReader({ at: disk }))
      await using started = await startImport(repositories, { paddingBytes: 300_000 })
      const filler = join(disk, 'filler')
      let attempt = 0
      for (const freeBytes of [8, 64, 200].map((kilobytes) => kilobytes * 1024)) {
        const { bavail, bsize } = statfsSync(disk)
        writeFileSync(filler, Buffer.alloc(bavail * bsize - freeBytes))
        await assert.rejects(started.run(++attempt), isFull, `${freeBytes} bytes`)
        rmSync(filler)
      }
      await started.run(++attempt)
      await started.assertWhole()
    } finally {
      spawnSync('umount', [disk])
      rmSync(disk, { recursive: true })
    }
  })
})

/** The messages of git 2.39 on a full disk (csum-file.c, fetch-pack.c, index-pack.c). */
const MACHINE_FULL = [
  'fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack output\n',
  "fatal: sha1 file '/w/objects/pack/tmp_pack_X' write error. Out of diskspace\n",
  "fatal: could not write '/w/objects/pack/pack-1.promisor' promisor file\n",
  'error: file write error: Disk quota exceeded\nfatal: index-pack failed\n',
]

function isFull(error: unknown): boolean {
  return findStorageFault(error) === 'full'
}

/** Requests, but does not begin, an import of many small projects. */
async function startImport(repositories: Repositories, { paddingBytes = 0 } = {}) {
  const repository = bareRepository()
  const app = await startApp('sqlite')
  const { services: own, tests } = app.parts
  const { db } = own
  const integration = { id: randomUUID() }
  const plain = { kind: 'git', name: 'g', base_url: null, settings: '{}', credentials: null }
  await db
    .insertInto('integrations')
    .values({ ...integration, org_id: app.orgId, ...plain, created_at: 1, updated_at: 1 })
    .execute()
  const projects = Array.from({ length: MANIFESTS }, (_, n) => npmProject(`p${n}`, `package-${n}`))
  const padding = { path: 'padding/package.json', content: padded(paddingBytes) }
  repository.commit([...projects.flat(), ...(paddingBytes > 0 ? [padding] : [])])
  const org = { id: app.orgId, name: 'o', slug: 'o', groupId: app.groupId }
  const target = { name: 'team/app', branch: undefined, target: { path: repository.path } }
  const { id } = await db.transaction().execute((tx) =>
    requestImport({ tx, org, actor: systemActor, at: Date.now() }, integration as never, {
      target,
      files: undefined,
      exclusionGlobs: undefined,
    }),
  )
  const services: ImportServices = {
    ...own,
    repositories,
    tester: createProjectTester(own, tests),
    createReader: (orgId, signal) => createTreeReader(tests, orgId, { urgency: 'background', signal }),
  }
  return {
    services,
    run(attempt: number, changed: Partial<ImportServices> = {}) {
      const context = { log: own.log, signal: new AbortController().signal, attempt }
      return runImport({ ...services, ...changed }, id, context)
    },
    async assertWhole() {
      const row = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      assert.deepEqual([row.state, row.message], ['complete', null])
      const manifests = await db.selectFrom('import_manifests').selectAll().where('import_id', '=', id).execute()
      const undone = manifests.filter(({ state }) => state !== 'done')
      assert.deepEqual(
        undone.map(({ path, message }) => `${path} ${message}`),
        [],
      )
      assert.equal(manifests.length, MANIFESTS + (paddingBytes > 0 ? 1 : 0))
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      repository[Symbol.dispose]()
    },
  }
}

/** A manifest that does not compress. */
function padded(bytes: number): string {
  return JSON.stringify({ name: 'padding', version: '1.0.0', description: randomBytes(bytes).toString('base64') })
}
