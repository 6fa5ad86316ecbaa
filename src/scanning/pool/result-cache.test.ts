import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { testThread } from '#features/package-tests/test-thread.ts'
import { toOsvRecord } from '#test/manifests/osv-export.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { program } from '#test/servers/program.ts'
import { openSnapshotFile, type SharedSnapshot, writeSnapshotFile } from '../advisories/snapshot-file.ts'
import type { ReadSubject, SentSubject, Subject, TestTask } from '../reading/task.ts'
import type { TestAnswer } from '../results/answer.ts'
import { createTestPool } from './pool.ts'
import { createResultCache } from './result-cache.ts'
import type { TestPool } from './test-pool.ts'

const AT = Date.parse('2026-03-01T00:00:00Z')
const EXPIRED = Date.parse('2026-03-03T00:00:00Z')

const LOCK = '{"lockfileVersion":3,"packages":{"node_modules/a":{"version":"0.1.0"}}}'
const locked = ['{"dependencies":{"a":"*"}}', LOCK] as const
const policy = `version: v1.25.0
ignore:
  GHSA-1:
    - '*':
        reason: later
        expires: 2026-03-02T00:00:00.000Z
`

function sent(files: readonly string[], more: Partial<SentSubject> = {}): SentSubject {
  const [target, ...additional] = files.map((contents) => ({ contents }))
  const bytes = new TextEncoder().encode(JSON.stringify({ target, additional }))
  return { kind: 'sent', as: 'files', pointer: '/files', json: { bytes, values: 20, offset: 0 }, ...more }
}

function filesOf([target, ...additional]: readonly [string, ...string[]]): ReadSubject {
  return { kind: 'files', target, additional, encoding: 'plain' }
}

function toTask(subject: Subject, more: Partial<TestTask> = {}): TestTask {
  const choices = { acceptPartial: false, includeDev: false, repositories: [], licensePolicy: undefined, at: AT }
  return { ecosystem: 'npm', subject, org: { id: 'one', name: 'One' }, form: 'json', ...choices, ...more }
}

describe('result cache', () => {
  let dir: string
  let snapshots: [SharedSnapshot, SharedSnapshot]
  let pool: TestPool
  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'gatehouse-results-'))
    snapshots = [await snapshotOf(['GHSA-1']), await snapshotOf(['GHSA-1', 'GHSA-2'])]
    pool = createPool(0)
  })
  after(async () => {
    await pool.close()
    rmSync(dir, { recursive: true })
  })

  async function snapshotOf(ids: readonly string[]): Promise<SharedSnapshot> {
    const records = ids.map((id) => toOsvRecord(id, 'npm', 'a'))
    const { path } = await writeSnapshotFile(
      dir,
      { builtAt: 0, source: 'a test', isStarterSet: false },
      (compilation) => {
        for (const record of records) compilation.add(record)
        return []
      },
    )
    return openSnapshotFile(path)
  }

  function createPool(searchSeconds: number): TestPool {
    const settings = { threads: 1, timeoutSeconds: 600, waitSeconds: 600, maxWaiting: 100, memoryMb: 256 }
    const created = createTestPool(
      { program: program.thread ?? testThread, backgroundPercent: 50, searchSeconds, ...settings },
      registriesOf({ npm: { get: async () => undefined } }),
    )
    created.switchSnapshot(snapshots[0])
    return created
  }

  test('a repeated request gets the cached answer', async () => {
    const first = bodyOf(await pool.run(toTask(sent(locked))))
    assert.equal(bodyOf(await pool.run(toTask(sent(locked)))), first)
  })

  test('a repeated set of files gets the cached answer; a changed file is tested', async () => {
    const files = toTask(filesOf(locked))
    const first = bodyOf(await pool.run(files))
    assert.equal(bodyOf(await pool.run(files)), first)
    const [manifest, lock] = locked
    const others = [filesOf([`${manifest} `, lock]), filesOf([manifest, `${lock} `])]
    for (const other of others) assert.notEqual(bodyOf(await pool.run(toTask(other))), first)
  })

  const changes: [what: string, task: TestTask][] = [
    ['one character of a file', toTask(sent([locked[0], `${locked[1]} `]))],
    ['the encoding', toTask(sent(locked, { encoding: 'plain' }))],
    ['the id of the organization', toTask(sent(locked), { org: { id: 'two', name: 'One' } })],
    ['the name of the organization', toTask(sent(locked), { org: { id: 'one', name: 'Two' } })],
    ['the form', toTask(sent(locked), { form: 'sarif' })],
    ['development dependencies', toTask(sent(locked), { includeDev: true })],
    ['the threshold', toTask(sent(locked), { severityThreshold: 'critical' })],
    ['the decision on policy files', toTask(sent(locked), { policyFiles: 'forbid' })],
    ['acceptance of partial answers', toTask(sent(locked), { acceptPartial: true })],
    ['the license policy', toTask(sent(locked), { licensePolicy: { rules: [], unlisted: 'none', unknown: 'high' } })],
    ['further repositories', toTask(sent(locked), { repositories: ['https://maven.registry.example/'] })],
  ]
  for (const [what, task] of changes) {
    test(`a request that differs in ${what} is tested again`, async () => {
      const first = bodyOf(await pool.run(toTask(sent(locked))))
      assert.notEqual(bodyOf(await pool.run(task)), first)
    })
  }

  test('an answer that needed versions from a registry is not cached', async () => {
    const asking = toTask(sent(['{"dependencies":{"b":"*"}}']))
    assert.notEqual(bodyOf(await pool.run(asking)), bodyOf(await pool.run(asking)))
  })

  test('an answer that asked a registry for an upgrade is not cached', async () => {
    const searching = createPool(60)
    try {
      const task = toTask(sent(locked))
      assert.notEqual(bodyOf(await searching.run(task)), bodyOf(await searching.run(task)))
    } finally {
      await searching.close()
    }
  })

  test('an answer that depends on an expiring policy rule is not cached', async () => {
    const files = [...locked, policy] as const
    assert.deepEqual(idsIn(await pool.run(toTask(sent(files)))), [])
    assert.deepEqual(idsIn(await pool.run(toTask(sent(files), { at: EXPIRED }))), ['GHSA-1'])
  })

  test('new advisories: cached requests are tested again, as are those under way during the change', async () => {
    const underWay = toTask(sent([locked[0], `${locked[1]}\n`]))
    assert.deepEqual(idsIn(await pool.run(toTask(sent(locked)))), ['GHSA-1'])
    const running = pool.run(underWay)
    pool.switchSnapshot(snapshots[1])
    assert.deepEqual(idsIn(await running), ['GHSA-1'])
    for (const task of [toTask(sent(locked)), underWay])
      assert.deepEqual(idsIn(await pool.run(task)), ['GHSA-1', 'GHSA-2'])
  })
})

test('result cache: answers of several megabytes are kept compressed, until the advisories change', async () => {
  const cache = createResultCache()
  const advisories = { digest: 'd', builtAt: 0, isStarterSet: false }
  const facts = { ok: true, complete: true, packages: 1, issues: 0, isRepeatable: true, advisories }
  const details = new Map([['GHSA-1', '{}']])
  // Forty of them are more than the cache would hold uncompressed.
  const answers = Array.from({ length: 40 }, (_, at) => {
    const body = new TextEncoder().encode(`${at}: ${'an issue like the others, '.repeat(80_000)}`)
    return { body, facts, details }
  })
  for (const [at, answer] of answers.entries()) await cache.keep(String(at), answer)
  const first = (await cache.find('0')) as (typeof answers)[0] | undefined
  assert.ok(first !== undefined && Buffer.from(first.body).equals(answers[0]!.body))
  assert.deepEqual([first.facts, first.details], [facts, details])
  const late = cache.keep('late', answers[1]!)
  cache.clear()
  await late
  assert.deepEqual([await cache.find('0'), await cache.find('late')], [undefined, undefined])
})

/** Returns the buffer itself: a cached answer has the identical one. */
function bodyOf(answer: TestAnswer): Uint8Array {
  assert.ok('body' in answer, JSON.stringify(answer))
  return answer.body
}

function idsIn(answer: TestAnswer): string[] {
  assert.ok('body' in answer, JSON.stringify(answer))
  const { issues } = JSON.parse(new TextDecoder().decode(answer.body)) as {
    issues: { vulnerabilities: { id: string }[] }
  }
  return issues.vulnerabilities.map(({ id }) => id).sort()
}
