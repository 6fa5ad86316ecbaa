import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { toRecord } from '#analysis/advisories/parse-record.ts'
import { getEcosystem } from '#analysis/ecosystems/index.ts'
import { noGoProxy } from '#test/registries/go-content.ts'
import { noRegistries, registriesOf } from '#test/registries/registries.ts'
import { type OpenAdvisories, openAdvisories } from '../advisories/open-advisories.ts'
import { openSnapshotFile, writeSnapshotFile } from '../advisories/snapshot-file.ts'
import type { TestTask } from '../reading/task.ts'
import { toJudgments } from './not-imported.ts'
import { testReading } from './result.ts'

const record = (id: string, more: { imports?: object[]; aliases?: string[] } = {}) => {
  const { imports, aliases } = more
  return toRecord({
    id,
    modified: '2026-01-01T00:00:00Z',
    ...(aliases && { aliases }),
    affected: [
      {
        package: { ecosystem: 'Go', name: 'github.com/a/b' },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.2.0' }] }],
        ...(imports && { ecosystem_specific: { imports } }),
      },
    ],
  })
}
const records = [
  record('GO-2026-0001', { imports: [{ path: 'github.com/a/b/there', symbols: ['Do', 'T.Run'] }] }),
  record('GO-2026-0002', { imports: [{ path: 'github.com/a/b/away' }] }),
  record('GO-2026-0003'),
  record('GO-2026-0004', { imports: [{ path: 'github.com/a/b/away' }, { path: 'github.com/a/b/there' }] }),
  record('GO-2026-0005', {
    imports: [{ path: 'github.com/a/b/away', symbols: ['X'] }],
    aliases: ['GHSA-aaaa-bbbb-cccc'],
  }),
  record('GHSA-aaaa-bbbb-cccc'),
  record('GO-2026-0006', { imports: [{ path: 'github.com/a/b/away' }, { symbols: ['Y'] }] }),
]
const task: TestTask = {
  ecosystem: 'govendor',
  subject: { kind: 'files', target: '', additional: [], encoding: 'plain' },
  org: { id: '28006eea-435a-4f28-8059-eb739717d7c9', name: 'Org' },
  acceptPartial: false,
  includeDev: false,
  repositories: [],
  licensePolicy: undefined,
  form: 'json',
}

describe('vulnerabilities in packages that are not imported', () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-not-imported-'))
  let advisories: OpenAdvisories
  before(async () => {
    const written = await writeSnapshotFile(
      dir,
      { builtAt: 0, source: 'a test', isStarterSet: false },
      (compilation) => {
        for (const record of records) compilation.add(record)
        return []
      },
    )
    advisories = openAdvisories(openSnapshotFile(written.path))
  })
  after(() => {
    advisories.close()
    rmSync(dir, { recursive: true })
  })

  async function run(ecosystem: string, files: readonly [string, ...string[]], more: Partial<TestTask> = {}) {
    const [target, ...additional] = files
    const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
    const registries = registriesOf({ go: noGoProxy })
    const reading = await getEcosystem(ecosystem).read({ target, additional }, registries, options)
    const { result } = await testReading(reading, {
      task: { ...task, ...more },
      ecosystem: getEcosystem(ecosystem),
      advisories,
      resolver: undefined,
      licensePolicy: undefined,
      licenses: noRegistries.licenses,
      isLate: () => false,
      findStaleAnswer: () => undefined,
      boundsMet: new Set(),
    })
    return result
  }
  const idsOf = (result: Awaited<ReturnType<typeof run>>) => [
    result.issues.vulnerabilities.map(({ id }) => id),
    result.notImported?.map(({ id }) => id),
  ]
  const vendored = (...paths: readonly string[]) => {
    const entry = (path: string) => ({ path, revision: '0'.repeat(40), versionExact: 'v1.1.0' })
    return JSON.stringify({ rootPath: 'example.com/p', package: paths.map(entry) })
  }
  const whole = ['GO-2026-0003', 'GO-2026-0006']

  test('vendor.json: only vulnerabilities in vendored packages or whole modules are issues', async () => {
    const result = await run('govendor', [vendored('github.com/a/b', 'github.com/a/b/there')])
    assert.deepEqual(idsOf(result), [
      ['GO-2026-0001', 'GO-2026-0003', 'GO-2026-0004', 'GO-2026-0006'],
      ['GHSA-aaaa-bbbb-cccc', 'GO-2026-0002'],
    ])
    assert.deepEqual(result.issues.vulnerabilities[0]!.functions, [
      { functionId: { filePath: 'github.com/a/b/there', functionName: 'Do' }, version: ['<1.2.0'] },
      { functionId: { filePath: 'github.com/a/b/there', functionName: 'T.Run' }, version: ['<1.2.0'] },
    ])
    assert.deepEqual(result.notImported![1], {
      id: 'GO-2026-0002',
      url: 'https://osv.dev/vulnerability/GO-2026-0002',
      title: 'GO-2026-0002',
      severity: 'high',
      package: 'github.com/a/b',
      version: 'v1.1.0',
      imports: ['github.com/a/b/away'],
      fixedIn: ['1.2.0'],
    })
  })

  test('modules.txt: packages are those of each module; a module without any has nothing imported', async () => {
    const list = (...packages: readonly string[]) =>
      ['# github.com/a/b v1.1.0', '## explicit', ...packages, ''].join('\n')
    assert.deepEqual(idsOf(await run('gomodules', [list('github.com/a/b/away')]))[1], ['GO-2026-0001'])
    const goMod = 'module example.com/p\n\ngo 1.20\n\nrequire github.com/a/b v1.1.0\n'
    const none = await run('gomodules', [goMod, list()])
    assert.deepEqual(idsOf(none), [whole, ['GHSA-aaaa-bbbb-cccc', 'GO-2026-0001', 'GO-2026-0002', 'GO-2026-0004']])
    assert.equal(none.coverage.complete, true)
  })

  test('go.mod alone lists no packages, so every vulnerability is an issue', async () => {
    const result = await run('gomodules', [
      'module example.com/p\n\ngo 1.20\n\nrequire github.com/a/b v1.1.0 // indirect\n',
    ])
    assert.equal(result.issues.vulnerabilities.length, 6)
    assert.equal(result.notImported, undefined)
  })

  test('stored projects keep the first forty vulnerabilities per module that are not imported', () => {
    const listed = Array.from({ length: 45 }, (_, n) => ({
      id: `GO-2026-${String(n).padStart(4, '0')}`,
      url: '',
      title: '',
      severity: 'high' as const,
      package: 'github.com/a/b',
      version: 'v1.1.0',
      imports: ['github.com/a/b/away'],
      fixedIn: [],
    }))
    const judged = toJudgments(listed).get('github.com/a/b@v1.1.0')!
    assert.equal(Object.keys(judged).length, 40)
    assert.equal(Object.hasOwn(judged, 'GO-2026-0040'), false)
    assert.ok(JSON.stringify(judged).length < 2_000)
  })
})
