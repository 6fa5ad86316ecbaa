import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { placeKeyOf } from '#features/projects/place-key.ts'
import { createProjectTester } from '#features/projects/recording/run-project-test.ts'
import { systemActor } from '#foundation/access/caller.ts'
import { Problem } from '#foundation/problem.ts'
import { type BareRepository, bareRepository, type CommittedFile } from '#test/repositories/git-repository.ts'
import { folderRepositories } from '#test/repositories/import-repositories.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { cancelImport } from './cancel-import.ts'
import { finishImport } from './finish-import.ts'
import { requestImport } from './request-import.ts'
import { toResource, toWholeResource } from './resource.ts'
import { type ImportServices, runImport } from './run-import.ts'
import { scheduleImport } from './schedule-import.ts'
import type { ImportRow } from './store.ts'

const lock = (name: string, dependency = 'lodash', version = '4.17.20') =>
  JSON.stringify({
    name,
    version: '1.0.0',
    lockfileVersion: 3,
    packages: {
      '': { name, version: '1.0.0', dependencies: { [dependency]: `^${version}` } },
      [`node_modules/${dependency}`]: { version },
    },
  })
const manifest = (name: string, dependency = 'lodash', version = '4.17.20') =>
  JSON.stringify({ name, version: '1.0.0', dependencies: { [dependency]: `^${version}` } })
const npmFiles = (folder: string, ...rest: string[]): CommittedFile[] => [
  { path: `${folder}package.json`, content: manifest(`p-${folder.replace('/', '')}`, ...rest) },
  { path: `${folder}package-lock.json`, content: lock(`p-${folder.replace('/', '')}`, ...rest) },
]

onEveryEngine('imports of repositories', (engine) => {
  let app: TestApp
  let services: ImportServices
  let repositories: ReturnType<typeof folderRepositories>
  let integrationId: string
  before(async () => {
    app = await startApp(engine)
    repositories = folderRepositories()
    const own = app.parts.services
    services = { ...own, repositories, tester: createProjectTester(own, app.parts.tests) }
    integrationId = await addIntegration(app.orgId)
  })
  after(async () => {
    await repositories[Symbol.asyncDispose]()
    await app.close()
  })

  const db = () => app.parts.services.db
  async function addIntegration(orgId: string): Promise<string> {
    const id = randomUUID()
    const plain = { base_url: null, settings: '{}', credentials: null, created_at: 1, updated_at: 1 }
    await db()
      .insertInto('integrations')
      .values({ id, org_id: orgId, kind: 'git', name: id, ...plain })
      .execute()
    return id
  }
  const org = () => ({ id: app.orgId, name: 'o', slug: 'o', groupId: app.groupId })

  async function request(
    repository: BareRepository,
    wanted: { files?: string[]; branch?: string; exclusions?: string } = {},
  ) {
    const { files, branch, exclusions: exclusionGlobs } = wanted
    const integration = await db()
      .selectFrom('integrations')
      .selectAll()
      .where('id', '=', integrationId)
      .executeTakeFirstOrThrow()
    const target = { path: repository.path, ...(branch && { branch }) }
    const row = await db()
      .transaction()
      .execute((tx) =>
        requestImport({ tx, org: org(), actor: systemActor, at: Date.now() }, { id: integration.id } as never, {
          target: { name: 'team/app', branch, target },
          files,
          exclusionGlobs,
        }),
      )
    return row.id
  }
  const context = (signal = new AbortController().signal, attempt = 1) => ({ log: services.log, signal, attempt })
  const manifestsOf = async (id: string) => {
    const rows = await db()
      .selectFrom('import_manifests')
      .selectAll()
      .where('import_id', '=', id)
      .orderBy('path')
      .execute()
    return rows.map(
      ({ path, type, state, message }) => `${path} ${type} ${state}${message === null ? '' : `: ${message}`}`,
    )
  }
  const importRow = (id: string) =>
    db().selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  async function run(id: string, changed: Partial<ImportServices> = {}): Promise<void> {
    await runImport({ ...services, ...changed }, id, context())
    // No worker runs this job here.
    await db().deleteFrom('jobs').where('kind', '=', 'import').execute()
  }
  const projectsOf = async (repository: BareRepository) => {
    const rows = await db()
      .selectFrom('projects as p')
      .innerJoin('targets as t', 't.id', 'p.target_id')
      .selectAll('p')
      .where('t.source_key', '=', repository.path)
      .orderBy('p.target_file')
      .execute()
    return rows
  }

  test('import: every manifest becomes a project; a broken one fails with a reason', async () => {
    using repository = bareRepository()
    const commit = repository.commit([
      ...npmFiles(''),
      ...npmFiles('a/'),
      { path: 'b/package.json', content: '{"dependencies": ' },
      { path: 'c/vendor/vendor.json', content: JSON.stringify({ rootPath: 'x.example/y', package: [] }) },
      { path: 'tests/package.json', content: '{}' },
      { path: 'README.md', content: 'x' },
    ])
    const id = await request(repository)
    await run(id)
    const rows = await manifestsOf(id)
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
    const row = await importRow(id)
    assert.deepEqual([row.state, row.revision, row.reference, row.message], ['complete', commit, 'main', null])
    const projects = await projectsOf(repository)
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

  test('import of requirements: uses the Python version of a file beside or above them, else of their markers', async () => {
    using repository = bareRepository()
    const pins = (marker: string) =>
      `a==1 ; ${marker}\n    # via -r x.in\nb==1 ; ${marker}\n    # via a\nc==1\n    # via a\n`
    repository.commit([
      { path: '.python-version', content: '3.8\n' },
      { path: 'app/requirements/base.txt', content: pins('python_version < "3.9"') },
      { path: 'new/runtime.txt', content: 'python-3.12.1\n' },
      { path: 'new/requirements.txt', content: pins('python_full_version == "3.12.1"') },
    ])
    await run(await request(repository))
    const dependenciesOf = async () => (await projectsOf(repository)).map((project) => project.total_dependencies)
    assert.deepEqual(await dependenciesOf(), [3, 3])
    using unnamed = bareRepository()
    unnamed.commit([{ path: 'requirements.txt', content: pins('python_version < "3.9"') }])
    await run(await request(unnamed))
    const [project] = await projectsOf(unnamed)
    assert.equal(project?.total_dependencies, 3)
  })

  test('repeated import: updates in place; missing manifests deactivate their project, returning ones reactivate it', async () => {
    using repository = bareRepository()
    repository.commit([...npmFiles('a/'), ...npmFiles('b/'), ...npmFiles('c/')])
    await run(await request(repository))
    const first = await projectsOf(repository)
    await db().updateTable('projects').set({ status: 'inactive' }).where('id', '=', first[2]!.id).execute()
    repository.commit([...npmFiles('a/', 'lodash', '4.17.21'), ...npmFiles('c/')])
    await run(await request(repository))
    const second = await projectsOf(repository)
    assert.deepEqual(
      second.map(({ id }) => id),
      first.map(({ id }) => id),
    )
    assert.deepEqual(
      second.map(({ status }) => status),
      ['active', 'inactive', 'inactive'],
    )
    repository.commit([...npmFiles('a/'), ...npmFiles('b/'), ...npmFiles('c/')])
    await run(await request(repository))
    assert.deepEqual(
      (await projectsOf(repository)).map(({ status }) => status),
      ['active', 'active', 'inactive'],
      'what people deactivated stays so',
    )
    const history = await db()
      .selectFrom('project_tests')
      .select('id')
      .where('project_number', '=', first[0]!.number)
      .execute()
    assert.equal(history.length, 3)
  })

  test('import after a rename: the manifest keeps its project', async () => {
    using repository = bareRepository()
    repository.commit([...npmFiles('a/'), ...npmFiles('b/', 'ms', '2.0.0')])
    await run(await request(repository))
    const [a, b] = await projectsOf(repository)
    const files = (folder: string, from: string, ...rest: string[]) =>
      npmFiles(from, ...rest).map((file) => ({ ...file, path: String(file.path).replace(from, folder) }))
    repository.commit([...files('x/', 'a/'), ...files('y/', 'b/', 'ms', '2.0.0')])
    await run(await request(repository))
    const renamed = await projectsOf(repository)
    assert.deepEqual(
      renamed.map(({ id, target_file, name, status }) => [id, target_file, name, status]),
      [
        [a!.id, 'x/package.json', 'team/app:x/package.json', 'active'],
        [b!.id, 'y/package.json', 'team/app:y/package.json', 'active'],
      ],
    )
  })

  test('import of named files: tests only those; a file that is no manifest fails with a reason', async () => {
    using repository = bareRepository()
    repository.commit([
      ...npmFiles('a/'),
      ...npmFiles('tests/'),
      { path: 'link/package.json', content: '../a/package.json', mode: '120000' },
      { path: 'README.md', content: 'x' },
    ])
    const files = ['tests/package.json', 'lost/pom.xml', 'README.md', 'link/package.json']
    const id = await request(repository, { files })
    await run(id)
    assert.deepEqual(await manifestsOf(id), [
      'README.md  failed: Files of this name are not manifests that are read here',
      'link/package.json npm failed: It is a link, and links are not followed',
      'lost/pom.xml  failed: The commit has no such file',
      'tests/package.json npm done',
    ])
  })

  test('import: links, LFS pointers and odd names fail with a reason; submodules are named', async () => {
    using repository = bareRepository()
    const pointer =
      'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22e\nsize 12345\n'
    repository.commit([
      ...npmFiles('a/'),
      { path: 'b/package.json', content: '../a/package.json', mode: '120000' },
      { path: 'c/package.json', content: manifest('c') },
      { path: 'c/package-lock.json', content: '../a/package-lock.json', mode: '120000' },
      { path: 'd/requirements.txt', content: pointer },
      { path: 'e/package.json', content: manifest('e') },
      { path: 'e/package-lock.json', content: pointer },
      { path: Buffer.from('f\xff/pom.xml', 'latin1'), content: '<project/>' },
      { path: Buffer.from('tests/\xff/pom.xml', 'latin1'), content: '<project/>' },
      { path: 'vendor/other', content: repository.commit([{ path: 'x', content: 'x' }]), mode: '160000' },
    ])
    const id = await request(repository)
    await run(id)
    assert.deepEqual(await manifestsOf(id), [
      'a/package.json npm done',
      'b/package.json npm failed: It is a link, and links are not followed',
      'c/package.json npm failed: c/package-lock.json: It is a link, and links are not followed',
      'd/requirements.txt pip failed: It is kept by Git LFS, whose files are not fetched',
      'e/package.json npm failed: e/package-lock.json: It is kept by Git LFS, whose files are not fetched',
      'f\\xff/pom.xml  failed: Its name is not a plain path',
    ])
    const { state, message } = await importRow(id)
    assert.deepEqual(
      [state, message],
      ['complete', 'Submodules are not read; import their repositories instead: vendor/other.'],
    )
    assert.deepEqual(
      (await projectsOf(repository)).map(({ target_file }) => target_file),
      ['a/package.json'],
    )
  })

  test('import with exclusions: replaces the default ones; excluded projects stay active', async () => {
    using repository = bareRepository()
    repository.commit([...npmFiles('a/'), ...npmFiles('tests/')])
    const ids = [await request(repository, { exclusions: '' }), await request(repository, { exclusions: 'a' })]
    for (const id of ids) await run(id)
    assert.deepEqual(await Promise.all(ids.map(manifestsOf)), [
      ['a/package.json npm done', 'tests/package.json npm done'],
      ['tests/package.json npm done'],
    ])
    assert.deepEqual(
      (await projectsOf(repository)).map(({ status }) => status),
      ['active', 'active'],
      'what was left out is not gone',
    )
  })

  test('import of another branch: creates separate projects', async () => {
    using repository = bareRepository()
    repository.commit(npmFiles('a/'))
    repository.commit(npmFiles('b/'), { branch: 'next' })
    await run(await request(repository))
    await run(await request(repository, { branch: 'next' }))
    assert.deepEqual(
      (await projectsOf(repository)).map(({ target_file, target_reference, status }) => [
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

  test('import of a repository without manifests: completes with no projects', async () => {
    using repository = bareRepository()
    repository.commit([{ path: 'README.md', content: '' }])
    const id = await request(repository)
    await run(id)
    assert.deepEqual([(await importRow(id)).state, await manifestsOf(id)], ['complete', []])
  })

  test('import of a missing branch: fails with a message', async () => {
    using repository = bareRepository()
    const id = await request(repository, { branch: 'lost' })
    await run(id)
    const { state, message } = await importRow(id)
    assert.equal(state, 'failed')
    assert.ok(message && message.length > 10, String(message))
  })

  test('resumed import: stays at its commit although the branch has moved', async () => {
    using repository = bareRepository()
    const first = repository.commit(npmFiles('a/'))
    const id = await request(repository)
    const stop = new AbortController()
    // Simulates a process that ends right after the listing.
    const stopping = {
      ...services,
      tester: {
        test: () => {
          stop.abort()
          return Promise.reject(new Error('ended'))
        },
      },
    }
    await assert.rejects(runImport(stopping, id, context(stop.signal)))
    assert.deepEqual(await manifestsOf(id), ['a/package.json npm waiting'])
    repository.commit(npmFiles('b/'))
    await run(id)
    assert.deepEqual([(await importRow(id)).revision, await manifestsOf(id)], [first, ['a/package.json npm done']])
  })

  test('two processes on one import: store every result once', async () => {
    using repository = bareRepository()
    repository.commit(['a/', 'b/', 'c/', 'd/', 'e/', 'f/', 'g/', 'h/'].flatMap((folder) => npmFiles(folder)))
    const id = await request(repository)
    await Promise.all([runImport(services, id, context()), runImport(services, id, context())])
    assert.equal((await importRow(id)).state, 'complete')
    assert.equal((await manifestsOf(id)).filter((row) => row.endsWith(' done')).length, 8)
    const tests = await db()
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
    repository.commit(Array.from({ length: 30 }, (_, n) => npmFiles(`p${n}/`)).flat())
    const id = await request(repository)
    const countDone = async () => (await manifestsOf(id)).filter((row) => row.endsWith(' done')).length
    let tested = 0
    let before = 0
    const slow = {
      ...services,
      tester: {
        async test(...args: Parameters<typeof services.tester.test>) {
          if (++tested === 10) {
            await db()
              .transaction()
              .execute((tx) => cancelImport(tx, id, { actor: systemActor, at: Date.now() }))
            before = await countDone()
          }
          return services.tester.test(...args)
        },
      },
    }
    await runImport(slow, id, context())
    const done = await countDone()
    // Six tests run at once; their results may have been about to be stored.
    assert.ok(done > 0 && done <= before + 5 && done < 30, `${done}, ${before} of them before`)
    assert.equal((await projectsOf(repository)).length, done)
    assert.equal((await importRow(id)).state, 'aborted')
    await assert.rejects(
      db()
        .transaction()
        .execute(async (tx) => {
          await tx.updateTable('imports').set({ state: 'complete' }).where('id', '=', id).execute()
          await cancelImport(tx, id, { actor: systemActor, at: 1 })
        }),
      /already ended/,
    )
  })

  test('import: lists everything that is not tested, while its message names five', async () => {
    using repository = bareRepository()
    const unsupported = Array.from({ length: 11 }, (_, n) => `crate-${String(n).padStart(2, '0')}/Cargo.toml`)
    repository.commit([
      ...npmFiles('whole/'),
      ...unsupported.map((path) => ({ path, content: `[package]\n# ${path}` })),
    ])
    const id = await request(repository)
    await run(id)
    const row = (await importRow(id)) as ImportRow
    assert.match(row.message!, /crate-04\/Cargo\.toml \([^)]+\) and 6 more, listed with the import\.$/)
    const { left_out } = toWholeResource(row, { waiting: 0, done: 1, failed: 0 }).attributes
    assert.deepEqual(
      left_out?.map(({ path, reason }) => `${path} ${reason}`),
      unsupported.map((path) => `${path} package_manager`),
    )
    assert.equal(toResource(row, { waiting: 0, done: 1, failed: 0 }).attributes.left_out, undefined, 'not in lists')
  })

  test('import: lists manifests beyond the limit and submodules, with reasons', async () => {
    using repository = bareRepository()
    const module = '1'.repeat(40)
    const modules = ['deps/one', 'deps/two', 'three', 'four', 'five', 'six'].toSorted()
    repository.commit([
      ...['a/', 'b/', 'c/'].flatMap((folder) => npmFiles(folder)),
      ...modules.map((path) => ({ path, content: module, mode: '160000' as const })),
      { path: 'server/Cargo.toml', content: '[package]' },
    ])
    const id = await request(repository)
    await run(id, { config: { ...services.config, importManifests: 1 } })
    const row = (await importRow(id)) as ImportRow
    const { left_out, message } = toWholeResource(row, { waiting: 0, done: 1, failed: 0 }).attributes
    assert.deepEqual(left_out, [
      { path: 'b/package.json', package_manager: 'npm', reason: 'limit' },
      { path: 'c/package.json', package_manager: 'npm', reason: 'limit' },
      ...modules.map((path) => ({ path, package_manager: null, reason: 'submodule' })),
      { path: 'server/Cargo.toml', package_manager: 'Cargo', reason: 'package_manager' },
    ])
    assert.match(message!, /Of 3 manifests the first 1 were imported \(GATEHOUSE_IMPORT_MANIFESTS\)/)
    assert.match(message!, /Submodules are not read[^.]*: deps\/one, [^.]* and 1 more/)
    const answer = await app.call('GET', `/rest/orgs/${app.orgId}/imports/${id}`)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(answer.json().data.attributes.left_out, left_out)
  })

  test('import of a pnpm workspace: creates one project with the versions of its lockfile', async () => {
    using repository = bareRepository()
    const member = (range: string) => JSON.stringify({ name: 'web', version: '1.0.0', dependencies: { lodash: range } })
    const pnpmLock = `lockfileVersion: '9.0'

importers:

  .: {}

  apps/web:
    dependencies:
      lodash:
        specifier: ^4.17.0
        version: 4.17.4

packages:

  lodash@4.17.4:
    resolution: {integrity: sha512-x==}

snapshots:

  lodash@4.17.4: {}
`
    const files = [
      { path: 'package.json', content: JSON.stringify({ name: 'root', version: '1.0.0' }) },
      { path: 'pnpm-workspace.yaml', content: 'packages: [apps/*]' },
      { path: 'pnpm-lock.yaml', content: pnpmLock },
    ]
    repository.commit([...files, { path: 'apps/web/package.json', content: member('^4.17.0') }])
    const id = await request(repository)
    await run(id)
    assert.deepEqual(await manifestsOf(id), ['package.json pnpm done'])
    const [project] = await projectsOf(repository)
    assert.deepEqual([project!.type, project!.is_complete], ['pnpm', 1])
    const packages = await db()
      .selectFrom('project_packages')
      .selectAll()
      .where('project_number', '=', project!.number)
      .execute()
    assert.equal(packages.length, 1)
    repository.commit([...files, { path: 'apps/web/package.json', content: member('^3.0.0') }])
    await run(await request(repository))
    assert.deepEqual(
      (await projectsOf(repository)).map((each) => [each.id, each.is_complete]),
      [[project!.id, 0]],
    )
  })

  test('import of bills of materials: creates a project each; other files of that name are skipped', async () => {
    using repository = bareRepository()
    const component = (purl: string) => ({ type: 'library', name: purl, purl })
    const components = ['pkg:npm/lodash@4.17.4', 'pkg:pypi/django@2.0'].map(component)
    repository.commit([
      { path: 'shop/bom.json', content: JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components }) },
      { path: 'other/bom.json', content: '{"parts":["screw"]}' },
      { path: 'tags.spdx', content: 'SPDXVersion: SPDX-2.3\nPackageName: a\nSPDXID: SPDXRef-a\n' },
    ])
    const id = await request(repository)
    await run(id)
    assert.deepEqual(await manifestsOf(id), ['shop/bom.json sbom done', 'tags.spdx sbom done'])
    const projects = await projectsOf(repository)
    assert.deepEqual(projects.map(({ type, is_complete }) => [type, is_complete]).sort(), [
      ['sbom', 0],
      ['sbom', 1],
    ])
  })

  test('import with unreadable lockfiles: reports them and marks affected results as incomplete', async () => {
    using repository = bareRepository()
    repository.commit([
      { path: 'package.json', content: JSON.stringify({ name: 'root', version: '1.0.0' }) },
      { path: 'deno.lock', content: '{"version":"4"}' },
      ...npmFiles('own/'),
      { path: 'own/bun.lockb', content: 'x' },
      ...npmFiles('whole/'),
      { path: 'server/Cargo.toml', content: '[package]' },
      { path: 'tests/Cargo.toml', content: '' },
      { path: 'jars/build.sbt', content: 'name := "jars"\nautoScalaLibrary := false\n' },
      { path: 'jars/lib/a.jar', content: 'PK' },
    ])
    const id = await request(repository)
    await run(id)
    const because = 'these versions are what package.json allows today, not those that it locks'
    const other = 'should its tool install this, other versions are in use than the lock that was read says'
    assert.deepEqual(await manifestsOf(id), [
      'jars/build.sbt sbt done',
      `own/package.json npm done: bun.lockb is not read here: ${other}. Write bun.lock with "bun install --save-text-lockfile".`,
      `package.json npm done: deno.lock is not read here: ${because}.`,
      'whole/package.json npm done',
    ])
    assert.equal(
      (await importRow(id)).message,
      'What is for other package managers is not tested here: server/Cargo.toml (Cargo).',
    )
    assert.deepEqual(JSON.parse((await importRow(id)).left_out!), [
      { path: 'server/Cargo.toml', package_manager: 'Cargo', reason: 'package_manager' },
    ])
    const projects = await projectsOf(repository)
    assert.deepEqual(
      projects.map(({ target_file, is_complete }) => [target_file, is_complete]),
      [
        ['jars/build.sbt', 0],
        ['own/package.json', 0],
        ['package.json', 0],
        ['whole/package.json', 1],
      ],
    )
    const named = await request(repository, { files: ['whole/package.json'] })
    await run(named)
    assert.equal((await importRow(named)).message, null, 'the rest was not requested')
  })

  test('import of gems: finds Gemfile.lock and gems.locked', async () => {
    using repository = bareRepository()
    const gems = 'GEM\n  specs:\n    rack (2.0.0)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  rack\n'
    repository.commit([
      { path: 'gems.locked', content: gems },
      { path: 'gems.rb', content: "gem 'rack'\n" },
      { path: 'old/Gemfile.lock', content: gems },
    ])
    const id = await request(repository)
    await run(id)
    assert.deepEqual(await manifestsOf(id), ['gems.locked rubygems done', 'old/Gemfile.lock rubygems done'])
    const [found] = await projectsOf(repository)
    assert.equal(found!.total_dependencies, 1)
    const { coverage } = await db()
      .selectFrom('project_states')
      .select('coverage')
      .where('project_number', '=', found!.number)
      .executeTakeFirstOrThrow()
    assert.deepEqual(JSON.parse(coverage).filesRead, ['gems.locked', 'gems.rb'])
  })

  test('import that keeps failing or takes too long: given up with a message', async () => {
    using repository = bareRepository()
    repository.commit(npmFiles('a/'))
    const broken = { ...services, tester: { test: () => Promise.reject(new Error('a fault of ours')) } }
    const fault = await request(repository)
    await runImport(broken, fault, context())
    assert.deepEqual(await manifestsOf(fault), [
      'a/package.json npm failed: The server failed to test this manifest; its log says why',
    ])
    const never = { ...services, repositories: { ...repositories, open: () => Promise.reject(new Error('no disk')) } }
    const given = await request(repository)
    for (const attempt of [1, 6]) await assert.rejects(runImport(never, given, context(undefined, attempt)), /no disk/)
    await runImport(never, given, context(undefined, 7))
    assert.deepEqual(
      [(await importRow(given)).state, (await importRow(given)).message],
      ['failed', 'The server failed to import this; its log says why'],
    )
    const dying = await request(repository)
    await runImport(never, dying, context(undefined, 101))
    assert.match((await importRow(dying)).message!, /stopped repeatedly/)
    const late = await request(repository)
    await db().updateTable('imports').set({ started_at: 1 }).where('id', '=', late).execute()
    await runImport(services, late, context())
    assert.match((await importRow(late)).message!, /longer than 60 minutes/)
    await db().deleteFrom('jobs').where('kind', '=', 'import').execute()
  })

  describe('scheduled imports', () => {
    test('scheduled import: one per target and branch, for its active projects and new manifests only', async () => {
      using repository = bareRepository()
      repository.commit([...npmFiles('a/'), ...npmFiles('b/'), ...npmFiles('c/')])
      await run(await request(repository))
      const [a, b] = await projectsOf(repository)
      await db().updateTable('projects').set({ status: 'inactive' }).where('id', '=', b!.id).execute()
      repository.commit([...npmFiles('a/'), ...npmFiles('b/'), ...npmFiles('new/')])
      const due = { orgId: app.orgId, targetId: a!.target_id, reference: 'main' }
      const schedule = () =>
        db()
          .transaction()
          .execute((tx) => scheduleImport(tx, due, Date.now()))
      assert.deepEqual([await schedule(), await schedule()], ['asked', 'asked'])
      const pending = await db()
        .selectFrom('imports')
        .selectAll()
        .where('state', '=', 'pending')
        .where('target_id', '=', a!.target_id)
        .execute()
      assert.equal(pending.length, 1)
      await run(pending[0]!.id)
      assert.deepEqual(await manifestsOf(pending[0]!.id), ['a/package.json npm done', 'new/package.json npm done'])
      const now = await projectsOf(repository)
      assert.deepEqual(
        now.map(({ target_file, status }) => `${target_file} ${status}`),
        ['a/package.json active', 'b/package.json inactive', 'new/package.json active'],
        'c is the only one that is gone and new the only one that came',
      )
      const causes = await db()
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
      repository.commit(npmFiles('a/'))
      repository.commit(npmFiles('a/', 'ms', '2.0.0'), { branch: 'next' })
      await run(await request(repository))
      const [a] = await projectsOf(repository)
      const next = {
        target_reference: 'next',
        place_key: placeKeyOf({ type: 'npm', targetFile: 'a/package.json', targetReference: 'next' }),
      }
      await db().updateTable('projects').set(next).where('id', '=', a!.id).execute()
      const due = { orgId: app.orgId, targetId: a!.target_id, reference: 'next' }
      const schedule = db().transaction()
      assert.equal(await schedule.execute((tx) => scheduleImport(tx, due, Date.now())), 'asked')
      const pending = db().selectFrom('imports').select('id').where('state', '=', 'pending')
      const { id } = await pending.where('target_id', '=', a!.target_id).executeTakeFirstOrThrow()
      await run(id)
      const now = await projectsOf(repository)
      assert.deepEqual(
        now.map((project) => [project.id, project.target_reference]),
        [[a!.id, 'next']],
      )
      assert.notEqual(now[0]!.content_digest, a!.content_digest)
    })

    test('scheduled import with a detached HEAD: follows HEAD wherever it moves', async () => {
      using repository = bareRepository()
      const detach = (commit: string) => repository.git(['update-ref', '--no-deref', 'HEAD', commit])
      detach(repository.commit(npmFiles('a/'), { branch: 'work' }))
      await run(await request(repository))
      const [first] = await projectsOf(repository)
      assert.equal(first!.target_reference, 'HEAD')
      const due = { orgId: app.orgId, targetId: first!.target_id, reference: 'HEAD' }
      const readAgain = async () => {
        await db()
          .transaction()
          .execute((tx) => scheduleImport(tx, due, Date.now()))
        const pending = db().selectFrom('imports').select('id').where('state', '=', 'pending')
        const { id } = await pending.where('target_id', '=', due.targetId).executeTakeFirstOrThrow()
        await run(id)
        const { state, reference, revision, message } = await importRow(id)
        return { state, reference, revision, message, manifests: await manifestsOf(id) }
      }
      const second = repository.commit(npmFiles('a/', 'ms', '2.0.0'), { branch: 'work' })
      detach(second)
      const whole = { state: 'complete', reference: 'HEAD', message: null, manifests: ['a/package.json npm done'] }
      assert.deepEqual(await readAgain(), { ...whole, revision: second })
      const third = repository.commit(npmFiles('a/', 'ms', '2.1.0'), { branch: 'work' })
      repository.git(['symbolic-ref', 'HEAD', 'refs/heads/work'])
      assert.deepEqual(await readAgain(), { ...whole, revision: third })
      const projects = await projectsOf(repository)
      assert.deepEqual(
        projects.map(({ id, target_reference, status }) => [id, target_reference, status]),
        [[first!.id, 'HEAD', 'active']],
      )
      assert.notEqual(projects[0]!.content_digest, first!.content_digest)
    })

    test('scheduled import: retests explicitly named files and follows a change of package manager', async () => {
      using repository = bareRepository()
      const own = JSON.stringify({ name: 'x', version: '1.0.0', dependencies: { ms: '2.0.0' } })
      const files = [{ path: 'odd/prod-packages.txt', content: './wheel.whl\n' }, ...npmFiles('tests/')]
      const ownLock = { path: 'a/package-lock.json', content: lock('x', 'ms', '2.0.0') }
      repository.commit([...files, { path: 'a/package.json', content: own }, ownLock])
      const named = ['odd/prod-packages.txt', 'tests/package.json', 'a/package.json']
      await run(await request(repository, { files: named }))
      const before = await projectsOf(repository)
      const yarnLock = '# yarn lockfile v1\n\nms@2.0.0:\n  version "2.0.0"\n'
      repository.commit([
        ...files,
        { path: 'a/package.json', content: own },
        { path: 'a/yarn.lock', content: yarnLock },
      ])
      const due = { orgId: app.orgId, targetId: before[0]!.target_id, reference: 'main' }
      await db()
        .transaction()
        .execute((tx) => scheduleImport(tx, due, Date.now()))
      const { id } = await db()
        .selectFrom('imports')
        .select('id')
        .where('state', '=', 'pending')
        .where('target_id', '=', due.targetId)
        .executeTakeFirstOrThrow()
      await run(id)
      assert.deepEqual(await manifestsOf(id), [
        'a/package.json yarn done',
        'odd/prod-packages.txt pip done',
        'tests/package.json npm done',
      ])
      assert.deepEqual(
        (await projectsOf(repository)).map((project) => [project.id, project.type]),
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
        repository.commit(npmFiles('a/'))
        await run(await request(repository))
        const [project] = await projectsOf(repository)
        const due = { orgId: app.orgId, targetId: project!.target_id, reference: 'main' }
        const schedule = (at: number) =>
          db()
            .transaction()
            .execute((tx) => scheduleImport(tx, due, at))
        const end = async (state: 'failed' | 'complete', at: number) => {
          const pending = db().selectFrom('imports').select('id').where('state', '=', 'pending')
          const { id } = await pending.where('target_id', '=', due.targetId).executeTakeFirstOrThrow()
          const ending = { state, message: state === 'failed' ? 'It is gone' : null, at }
          await db()
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
        await db().deleteFrom('jobs').where('kind', '=', 'import').execute()
      })

      test('scheduled import of an unreadable source: retried at once after a success or a changed integration', async () => {
        using repository = bareRepository()
        const { due, schedule, end } = await importOne(repository)
        const start = Date.now()
        await schedule(start)
        await end('failed', start)
        assert.notEqual(await schedule(start + HOUR), 'asked')
        await run(await request(repository))
        await db()
          .updateTable('imports')
          .set({ created_at: start + HOUR })
          .where('target_id', '=', due.targetId)
          .where('cause', '=', 'request')
          .execute()
        assert.equal(await schedule(start + 2 * HOUR), 'asked')
        await end('failed', start + 2 * HOUR)
        assert.notEqual(await schedule(start + 3 * HOUR), 'asked')
        const touch = (at: number) =>
          db().updateTable('integrations').set({ updated_at: at }).where('id', '=', integrationId).execute()
        await touch(start + 4 * HOUR)
        assert.equal(await schedule(start + 5 * HOUR), 'asked')
        await end('complete', start + 5 * HOUR)
        assert.equal(await schedule(start + 6 * HOUR), 'asked')
        await end('complete', start + 6 * HOUR)
        await touch(1)
        await db().deleteFrom('jobs').where('kind', '=', 'import').execute()
      })

      test('projects missed by a failed import: keep the reason and are tested soon from stored data', async () => {
        using repository = bareRepository()
        repository.commit([...npmFiles('a/'), ...npmFiles('b/')])
        await run(await request(repository))
        const unread = async () =>
          (await projectsOf(repository)).map(({ target_file, source_failure }) => [target_file, source_failure])
        const [a] = await projectsOf(repository)
        const due = { orgId: app.orgId, targetId: a!.target_id, reference: 'main' }
        async function again(changed: Partial<ImportServices>, attempt = 1) {
          await db()
            .transaction()
            .execute((tx) => scheduleImport(tx, due, Date.now()))
          const pending = db().selectFrom('imports').select('id').where('state', '=', 'pending')
          const { id } = await pending.where('target_id', '=', due.targetId).executeTakeFirstOrThrow()
          await runImport({ ...services, ...changed }, id, context(undefined, attempt))
          await db().deleteFrom('jobs').where('kind', '=', 'import').execute()
        }
        const problem = new Problem('unavailable', 'There are no advisories')
        await again({ tester: { test: () => Promise.reject(problem) } }, 7)
        assert.deepEqual(await unread(), [
          ['a/package.json', 'There are no advisories'],
          ['b/package.json', 'There are no advisories'],
        ])
        for (const { next_test_at } of await projectsOf(repository)) assert.ok(next_test_at! <= Date.now())
        const few = { config: { ...services.config, importManifests: 1 } }
        await again(few)
        const [, left] = await unread()
        assert.match(String(left![1]), /^Of 2 manifests the first 1 were imported/)
        assert.deepEqual((await unread())[0], ['a/package.json', null])
        await again({})
        assert.deepEqual(await unread(), [
          ['a/package.json', null],
          ['b/package.json', null],
        ])
      })
    })

    test('scheduled import of an unknown target: returns why it cannot be imported', async () => {
      const due = { orgId: app.orgId, targetId: randomUUID(), reference: null }
      const at = Date.now()
      assert.deepEqual(await scheduleImport(db(), due, at), {
        message: 'How it was imported is unknown. Import it again.',
        since: at,
      })
    })
  })
})
