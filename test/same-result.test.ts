import assert from 'node:assert/strict'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fixturesOf } from '#test/fixture-folders.ts'
import { npmProject } from '#test/repositories/imports.ts'
import { emptyRegistries } from '#test/repositories/manifest-trees.ts'
import type { TestApp } from '#test/servers/app.ts'
import { startListening } from '#test/servers/listening.ts'
import { sampleOf } from '#test/volume.ts'
import { openServer } from '../src/client/open-server.ts'
import { reportForms, writeForm } from '../src/client/reports.ts'
import { runTest, type TestFiles, testOnServer } from '../src/client/run-test.ts'
import type { TestDocument } from '../src/client/test-document.ts'
import { judge } from '../src/client/verdict.ts'
import { type LocalTests, openLocalTests } from '../src/commands/local-tests.ts'

const root = join(import.meta.dirname, '../src/analysis/ecosystems')
const withFixtures = globSync('**/fixtures', { cwd: root })
  .map((fixtures) => basename(dirname(fixtures)))
  .sort()

describe('results of gatehouse test with and without a server', () => {
  let folder: string
  let app: TestApp
  let registries: Awaited<ReturnType<typeof emptyRegistries>>
  let local: LocalTests
  let onServer: TestFiles
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-same-result-'))
    registries = await emptyRegistries()
    const environment = {
      ...registries.environment,
      GATEHOUSE_GO_PROXY: registries.environment.GATEHOUSE_NPM_REGISTRY,
      GATEHOUSE_TEST_WORKERS: '1',
    }
    app = await startListening('sqlite', environment)
    local = await openLocalTests({ ...environment, HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') }, () => {})
    const server = openServer({ url: app.parts.services.baseUrl, key: app.adminKey }, {})
    onServer = testOnServer(server, (text) => requests.push(text))
  })
  after(async () => {
    await local?.close()
    await app?.close()
    await registries?.close()
    rmSync(folder, { recursive: true })
  })

  /** Progress of the requests to the server. */
  const requests: string[] = []
  let compared = 0

  const testWith = (testFiles: TestFiles, path: string): Promise<TestDocument> =>
    runTest(
      { paths: [path], files: [], exclude: '', includeDev: true, bill: true },
      { testFiles, environment: {}, signal: new AbortController().signal, cwd: folder, onProgress() {} },
    )

  async function assertSame(path: string): Promise<TestDocument> {
    const [here, there] = [await testWith(local.testFiles, path), await testWith(onServer, path)]
    for (const form of reportForms) assert.equal(await writeForm(form, here), await writeForm(form, there), form)
    return here
  }

  test('every ecosystem with fixtures is compared', () => {
    assert.ok(withFixtures.length >= 16, withFixtures.join(', '))
  })

  for (const ecosystem of withFixtures) {
    test(`fixtures of ${ecosystem}: every output format has the same bytes with and without a server`, async () => {
      const project = join(folder, ecosystem)
      for (const fixture of sampleOf(globSync('*', { cwd: fixturesOf(ecosystem) }).sort())) {
        const to = join(project, fixture, ecosystem === 'govendor' ? 'vendor' : '')
        cpSync(join(fixturesOf(ecosystem), fixture), to, {
          recursive: true,
          filter: (path) => !['expected.json', 'registry.json'].includes(basename(path)),
        })
      }
      const { projects } = await assertSame(project)
      if (projects.length > 0) compared++
    })
  }

  test('most fixtures are projects', () => {
    assert.ok(compared > withFixtures.length / 2, String(compared))
  })

  test('issues and an unreadable manifest: every output format has the same bytes with and without a server', async () => {
    const project = join(folder, 'mixed')
    for (const { path, content } of npmProject('app')) {
      mkdirSync(join(project, dirname(String(path))), { recursive: true })
      writeFileSync(join(project, String(path)), content)
    }
    mkdirSync(join(project, 'broken'))
    writeFileSync(join(project, 'broken/package.json'), '{"dependencies": {')
    const { projects } = await assertSame(project)
    assert.deepEqual(
      projects.map(({ path, error, result }) => [path, error?.code, (result?.issues.vulnerabilities.length ?? 0) > 0]),
      [
        ['mixed/app/package.json', undefined, true],
        ['mixed/broken/package.json', 'manifest-unreadable', false],
      ],
    )
  })

  test('folder with more projects than an answer has: all are tested, the last one too', async () => {
    const project = join(folder, 'large')
    const clean = Array.from(
      { length: 1_000 },
      (_, at) => [`p${1_000 + at}/requirements.txt`, '# nothing yet\n'] as const,
    )
    for (const [path, content] of [
      ...clean,
      ...npmProject('z').map((file) => [String(file.path), file.content] as const),
    ]) {
      mkdirSync(join(project, dirname(path)), { recursive: true })
      writeFileSync(join(project, path), content)
    }
    requests.length = 0
    const document = await assertSame(project)
    assert.deepEqual([document.projects.length, document.leftOut, requests.length], [1_001, [], 2])
    assert.equal(document.projects.at(-1)!.result!.issues.vulnerabilities[0]!.package, 'lodash')
    assert.equal(judge(document, { failOn: 'all', isStrict: false }), 1)
  })
})
