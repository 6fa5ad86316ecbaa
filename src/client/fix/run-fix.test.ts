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

type Dependencies = Record<string, string>
type Packages = Record<string, Record<string, { dependencies?: Dependencies; peerDependencies?: Dependencies }>>

const ofEjs = (version: string) => ({ dependencies: { ejs: version } })
const ofLodash = (version: string) => ({ dependencies: { lodash: version } })
const affected = ofEjs('2.7.4')
const fixed = ofEjs('3.1.7')

describe('planned fixes', () => {
  let root: string
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  let local: LocalTests
  const packages: Packages = {
    ejs: { '2.7.4': {}, '3.1.7': {} },
    lodash: { '4.17.20': {}, '4.17.21': {} },
    handlebars: { '3.0.0': {}, '4.7.7': {} },
    minimist: { '1.2.4': {} },
    clean: { '1.0.0': affected, '1.1.0': fixed },
    renamed: { '1.0.0': affected, '2.0.0': fixed },
    withdrawn: { '1.0.0': affected, '1.1.0': fixed },
    holder: { '1.0.0': ofLodash('4.17.20') },
    open: { '1.0.0': ofLodash('^4.17.0') },
    plugin: { '1.0.0': { peerDependencies: { lodash: '4.17.20' } } },
    worse: {
      '1.0.0': { dependencies: { ejs: '2.7.4', handlebars: '3.0.0' } },
      '1.1.0': { dependencies: { ejs: '3.1.7', handlebars: '4.7.7', minimist: '1.2.4' } },
    },
    same: { '1.0.0': affected, '1.1.0': { dependencies: { ejs: '3.1.7', minimist: '1.2.4' } } },
    loader: { '1.0.0': affected, '1.1.0': { ...fixed, peerDependencies: { pack: '^2.0.0' } } },
    pack: { '1.0.0': {}, '2.0.0': {} },
    other: {
      '1.0.0': { peerDependencies: { pack: '^1.0.0' } },
      '2.0.0': { peerDependencies: { pack: '^2.0.0' } },
    },
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
      GATEHOUSE_TEST_WORKERS: '1',
    }
    const tests = await openLocalTests(environment, () => {})
    return { ...tests, [Symbol.asyncDispose]: () => tests.close() }
  }

  interface Options {
    readonly testFiles?: TestFiles
    readonly takesMajor?: boolean
    /** The folder to fix, below that of the files. */
    readonly below?: string
  }

  let folders = 0
  /** Plans a folder, and returns its only project with the new text of each file. */
  async function plan(
    files: Record<string, object>,
    { testFiles = local.testFiles, takesMajor = false, below = '' }: Options = {},
  ) {
    const folder = join(root, `project-${++folders}`)
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), JSON.stringify(content))
    }
    const context = {
      ...{ testFiles, takesMajor, environment: process.env, signal: new AbortController().signal },
      ...{ cwd: folder, onProgress() {}, compare: compareVersions },
    }
    const planned = await planFix(join(folder, below), { files: [], includeDev: false }, context)
    const [project] = planned.projects as [FolderFix['projects'][number]]
    return {
      ...project,
      document: planned.document,
      texts: planned.files.map(({ path, after: text }) => `${path} ${text}`),
    }
  }

  const requiring = (dependencies: Dependencies) => ({ 'package.json': { dependencies } })

  /** Returns a lockfile with all packages in one folder. */
  function lock(dependencies: Dependencies, versions: Dependencies) {
    const entries = Object.entries(versions).map(([name, version]) => [
      `node_modules/${name}`,
      { version, ...packages[name]![version] },
    ])
    return { lockfileVersion: 3, packages: { '': { dependencies }, ...Object.fromEntries(entries) } }
  }

  test('planned fix: one upgrade that cannot be made does not prevent an independent one', async () => {
    let tests = 0
    await using later = await openTests('later-cache')
    const testFiles: TestFiles = (request) => {
      tests++
      if (tests === 2) delete packages['withdrawn']!['1.1.0']
      return (tests === 1 ? local : later).testFiles(request)
    }
    const { texts, left, fixedIssues } = await plan(
      requiring({ holder: '1.0.0', loader: '1.0.0', withdrawn: '1.0.0', worse: '1.0.0' }),
      { testFiles },
    )
    assert.deepEqual(texts, [
      'package.json {"dependencies":{"holder":"1.0.0","loader":"1.0.0","withdrawn":"1.0.0","worse":"1.1.0"},"overrides":{"lodash":"^4.17.21"}}',
    ])
    assert.equal(fixedIssues, 4)
    assert.ok(
      left.some(({ of, problem }) => of === 'ejs@2.7.4' && /withdrawn/.test(problem)),
      JSON.stringify(left),
    )
  })

  test('planned fix: a newer minor version of the parent is written, and it is named what it adds', async () => {
    const { texts, fixedIssues, left, added } = await plan(requiring({ worse: '1.0.0' }))
    assert.deepEqual(texts, ['package.json {"dependencies":{"worse":"1.1.0"}}'])
    assert.deepEqual([fixedIssues, left.length], [3, 0])
    assert.ok(added.length > 0 && added.every((issue) => issue.endsWith(' in minimist@1.2.4')), added.join())
  })

  test('planned fix: a change that brings as many issues as it fixes is not written', async () => {
    const { texts, fixedIssues, left } = await plan(requiring({ same: '1.0.0' }))
    assert.deepEqual([texts, fixedIssues], [[], 0])
    assert.match(left[0]!.problem, /as many issues/)
  })

  test('planned fix: a new major version is written only if the user chooses it, and is marked', async () => {
    const { texts, left } = await plan(requiring({ renamed: '1.0.0' }))
    assert.deepEqual(texts, [])
    assert.match(left[0]!.problem, /only a new major version fixes it: renamed 1\.0\.0 → 2\.0\.0 \(--major\)/)
    const chosen = await plan(requiring({ renamed: '1.0.0' }), { takesMajor: true })
    assert.deepEqual(chosen.texts, ['package.json {"dependencies":{"renamed":"2.0.0"}}'])
    assert.deepEqual(
      chosen.changes.map(({ isMajor }) => isMajor),
      [true],
    )
  })

  test('planned fix: an override that refers to a dependency follows it', async () => {
    const files = requiring({ lodash: '4.17.20', holder: '1.0.0' })
    const { texts, fixedIssues, left } = await plan({
      'package.json': { ...files['package.json'], overrides: { lodash: '$lodash' } },
    })
    assert.deepEqual(texts, [
      'package.json {"dependencies":{"lodash":"4.17.21","holder":"1.0.0"},"overrides":{"lodash":"$lodash"}}',
    ])
    assert.deepEqual([fixedIssues, left], [2, []])
  })

  test('planned fix: a peer of another dependency blocks a change, and is named', async () => {
    const { texts, left } = await plan(requiring({ lodash: '4.17.20', plugin: '1.0.0', clean: '1.0.0' }))
    assert.deepEqual(texts, ['package.json {"dependencies":{"lodash":"4.17.20","plugin":"1.0.0","clean":"1.1.0"}}'])
    assert.match(left[0]!.problem, /lodash.*npm refuses such a project/)
  })

  test('planned fix: a lockfile that stays keeps versions whose peers block a change', async () => {
    const dependencies = { loader: '1.0.0', other: '*', pack: '*' }
    const open = await plan(requiring(dependencies))
    assert.deepEqual(open.texts, ['package.json {"dependencies":{"loader":"1.1.0","other":"*","pack":"*"}}'])
    const versions = { loader: '1.0.0', other: '1.0.0', pack: '1.0.0', ejs: '2.7.4' }
    const { texts, left } = await plan({
      ...requiring(dependencies),
      'package-lock.json': lock(dependencies, versions),
    })
    assert.deepEqual(texts, [])
    assert.match(left[0]!.problem, /pack/)
  })

  test('planned fix: a version that only the lockfile keeps is left to the command that renews it', async () => {
    const dependencies = { open: '1.0.0', clean: '1.0.0' }
    const versions = { open: '1.0.0', clean: '1.0.0', lodash: '4.17.20', ejs: '2.7.4' }
    const { texts, fixedIssues, left, renewal, nextCommand } = await plan({
      ...requiring(dependencies),
      'package-lock.json': lock(dependencies, versions),
    })
    assert.deepEqual(texts, ['package.json {"dependencies":{"open":"1.0.0","clean":"1.1.0"}}'])
    assert.deepEqual([fixedIssues, left.length, nextCommand], [1, 2, 'npm install'])
    assert.deepEqual(renewal, { command: 'npm update lodash', issues: 2 })
  })

  test('planned fix: nothing is written that no answer of the registry verifies', async () => {
    // Uses an empty cache: cached responses would serve during the outage.
    await using forgetful = await openTests('empty-cache')
    let tests = 0
    const testFiles: TestFiles = (request) => {
      tests++
      if (tests === 1) return local.testFiles(request)
      registry.answerWith(503)
      return forgetful.testFiles(request)
    }
    const { texts, left } = await plan(requiring({ clean: '1.0.0' }), { testFiles })
    registry.answerWith(200)
    assert.deepEqual(texts, [])
    assert.match(left[0]!.problem, /cannot be tested: clean: /)
  })

  test('planned fix: a workspace member has the lock of its workspace, and only files in its folder change', async () => {
    const lock = {
      lockfileVersion: 3,
      packages: {
        '': { workspaces: ['a', 'b'] },
        a: { dependencies: { clean: '1.0.0' } },
        b: { dependencies: { loader: '1.0.0' } },
        'node_modules/a': { resolved: 'a', link: true },
        'node_modules/b': { resolved: 'b', link: true },
        'node_modules/clean': { version: '1.0.0', dependencies: { ejs: '2.7.4' } },
        'node_modules/ejs': { version: '2.7.4' },
        'node_modules/loader': { version: '1.0.0', dependencies: { ejs: '2.7.4' } },
      },
    }
    const files = {
      'package.json': { workspaces: ['a', 'b'] },
      'package-lock.json': lock,
      'a/package.json': { name: 'a', dependencies: { clean: '1.0.0' } },
      'b/package.json': { name: 'b', dependencies: { loader: '1.0.0' } },
    }
    const { document, path, folder, changes, texts } = await plan(files, { below: 'a' })
    assert.deepEqual(document.readAround, ['../b/package.json', '../package-lock.json', '../package.json'])
    assert.deepEqual([path, folder, changes.length], ['package.json', '', 1])
    assert.deepEqual(texts, ['package.json {"name":"a","dependencies":{"clean":"1.1.0"}}'])
  })
})
