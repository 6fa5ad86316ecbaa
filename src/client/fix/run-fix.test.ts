import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { type LocalTests, openLocalTests } from '../../commands/local-tests.ts'
import { compareVersions } from '../compare-versions.ts'
import type { TestFiles } from '../run-test.ts'
import { type FolderFix, planFix } from './run-fix.ts'

type Packages = Record<string, Record<string, { dependencies?: Record<string, string> }>>

describe('planned fixes', () => {
  let root: string
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  let local: LocalTests
  const packages: Packages = {
    lodash: { '4.17.20': {}, '4.17.21': {} },
    minimist: { '1.2.0': {} },
    clean: { '1.0.0': { dependencies: { lodash: '4.17.20' } }, '2.0.0': { dependencies: { lodash: '4.17.21' } } },
    worse: {
      '1.0.0': { dependencies: { lodash: '4.17.20' } },
      '2.0.0': { dependencies: { lodash: '4.17.21', minimist: '1.2.0' } },
    },
    withdrawn: { '1.0.0': { dependencies: { lodash: '4.17.20' } }, '2.0.0': { dependencies: { lodash: '4.17.21' } } },
  }
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-run-fix-'))
    registry = await startNpmRegistry(packages)
    local = await openTests('cache')
  })
  after(async () => {
    await local.close()
    await registry.close()
    rmSync(root, { recursive: true })
  })

  async function openTests(cache: string): Promise<LocalTests & AsyncDisposable> {
    const environment = {
      HOME: root,
      XDG_CACHE_HOME: join(root, cache),
      GATEHOUSE_NPM_REGISTRY: registry.url,
      GATEHOUSE_REGISTRY_MAX_AGE_MINUTES: '0',
      GATEHOUSE_TEST_WORKERS: '1',
    }
    const tests = await openLocalTests(environment, () => {})
    return { ...tests, [Symbol.asyncDispose]: () => tests.close() }
  }

  async function plan(
    name: string,
    files: Record<string, object>,
    testFiles: TestFiles,
    ...below: string[]
  ): Promise<FolderFix> {
    const folder = join(root, name)
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), JSON.stringify(content))
    }
    return planFix(
      join(folder, ...below),
      { files: [], includeDev: false },
      {
        testFiles,
        environment: process.env,
        signal: new AbortController().signal,
        cwd: root,
        onProgress() {},
        compare: compareVersions,
      },
    )
  }

  test('planned fix: an upgrade to a vanished version is refused with the reason; the others stay', async () => {
    let tests = 0
    const testFiles: TestFiles = (request) => {
      tests++
      if (tests === 2) delete packages['withdrawn']!['2.0.0']
      return local.testFiles(request)
    }
    const files = { 'package.json': { dependencies: { clean: '1.0.0', withdrawn: '1.0.0' } } }
    const { projects, files: changed } = await plan('withdrawn', files, testFiles)
    assert.equal(tests, 3, 'the rest is tested again')
    assert.deepEqual(
      changed.map(({ after }) => after),
      ['{"dependencies":{"clean":"2.0.0","withdrawn":"1.0.0"}}'],
    )
    const [{ upgrades, refused, left, doubt }] = projects as [FolderFix['projects'][number]]
    assert.deepEqual(
      upgrades.map(({ name, to }) => `${name} ${to}`),
      ['clean 2.0.0'],
    )
    assert.deepEqual(
      refused.map(({ upgrade }) => upgrade.name),
      ['withdrawn'],
    )
    assert.ok(
      left.length > 0 && left.every(({ problem }) => /^withdrawn@1\.0\.0: /.test(problem)),
      JSON.stringify(left),
    )
    assert.equal(doubt, undefined)
  })

  test('planned fix: names issues that the result adds', async () => {
    const files = { 'package.json': { dependencies: { worse: '1.0.0' } } }
    const { projects } = await plan('worse', files, local.testFiles)
    const [{ upgrades, left, added }] = projects as [FolderFix['projects'][number]]
    assert.deepEqual([upgrades.length, left.length], [1, 0])
    assert.ok(added.length > 0 && added.every((each) => each.endsWith(' in minimist@1.2.0')), added.join())
  })

  test('planned fix: a lockfile does not hide what the changed manifest resolves to', async () => {
    const lock = {
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { clean: '1.0.0' } },
        'node_modules/clean': { version: '1.0.0', dependencies: { lodash: '4.17.20' } },
        'node_modules/lodash': { version: '4.17.20' },
      },
    }
    const files = { 'package.json': { dependencies: { clean: '1.0.0' } }, 'package-lock.json': lock }
    const { projects, files: changed } = await plan('locked', files, local.testFiles)
    const [{ upgrades, left, added, doubt, nextCommand }] = projects as [FolderFix['projects'][number]]
    assert.deepEqual([upgrades.length, left, added, doubt, nextCommand], [1, [], [], undefined, 'npm install'])
    assert.deepEqual(
      changed.map(({ path }) => path),
      ['package.json'],
    )
  })

  test('planned fix: a workspace member has the lock of its workspace, and only files in its folder change', async () => {
    const lock = {
      lockfileVersion: 3,
      packages: {
        '': { workspaces: ['a', 'b'] },
        a: { dependencies: { clean: '1.0.0' } },
        b: { dependencies: { worse: '1.0.0' } },
        'node_modules/a': { resolved: 'a', link: true },
        'node_modules/b': { resolved: 'b', link: true },
        'node_modules/clean': { version: '1.0.0', dependencies: { lodash: '4.17.20' } },
        'node_modules/lodash': { version: '4.17.20' },
        'node_modules/worse': { version: '1.0.0', dependencies: { lodash: '4.17.20' } },
      },
    }
    const files = {
      'package.json': { workspaces: ['a', 'b'] },
      'package-lock.json': lock,
      'a/package.json': { name: 'a', dependencies: { clean: '1.0.0' } },
      'b/package.json': { name: 'b', dependencies: { worse: '1.0.0' } },
    }
    const { document, projects, files: changed } = await plan('member', files, local.testFiles, 'a')
    assert.deepEqual(document.readAround, ['../b/package.json', '../package-lock.json', '../package.json'])
    const [{ path, folder, upgrades, left, doubt }] = projects as [FolderFix['projects'][number]]
    assert.deepEqual([path, folder, upgrades.length, left, doubt], ['package.json', '', 1, [], undefined])
    assert.deepEqual(
      changed.map((each) => [each.path, each.after]),
      [['package.json', '{"name":"a","dependencies":{"clean":"2.0.0"}}']],
    )
  })

  test('planned fix: without a response of the registry, changes stay and the doubt is named', async () => {
    // Uses an empty cache: cached responses would serve during the outage.
    await using forgetful = await openTests('empty-cache')
    let tests = 0
    const testFiles: TestFiles = (request) => {
      tests++
      if (tests === 1) return local.testFiles(request)
      registry.answerWith(503)
      return forgetful.testFiles(request)
    }
    const files = { 'package.json': { dependencies: { clean: '^1.0.0' } } }
    const { projects, files: changed } = await plan('silent', files, testFiles)
    registry.answerWith(200)
    assert.equal(changed.length, 1)
    assert.match(projects[0]!.doubt ?? '', /^clean: /)
  })
})
