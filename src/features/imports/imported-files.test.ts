import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { useImportRuns } from '#test/repositories/import-runs.ts'
import { npmProject } from '#test/repositories/imports.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { toResource, toWholeResource } from './resource.ts'
import type { ImportRow } from './store.ts'

onAnyEngine('files of imported repositories', (engine) => {
  const runs = useImportRuns(engine)

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
    await runs.run(await runs.request(repository))
    const dependenciesOf = async () => (await runs.projectsOf(repository)).map((project) => project.total_dependencies)
    assert.deepEqual(await dependenciesOf(), [3, 3])
    using unnamed = bareRepository()
    unnamed.commit([{ path: 'requirements.txt', content: pins('python_version < "3.9"') }])
    await runs.run(await runs.request(unnamed))
    const [project] = await runs.projectsOf(unnamed)
    assert.equal(project?.total_dependencies, 3)
  })

  test('import of named files: tests only those; a file that is no manifest fails with a reason', async () => {
    using repository = bareRepository()
    repository.commit([
      ...npmProject('a'),
      ...npmProject('tests'),
      { path: 'link/package.json', content: '../a/package.json', mode: '120000' },
      { path: 'README.md', content: 'x' },
    ])
    const files = ['tests/package.json', 'lost/pom.xml', 'README.md', 'link/package.json']
    const id = await runs.request(repository, { files })
    await runs.run(id)
    assert.deepEqual(await runs.manifestsOf(id), [
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
      ...npmProject('a'),
      { path: 'b/package.json', content: '../a/package.json', mode: '120000' },
      ...npmProject('c').slice(0, 1),
      { path: 'c/package-lock.json', content: '../a/package-lock.json', mode: '120000' },
      { path: 'd/requirements.txt', content: pointer },
      ...npmProject('e').slice(0, 1),
      { path: 'e/package-lock.json', content: pointer },
      { path: Buffer.from('f\xff/pom.xml', 'latin1'), content: '<project/>' },
      { path: Buffer.from('tests/\xff/pom.xml', 'latin1'), content: '<project/>' },
      { path: 'vendor/other', content: repository.commit([{ path: 'x', content: 'x' }]), mode: '160000' },
    ])
    const id = await runs.request(repository)
    await runs.run(id)
    assert.deepEqual(await runs.manifestsOf(id), [
      'a/package.json npm done',
      'b/package.json npm failed: It is a link, and links are not followed',
      'c/package.json npm failed: c/package-lock.json: It is a link, and links are not followed',
      'd/requirements.txt pip failed: It is kept by Git LFS, whose files are not fetched',
      'e/package.json npm failed: e/package-lock.json: It is kept by Git LFS, whose files are not fetched',
      'f\\xff/pom.xml  failed: Its name is not a plain path',
    ])
    const { state, message } = await runs.importRow(id)
    assert.deepEqual(
      [state, message],
      ['complete', 'Submodules are not read; import their repositories instead: vendor/other.'],
    )
    assert.deepEqual(
      (await runs.projectsOf(repository)).map(({ target_file }) => target_file),
      ['a/package.json'],
    )
  })

  test('import of a repository without manifests: completes with no projects', async () => {
    using repository = bareRepository()
    repository.commit([{ path: 'README.md', content: '' }])
    const id = await runs.request(repository)
    await runs.run(id)
    assert.deepEqual([(await runs.importRow(id)).state, await runs.manifestsOf(id)], ['complete', []])
  })

  test('import of a missing branch: fails with a message', async () => {
    using repository = bareRepository()
    const id = await runs.request(repository, { branch: 'lost' })
    await runs.run(id)
    const { state, message } = await runs.importRow(id)
    assert.equal(state, 'failed')
    assert.ok(message && message.length > 10, String(message))
  })

  test('import: lists everything that is not tested, while its message names five', async () => {
    using repository = bareRepository()
    const unsupported = Array.from({ length: 11 }, (_, n) => `part-${String(n).padStart(2, '0')}/Brewfile`)
    repository.commit([
      ...npmProject('whole'),
      ...unsupported.map((path) => ({ path, content: `[package]\n# ${path}` })),
    ])
    const id = await runs.request(repository)
    await runs.run(id)
    const row = (await runs.importRow(id)) as ImportRow
    assert.match(row.message!, /part-04\/Brewfile \([^)]+\) and 6 more, listed with the import\.$/)
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
      ...['a', 'b', 'c'].flatMap((folder) => npmProject(folder)),
      ...modules.map((path) => ({ path, content: module, mode: '160000' as const })),
      { path: 'server/Brewfile', content: 'brew "git"' },
      { path: 'server/Dockerfile', content: 'FROM scratch' },
      { path: 'server/vendor/bundle/ruby/3.3.0/gems/a-1.0.0/Gemfile', content: "gem 'b'" },
    ])
    const id = await runs.request(repository)
    await runs.run(id, { config: { ...runs.services.config, importManifests: 1 } })
    const row = (await runs.importRow(id)) as ImportRow
    const { left_out, message } = toWholeResource(row, { waiting: 0, done: 1, failed: 0 }).attributes
    assert.deepEqual(left_out, [
      { path: 'b/package.json', package_manager: 'npm', reason: 'limit' },
      { path: 'c/package.json', package_manager: 'npm', reason: 'limit' },
      ...modules.map((path) => ({ path, package_manager: null, reason: 'submodule' })),
      { path: 'server/Brewfile', package_manager: 'Homebrew', reason: 'package_manager' },
      { path: 'server/Dockerfile', package_manager: 'Docker', reason: 'out_of_scope' },
      { path: 'server/vendor/bundle', package_manager: null, reason: 'installed_packages' },
    ])
    assert.match(message!, /Only the first 1 of 3 manifests were imported/)
    assert.match(message!, /Submodules are not read[^.]*: deps\/one, [^.]* and 1 more/)
    const answer = await runs.app.call('GET', `/rest/orgs/${runs.app.orgId}/imports/${id}`)
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
    const id = await runs.request(repository)
    await runs.run(id)
    assert.deepEqual(await runs.manifestsOf(id), ['package.json pnpm done'])
    const [project] = await runs.projectsOf(repository)
    assert.deepEqual([project!.type, project!.is_complete], ['pnpm', 1])
    const packages = await runs
      .db()
      .selectFrom('project_packages')
      .selectAll()
      .where('project_number', '=', project!.number)
      .execute()
    assert.equal(packages.length, 1)
    repository.commit([...files, { path: 'apps/web/package.json', content: member('^3.0.0') }])
    await runs.run(await runs.request(repository))
    assert.deepEqual(
      (await runs.projectsOf(repository)).map((project) => [project.id, project.is_complete]),
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
    const id = await runs.request(repository)
    await runs.run(id)
    assert.deepEqual(await runs.manifestsOf(id), ['shop/bom.json sbom done', 'tags.spdx sbom done'])
    const projects = await runs.projectsOf(repository)
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
      ...npmProject('own'),
      { path: 'own/bun.lockb', content: 'x' },
      ...npmProject('whole'),
      { path: 'server/Brewfile', content: 'brew "git"' },
      { path: 'tests/Brewfile', content: '' },
      { path: 'tools/setup.py', content: '' },
      { path: 'jars/build.sbt', content: 'name := "jars"\nautoScalaLibrary := false\n' },
      { path: 'jars/lib/a.jar', content: 'PK' },
    ])
    const id = await runs.request(repository)
    await runs.run(id)
    const because = 'these versions are what package.json allows today, not those that it locks'
    const other =
      'another lockfile of this folder was read. Delete the one that is out of use: it may lock other versions'
    assert.deepEqual(await runs.manifestsOf(id), [
      'jars/build.sbt sbt done',
      `own/package.json npm done: bun.lockb is not read here: ${other}. Write bun.lock with "bun install --save-text-lockfile".`,
      `package.json npm done: deno.lock is not read here: ${because}.`,
      'whole/package.json npm done',
    ])
    assert.equal(
      (await runs.importRow(id)).message,
      'Files of unsupported package managers were not tested: server/Brewfile (Homebrew). No file beside these lists dependencies of Python in a form that is read: tools/setup.py. Add a lockfile or a requirements.txt where there are dependencies.',
    )
    assert.deepEqual(JSON.parse((await runs.importRow(id)).left_out!), [
      { path: 'server/Brewfile', package_manager: 'Homebrew', reason: 'package_manager' },
      { path: 'tools/setup.py', package_manager: 'Python', reason: 'package_manager' },
    ])
    const projects = await runs.projectsOf(repository)
    assert.deepEqual(
      projects.map(({ target_file, is_complete }) => [target_file, is_complete]),
      [
        ['jars/build.sbt', 0],
        ['own/package.json', 0],
        ['package.json', 0],
        ['whole/package.json', 1],
      ],
    )
    const importId = await runs.request(repository, { files: ['whole/package.json'] })
    await runs.run(importId)
    assert.equal((await runs.importRow(importId)).message, null, 'the rest was not requested')
  })

  test('import of gems: finds Gemfile.lock and gems.locked', async () => {
    using repository = bareRepository()
    const gems = 'GEM\n  specs:\n    rack (2.0.0)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  rack\n'
    repository.commit([
      { path: 'gems.locked', content: gems },
      { path: 'gems.rb', content: "gem 'rack'\n" },
      { path: 'old/Gemfile.lock', content: gems },
    ])
    const id = await runs.request(repository)
    await runs.run(id)
    assert.deepEqual(await runs.manifestsOf(id), ['gems.locked rubygems done', 'old/Gemfile.lock rubygems done'])
    const [project] = await runs.projectsOf(repository)
    assert.equal(project!.total_dependencies, 1)
    const { coverage } = await runs
      .db()
      .selectFrom('project_states')
      .select('coverage')
      .where('project_number', '=', project!.number)
      .executeTakeFirstOrThrow()
    assert.deepEqual(JSON.parse(coverage).filesRead, ['gems.locked', 'gems.rb'])
  })
})
