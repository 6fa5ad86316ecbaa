import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { placeKeyOf } from '#features/issue-index/recording/place-key.ts'
import { systemActor } from '#foundation/access/caller.ts'
import { Problem } from '#foundation/problem.ts'
import { type BareRepository, bareRepository, type CommittedFile } from '#test/repositories/git-repository.ts'
import { useImportRuns } from '#test/repositories/import-runs.ts'
import { npmProject } from '#test/repositories/imports.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { cancelImport } from './cancel-import.ts'
import { finishImport } from './finish-import.ts'
import { type ImportServices, runImport } from './run-import.ts'
import { scheduleImport } from './schedule-import.ts'

onEveryEngine('imports of repositories', (engine) => {
  const runs = useImportRuns(engine)

  test('import: every manifest becomes a project; a broken one fails with a reason', async () => {
    using repository = bareRepository()
    const commit = repository.commit([
      ...npmProject(''),
      ...npmProject('a'),
      { path: 'b/package.json', content: '{"dependencies": ' },
      { path: 'c/vendor/vendor.json', content: JSON.stringify({ rootPath: 'x.example/y', package: [] }) },
      { path: 'tests/package.json', content: '{}' },
      { path: 'README.md', content: 'x' },
    ])
    const id = await runs.request(repository)
    await runs.run(id)
    const rows = await runs.manifestsOf(id)
    assert.deepEqual(
      rows.map((row) => row.split(':')[0]),
      [
        'a/package.json npm done',
        'b/package.json npm failed',
        'c/vendor/vendor.json govendor done',
        'package.json npm done',
      ],
    )
    assert.match(rows[1]!, /b\/package\.json: .+ line 1/)
    const row = await runs.importRow(id)
    assert.deepEqual([row.state, row.revision, row.reference, row.message], ['complete', commit, 'main', null])
    const projects = await runs.projectsOf(repository)
    assert.deepEqual(
      projects.map(({ name, type, target_reference, status }) => [name, type, target_reference, status]),
      [
        ['team/app:a/package.json', 'npm', 'main', 'active'],
        ['team/app:c/vendor/vendor.json', 'govendor', 'main', 'active'],
        ['team/app:package.json', 'npm', 'main', 'active'],
      ],
    )
    assert.equal(projects[0]!.total_dependencies, 1)
  })

  test('repeated import: updates in place; missing manifests deactivate their project, returning ones reactivate it', async () => {
    using repository = bareRepository()
    repository.commit([...npmProject('a'), ...npmProject('b'), ...npmProject('c')])
    await runs.run(await runs.request(repository))
    const first = await runs.projectsOf(repository)
    await runs.db().updateTable('projects').set({ status: 'inactive' }).where('id', '=', first[2]!.id).execute()
    repository.commit([...npmProject('a', 'lodash', '4.17.21'), ...npmProject('c')])
    await runs.run(await runs.request(repository))
    const second = await runs.projectsOf(repository)
    assert.deepEqual(
      second.map(({ id }) => id),
      first.map(({ id }) => id),
    )
    assert.deepEqual(
      second.map(({ status }) => status),
      ['active', 'inactive', 'inactive'],
    )
    repository.commit([...npmProject('a'), ...npmProject('b'), ...npmProject('c')])
    await runs.run(await runs.request(repository))
    assert.deepEqual(
      (await runs.projectsOf(repository)).map(({ status }) => status),
      ['active', 'active', 'inactive'],
      'what people deactivated stays so',
    )
    const history = await runs
      .db()
      .selectFrom('project_tests')
      .select('id')
      .where('project_number', '=', first[0]!.number)
      .execute()
    assert.equal(history.length, 3)
  })

  test('import after a rename: the manifest keeps its project', async () => {
    using repository = bareRepository()
    repository.commit([...npmProject('a'), ...npmProject('b', 'ms', '2.0.0')])
    await runs.run(await runs.request(repository))
    const [a, b] = await runs.projectsOf(repository)
    const files = (folder: string, from: string, ...rest: string[]) =>
      npmProject(from, ...rest).map((file) => ({ ...file, path: String(file.path).replace(from, folder) }))
    repository.commit([...files('x', 'a'), ...files('y', 'b', 'ms', '2.0.0')])
    await runs.run(await runs.request(repository))
    const renamed = await runs.projectsOf(repository)
    assert.deepEqual(
      renamed.map(({ id, target_file, name, status }) => [id, target_file, name, status]),
      [
        [a!.id, 'x/package.json', 'team/app:x/package.json', 'active'],
        [b!.id, 'y/package.json', 'team/app:y/package.json', 'active'],
      ],
    )
  })

  test('import with exclusions: replaces the default ones; excluded projects stay active', async () => {
    using repository = bareRepository()
    repository.commit([...npmProject('a'), ...npmProject('tests')])
    const ids = [
      await runs.request(repository, { exclusions: '' }),
      await runs.request(repository, { exclusions: 'a' }),
    ]
    for (const id of ids) await runs.run(id)
    assert.deepEqual(await Promise.all(ids.map(runs.manifestsOf)), [
      ['a/package.json npm done', 'tests/package.json npm done'],
      ['tests/package.json npm done'],
    ])
    assert.deepEqual(
      (await runs.projectsOf(repository)).map(({ status }) => status),
      ['active', 'active'],
      'what was left out is not gone',
    )
  })

  test('import of another branch: creates separate projects', async () => {
    using repository = bareRepository()
    repository.commit(npmProject('a'))
    repository.commit(npmProject('b'), { branch: 'next' })
    await runs.run(await runs.request(repository))
    await runs.run(await runs.request(repository, { branch: 'next' }))
    assert.deepEqual(
      (await runs.projectsOf(repository)).map(({ target_file, target_reference, status }) => [
        target_file,
        target_reference,
        status,
      ]),
      [
        ['a/package.json', 'main', 'active'],
        ['b/package.json', 'next', 'active'],
      ],
    )
  })

  test('resumed import: stays at its commit although the branch has moved', async () => {
    using repository = bareRepository()
    const first = repository.commit(npmProject('a'))
    const id = await runs.request(repository)
    const stop = new AbortController()
    // Simulates a process that ends right after the listing.
    const stopping = {
      ...runs.services,
      tester: {
        test: () => {
          stop.abort()
          return Promise.reject(new Error('ended'))
        },
      },
    }
    await assert.rejects(runImport(stopping, id, runs.context(stop.signal)))
    assert.deepEqual(await runs.manifestsOf(id), ['a/package.json npm waiting'])
    repository.commit(npmProject('b'))
    await runs.run(id)
    assert.deepEqual(
      [(await runs.importRow(id)).revision, await runs.manifestsOf(id)],
      [first, ['a/package.json npm done']],
    )
  })

  test('two processes on one import: store every result once', async () => {
    using repository = bareRepository()
    repository.commit(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((folder) => npmProject(folder)))
    const id = await runs.request(repository)
    await Promise.all([runImport(runs.services, id, runs.context()), runImport(runs.services, id, runs.context())])
    assert.equal((await runs.importRow(id)).state, 'complete')
    assert.equal((await runs.manifestsOf(id)).filter((row) => row.endsWith(' done')).length, 8)
    const tests = await runs
      .db()
      .selectFrom('project_tests as h')
      .innerJoin('projects as p', 'p.number', 'h.project_number')
      .innerJoin('targets as t', 't.id', 'p.target_id')
      .select('h.id')
      .where('t.source_key', '=', repository.path)
      .execute()
    assert.equal(tests.length, 8)
  })

  test('canceled import: keeps finished manifests and stops; an ended import cannot be canceled', async () => {
    using repository = bareRepository()
    repository.commit(Array.from({ length: 30 }, (_, n) => npmProject(`p${n}`)).flat())
    const id = await runs.request(repository)
    const countDone = async () => (await runs.manifestsOf(id)).filter((row) => row.endsWith(' done')).length
    let tested = 0
    let before = 0
    const slow = {
      ...runs.services,
      tester: {
        async test(...args: Parameters<typeof runs.services.tester.test>) {
          if (++tested === 10) {
            await runs
              .db()
              .transaction()
              .execute((tx) => cancelImport({ tx, actor: systemActor, at: Date.now() }, id))
            before = await countDone()
          }
          return runs.services.tester.test(...args)
        },
      },
    }
    await runImport(slow, id, runs.context())
    const done = await countDone()
    // Six tests run at once; their results may have been about to be stored.
    assert.ok(done > 0 && done <= before + 5 && done < 30, `${done}, ${before} of them before`)
    assert.equal((await runs.projectsOf(repository)).length, done)
    assert.equal((await runs.importRow(id)).state, 'aborted')
    await assert.rejects(
      runs
        .db()
        .transaction()
        .execute(async (tx) => {
          await tx.updateTable('imports').set({ state: 'complete' }).where('id', '=', id).execute()
          await cancelImport({ tx, actor: systemActor, at: 1 }, id)
        }),
      /already ended/,
    )
  })

  test('import that keeps failing or takes too long: given up with a message', async () => {
    using repository = bareRepository()
    repository.commit(npmProject('a'))
    const broken = { ...runs.services, tester: { test: () => Promise.reject(new Error('a fault of ours')) } }
    const fault = await runs.request(repository)
    await runImport(broken, fault, runs.context())
    assert.deepEqual(await runs.manifestsOf(fault), [
      'a/package.json npm failed: The test failed because of a server error. Ask the operator to check the log',
    ])
    const never = {
      ...runs.services,
      repositories: { ...runs.repositories, open: () => Promise.reject(new Error('no disk')) },
    }
    const importId = await runs.request(repository)
    for (const attempt of [1, 6])
      await assert.rejects(runImport(never, importId, runs.context(undefined, attempt)), /no disk/)
    await runImport(never, importId, runs.context(undefined, 7))
    assert.deepEqual(
      [(await runs.importRow(importId)).state, (await runs.importRow(importId)).message],
      ['failed', 'The import failed because of a server error. Ask the operator to check the log'],
    )
    const dying = await runs.request(repository)
    await runImport(never, dying, runs.context(undefined, 101))
    assert.match((await runs.importRow(dying)).message!, /stopped repeatedly/)
    const late = await runs.request(repository)
    await runs.db().updateTable('imports').set({ started_at: 1 }).where('id', '=', late).execute()
    await runImport(runs.services, late, runs.context())
    assert.match((await runs.importRow(late)).message!, /longer than 60 minutes/)
    await runs.db().deleteFrom('jobs').where('kind', '=', 'import').execute()
  })

  describe('scheduled imports', () => {
    test('scheduled import: a workspace member that was imported alone stays a project until its workspace is one', async () => {
      using repository = bareRepository()
      const [manifest, lock] = npmProject('packages/a')
      repository.commit([
        { path: 'package.json', content: '{"workspaces":["packages/*"]}' },
        { path: 'package-lock.json', content: lock!.content },
        manifest!,
      ])
      await runs.run(await runs.request(repository, { files: ['packages/a/package.json'] }))
      const projects = async () =>
        (await runs.projectsOf(repository)).map(({ target_file, status }) => `${target_file} ${status}`)
      assert.deepEqual(await projects(), ['packages/a/package.json active'])
      const targetId = (await runs.projectsOf(repository))[0]!.target_id
      const due = { orgId: runs.app.orgId, targetId, reference: 'main' }
      await runs
        .db()
        .transaction()
        .execute((tx) => scheduleImport(tx, due, Date.now()))
      const { id } = await runs
        .db()
        .selectFrom('imports')
        .select('id')
        .where('state', '=', 'pending')
        .where('target_id', '=', targetId)
        .executeTakeFirstOrThrow()
      await runs.run(id)
      assert.deepEqual(await runs.manifestsOf(id), ['packages/a/package.json npm done'])
      assert.deepEqual(await projects(), ['packages/a/package.json active'])
      await runs.run(await runs.request(repository))
      assert.deepEqual(await projects(), ['package.json active'])
    })

    test('scheduled import: one per target and branch, for its active projects and new manifests only', async () => {
      using repository = bareRepository()
      repository.commit([...npmProject('a'), ...npmProject('b'), ...npmProject('c')])
      await runs.run(await runs.request(repository))
      const [a, b] = await runs.projectsOf(repository)
      await runs.db().updateTable('projects').set({ status: 'inactive' }).where('id', '=', b!.id).execute()
      repository.commit([...npmProject('a'), ...npmProject('b'), ...npmProject('new')])
      const due = { orgId: runs.app.orgId, targetId: a!.target_id, reference: 'main' }
      const schedule = () =>
        runs
          .db()
          .transaction()
          .execute((tx) => scheduleImport(tx, due, Date.now()))
      assert.deepEqual([await schedule(), await schedule()], ['asked', 'asked'])
      const pending = await runs
        .db()
        .selectFrom('imports')
        .selectAll()
        .where('state', '=', 'pending')
        .where('target_id', '=', a!.target_id)
        .execute()
      assert.equal(pending.length, 1)
      await runs.run(pending[0]!.id)
      assert.deepEqual(await runs.manifestsOf(pending[0]!.id), ['a/package.json npm done', 'new/package.json npm done'])
      const now = await runs.projectsOf(repository)
      assert.deepEqual(
        now.map(({ target_file, status }) => `${target_file} ${status}`),
        ['a/package.json active', 'b/package.json inactive', 'new/package.json active'],
        'c is the only one that is gone and new the only one that came',
      )
      const causes = await runs
        .db()
        .selectFrom('project_tests')
        .select('cause')
        .where('project_number', '=', a!.number)
        .orderBy('tested_at')
        .execute()
      assert.deepEqual(
        causes.map(({ cause }) => cause),
        ['import', 'retest'],
      )
    })

    test('scheduled import: reads the branch that users set on the project, though it was never imported', async () => {
      using repository = bareRepository()
      repository.commit(npmProject('a'))
      repository.commit(npmProject('a', 'ms', '2.0.0'), { branch: 'next' })
      await runs.run(await runs.request(repository))
      const [a] = await runs.projectsOf(repository)
      const next = {
        target_reference: 'next',
        place_key: placeKeyOf({ type: 'npm', targetFile: 'a/package.json', targetReference: 'next' }),
      }
      await runs.db().updateTable('projects').set(next).where('id', '=', a!.id).execute()
      const due = { orgId: runs.app.orgId, targetId: a!.target_id, reference: 'next' }
      const schedule = runs.db().transaction()
      assert.equal(await schedule.execute((tx) => scheduleImport(tx, due, Date.now())), 'asked')
      const pending = runs.db().selectFrom('imports').select('id').where('state', '=', 'pending')
      const { id } = await pending.where('target_id', '=', a!.target_id).executeTakeFirstOrThrow()
      await runs.run(id)
      const now = await runs.projectsOf(repository)
      assert.deepEqual(
        now.map((project) => [project.id, project.target_reference]),
        [[a!.id, 'next']],
      )
      assert.notEqual(now[0]!.content_digest, a!.content_digest)
    })

    test('scheduled import with a detached HEAD: follows HEAD wherever it moves', async () => {
      using repository = bareRepository()
      const detach = (commit: string) => repository.git(['update-ref', '--no-deref', 'HEAD', commit])
      detach(repository.commit(npmProject('a'), { branch: 'work' }))
      await runs.run(await runs.request(repository))
      const [first] = await runs.projectsOf(repository)
      assert.equal(first!.target_reference, 'HEAD')
      const due = { orgId: runs.app.orgId, targetId: first!.target_id, reference: 'HEAD' }
      const readAgain = async () => {
        await runs
          .db()
          .transaction()
          .execute((tx) => scheduleImport(tx, due, Date.now()))
        const pending = runs.db().selectFrom('imports').select('id').where('state', '=', 'pending')
        const { id } = await pending.where('target_id', '=', due.targetId).executeTakeFirstOrThrow()
        await runs.run(id)
        const { state, reference, revision, message } = await runs.importRow(id)
        return { state, reference, revision, message, manifests: await runs.manifestsOf(id) }
      }
      const second = repository.commit(npmProject('a', 'ms', '2.0.0'), { branch: 'work' })
      detach(second)
      const whole = { state: 'complete', reference: 'HEAD', message: null, manifests: ['a/package.json npm done'] }
      assert.deepEqual(await readAgain(), { ...whole, revision: second })
      const third = repository.commit(npmProject('a', 'ms', '2.1.0'), { branch: 'work' })
      repository.git(['symbolic-ref', 'HEAD', 'refs/heads/work'])
      assert.deepEqual(await readAgain(), { ...whole, revision: third })
      const projects = await runs.projectsOf(repository)
      assert.deepEqual(
        projects.map(({ id, target_reference, status }) => [id, target_reference, status]),
        [[first!.id, 'HEAD', 'active']],
      )
      assert.notEqual(projects[0]!.content_digest, first!.content_digest)
    })

    test('scheduled import: retests explicitly named files and follows a change of package manager', async () => {
      using repository = bareRepository()
      const files = [{ path: 'odd/prod-packages.txt', content: './wheel.whl\n' }, ...npmProject('tests')]
      const [own, ownLock] = npmProject('a', 'ms', '2.0.0') as [CommittedFile, CommittedFile]
      repository.commit([...files, own, ownLock])
      const paths = ['odd/prod-packages.txt', 'tests/package.json', 'a/package.json']
      await runs.run(await runs.request(repository, { files: paths }))
      const before = await runs.projectsOf(repository)
      const yarnLock = '# yarn lockfile v1\n\nms@^2.0.0:\n  version "2.0.0"\n'
      repository.commit([...files, own, { path: 'a/yarn.lock', content: yarnLock }])
      const due = { orgId: runs.app.orgId, targetId: before[0]!.target_id, reference: 'main' }
      await runs
        .db()
        .transaction()
        .execute((tx) => scheduleImport(tx, due, Date.now()))
      const { id } = await runs
        .db()
        .selectFrom('imports')
        .select('id')
        .where('state', '=', 'pending')
        .where('target_id', '=', due.targetId)
        .executeTakeFirstOrThrow()
      await runs.run(id)
      assert.deepEqual(await runs.manifestsOf(id), [
        'a/package.json yarn done',
        'odd/prod-packages.txt pip done',
        'tests/package.json npm done',
      ])
      assert.deepEqual(
        (await runs.projectsOf(repository)).map((project) => [project.id, project.type]),
        [
          [before[0]!.id, 'yarn'],
          [before[1]!.id, 'pip'],
          [before[2]!.id, 'npm'],
        ],
      )
    })

    describe('scheduled imports of an unreadable source', () => {
      const HOUR = 3_600_000
      /** Imports one project; returns functions that schedule and end its next imports. */
      async function importOne(repository: BareRepository) {
        repository.commit(npmProject('a'))
        await runs.run(await runs.request(repository))
        const [project] = await runs.projectsOf(repository)
        const due = { orgId: runs.app.orgId, targetId: project!.target_id, reference: 'main' }
        const schedule = (at: number) =>
          runs
            .db()
            .transaction()
            .execute((tx) => scheduleImport(tx, due, at))
        const end = async (state: 'failed' | 'complete', at: number) => {
          const pending = runs.db().selectFrom('imports').select('id').where('state', '=', 'pending')
          const { id } = await pending.where('target_id', '=', due.targetId).executeTakeFirstOrThrow()
          const ending = { state, message: state === 'failed' ? 'It is gone' : null, at }
          await runs
            .db()
            .transaction()
            .execute((tx) => finishImport(tx, id, ending))
        }
        return { due, schedule, end }
      }

      test('scheduled import of an unreadable source: backs off from 20 to 144 hours', async () => {
        using repository = bareRepository()
        const { schedule, end } = await importOne(repository)
        const start = Date.now()
        assert.equal(await schedule(start), 'asked')
        await end('failed', start)
        const waits: number[] = []
        for (let last = 0, at = 1; at < 24 * 40; at++) {
          const answer = await schedule(start + at * HOUR)
          if (answer !== 'asked') {
            assert.deepEqual(answer, { message: 'It is gone', since: start + last * HOUR })
            continue
          }
          await end('failed', start + at * HOUR)
          waits.push(at - last)
          last = at
        }
        assert.deepEqual(waits, [20, 20, 40, 80, 144, 144, 144, 144, 144])
        await runs.db().deleteFrom('jobs').where('kind', '=', 'import').execute()
      })

      test('scheduled import of an unreadable source: retried at once after a success or a changed integration', async () => {
        using repository = bareRepository()
        const { due, schedule, end } = await importOne(repository)
        const start = Date.now()
        await schedule(start)
        await end('failed', start)
        assert.notEqual(await schedule(start + HOUR), 'asked')
        await runs.run(await runs.request(repository))
        await runs
          .db()
          .updateTable('imports')
          .set({ created_at: start + HOUR })
          .where('target_id', '=', due.targetId)
          .where('cause', '=', 'request')
          .execute()
        assert.equal(await schedule(start + 2 * HOUR), 'asked')
        await end('failed', start + 2 * HOUR)
        assert.notEqual(await schedule(start + 3 * HOUR), 'asked')
        const touch = (at: number) =>
          runs.db().updateTable('integrations').set({ updated_at: at }).where('id', '=', runs.integrationId).execute()
        await touch(start + 4 * HOUR)
        assert.equal(await schedule(start + 5 * HOUR), 'asked')
        await end('complete', start + 5 * HOUR)
        assert.equal(await schedule(start + 6 * HOUR), 'asked')
        await end('complete', start + 6 * HOUR)
        await touch(1)
        await runs.db().deleteFrom('jobs').where('kind', '=', 'import').execute()
      })

      test('projects missed by a failed import: keep the reason and are tested soon from stored data', async () => {
        using repository = bareRepository()
        repository.commit([...npmProject('a'), ...npmProject('b')])
        await runs.run(await runs.request(repository))
        const unread = async () =>
          (await runs.projectsOf(repository)).map(({ target_file, source_failure }) => [target_file, source_failure])
        const [a] = await runs.projectsOf(repository)
        const due = { orgId: runs.app.orgId, targetId: a!.target_id, reference: 'main' }
        async function again(changed: Partial<ImportServices>, attempt = 1) {
          await runs
            .db()
            .transaction()
            .execute((tx) => scheduleImport(tx, due, Date.now()))
          const pending = runs.db().selectFrom('imports').select('id').where('state', '=', 'pending')
          const { id } = await pending.where('target_id', '=', due.targetId).executeTakeFirstOrThrow()
          await runImport({ ...runs.services, ...changed }, id, runs.context(undefined, attempt))
          await runs.db().deleteFrom('jobs').where('kind', '=', 'import').execute()
        }
        const problem = new Problem('unavailable', 'There are no advisories')
        await again({ tester: { test: () => Promise.reject(problem) } }, 7)
        assert.deepEqual(await unread(), [
          ['a/package.json', 'There are no advisories'],
          ['b/package.json', 'There are no advisories'],
        ])
        for (const { next_test_at } of await runs.projectsOf(repository)) assert.ok(next_test_at! <= Date.now())
        const few = { config: { ...runs.services.config, importManifests: 1 } }
        await again(few)
        const [, left] = await unread()
        assert.match(String(left![1]), /^Only the first 1 of 2 manifests were imported/)
        assert.deepEqual((await unread())[0], ['a/package.json', null])
        await again({})
        assert.deepEqual(await unread(), [
          ['a/package.json', null],
          ['b/package.json', null],
        ])
      })
    })

    test('scheduled import of an unknown target: returns why it cannot be imported', async () => {
      const due = { orgId: runs.app.orgId, targetId: randomUUID(), reference: null }
      const at = Date.now()
      assert.deepEqual(await scheduleImport(runs.db(), due, at), {
        message: 'The request of the first import is unknown. Import the target again.',
        since: at,
      })
    })
  })
})
