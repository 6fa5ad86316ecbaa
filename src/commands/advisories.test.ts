import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { toOsvRecord, writeOsvExport } from '#test/manifests/osv-export.ts'
import { runCommand } from '#test/servers/command-line.ts'

describe('gatehouse advisories', () => {
  let root: string
  let source: string
  let environment: Record<string, string>
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-command-'))
    source = join(root, 'export')
    environment = { GATEHOUSE_DATA_DIR: join(root, 'data'), GATEHOUSE_ADVISORIES_URL: source }
    writeOsvExport(source, [toOsvRecord('GHSA-1', 'npm', 'a'), toOsvRecord('GO-1', 'Go', 'go.example/m')])
  })
  after(() => rmSync(root, { recursive: true }))

  const run = (...args: string[]) => runCommand(['advisories', ...args], { environment })

  test('advisories status: without a database, exits with 2 and creates none', async () => {
    const { code, output, errors } = await run('status')
    assert.deepEqual([code, output], [2, ''])
    assert.match(errors, /^No database at .*gatehouse\.sqlite\..*GATEHOUSE_DATA_DIR/)
    assert.ok(!existsSync(join(root, 'data')))
  })

  test('advisories sync: prints progress and result, in plain lines without a terminal', async () => {
    const { code, output, errors } = await run('sync')
    assert.equal(code, 0, errors)
    assert.match(output, /^New advisories: 2 records \(2 fetched, 0 kept, 0 removed\), /)
    assert.match(output, /npm +1 records about 1 packages/)
    assert.deepEqual(errors.split('\n').slice(0, 1), ['Listing changes: npm'])
    assert.ok(!errors.includes('\x1b') && !errors.includes('█'))
    assert.equal((await run('sync')).output, 'The advisories are up to date.\n')
  })

  test('advisories status: text and JSON agree', async () => {
    const text = await run('status')
    const { snapshot } = JSON.parse((await run('status', '--json')).output)
    assert.match(
      text.output,
      new RegExp(`^2 records, .*\n  from {7}${source}\n[^]*\\(0 hours ago\\)\n[^]*snapshot   ${snapshot.digest}\n$`),
    )
    assert.deepEqual([snapshot.records, snapshot.source, snapshot.isStarterSet], [2, source, false])
  })

  test('advisories sync: reads exploit sources, says which failed, and status tells their age', async () => {
    const [catalog, scores] = [join(root, 'kev.json'), join(root, 'epss.csv')]
    writeFileSync(
      catalog,
      JSON.stringify({ dateReleased: '2026-01-02', vulnerabilities: [{ cveID: 'CVE-2021-0001' }] }),
    )
    const runWith = (...args: string[]) =>
      runCommand(['advisories', ...args], {
        environment: { ...environment, GATEHOUSE_EXPLOIT_SOURCES: `${catalog}, ${scores}` },
      })
    const synced = await runWith('sync')
    assert.equal(synced.code, 0, synced.errors)
    const kept = `Exploit data: none from ${scores}; kept, since the source failed: it does not exist`
    assert.ok(synced.output.includes(`\n  Exploited: 1 CVEs from ${catalog}, released 2026-01-02\n`), synced.output)
    assert.ok(synced.output.includes(`\n  ${kept}`), synced.output)
    assert.equal((await runWith('sync')).output, `The advisories are up to date.\n  ${kept}\n`)
    const status = (await run('status')).output
    assert.match(status, /\n {2}exploits {3}Exploited: 1 CVEs .* \(checked 0 hours ago\)\n/)
    assert.match(status, /\n {2}exploits {3}Exploit data: none .* \(never read\)\n {2}exploits {3}EPSS: not synced\n/)
    const { snapshot } = JSON.parse((await run('status', '--json')).output)
    assert.deepEqual(
      snapshot.exploitSources.map(({ ageSeconds }: { ageSeconds?: number }) => ageSeconds !== undefined),
      [true, false],
    )
  })

  test('advisories sync --json: prints only the result', async () => {
    writeOsvExport(source, [toOsvRecord('GHSA-1', 'npm', 'a'), toOsvRecord('GO-2', 'Go', 'go.example/n')])
    const { code, output, errors } = await run('sync', '--json', '--ecosystem', 'go')
    const result = JSON.parse(output)
    assert.deepEqual(
      [code, errors, result.outcome, result.fetched, result.removed, result.carried],
      [0, '', 'new', 1, 1, 1],
    )
  })

  test('advisories sync: a failure exits with 1 and the reason, and keeps the snapshot', async () => {
    const before = (await run('status')).output
    const { code, output, errors } = await run('sync', '--from', join(root, 'nowhere'))
    assert.deepEqual([code, output], [1, ''])
    assert.match(
      errors,
      /The advisories were not changed: .*nowhere.npm.all\.zip does not exist\. Check .*GATEHOUSE_ADVISORIES_URL.*--from\.\n$/,
    )
    const asJson = await run('sync', '--json', '--from', join(root, 'nowhere'))
    assert.deepEqual([asJson.code, JSON.parse(asJson.output).outcome], [1, 'failed'])
    const cargo = await run('sync', '--ecosystem', 'cargo')
    assert.deepEqual([cargo.code, /--ecosystem: "cargo" is none of npm, .*\.\n$/.test(cargo.errors)], [2, true])
    assert.equal((await run('status')).output, before)
    const left = readdirSync(join(root, 'data', 'advisories')).filter((name) => !name.endsWith('.snapshot'))
    assert.deepEqual(left, [])
  })

  test('advisories sync: a URL with credentials is refused without showing them', async () => {
    const { code, output, errors } = await run('sync', '--from', 'http://reader:hunter2@127.0.0.1:9/osv?key=hunter2')
    assert.equal(code, 1)
    assert.ok(!`${output}${errors}`.includes('hunter2'), errors)
    assert.match(errors, /The advisories were not changed/)
  })

  test('advisories sync: an interruption exits with 130 and leaves no files', async () => {
    const many = Array.from({ length: 3000 }, (_, n) => toOsvRecord(`GHSA-${n}`, 'npm', `p${n}`))
    const large = join(root, 'large')
    writeOsvExport(large, many)
    const dataDir = join(root, 'interrupted')
    const stop = new AbortController()
    const { code, errors } = await runCommand(['advisories', 'sync', '--from', large], {
      environment: { GATEHOUSE_DATA_DIR: dataDir },
      interrupt: stop.signal,
      onErrors: () => stop.abort(),
    })
    assert.equal(code, 130)
    assert.match(errors, /\nInterrupted\.\n$/)
    assert.ok(existsSync(dataDir))
    assert.deepEqual(readdirSync(join(dataDir, 'advisories')), [])
  })
})
