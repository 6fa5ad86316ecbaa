import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { OsvRecord } from '#analysis/advisories/osv.ts'
import { registries } from '#analysis/advisories/package-names.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { toOsvRecord, writeOsvExport } from '#test/manifests/osv-export.ts'
import { toZip } from '#test/repositories/zip.ts'
import { serveHttp } from '#test/servers/local-server.ts'
import type { FileSync } from './build-snapshot.ts'
import { openAdvisories } from './open-advisories.ts'
import { openSnapshotFile } from './snapshot-file.ts'
import { SyncFailed } from './sync-failed.ts'
import type { SyncOrder, SyncProgress } from './sync-order.ts'
import { chooseRegistries, syncToFile } from './sync-to-file.ts'

const NOW = Date.parse('2024-06-01T00:00:00Z')
const later = '2024-05-01T00:00:00Z'

describe('syncs into a file', () => {
  let root: string
  let source: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-sync-'))
    source = join(root, 'export')
  })
  afterEach(() => rmSync(root, { recursive: true }))

  async function sync(order: Partial<SyncOrder> = {}) {
    const progress: SyncProgress[] = []
    const result = await syncToFile(
      {
        from: source,
        registries,
        dir: mkdtempSync(join(root, 'out-')),
        now: NOW,
        acceptRemovals: false,
        outgoing: { allow: ['127.0.0.1'], limits: { attempts: 1 } },
        ...order,
      },
      { onProgress: (step) => progress.push(step) },
    )
    return { result, progress }
  }

  async function syncNew(order: Partial<SyncOrder> = {}) {
    const { result, progress } = await sync(order)
    return { ...toWritten(result), progress }
  }

  const all = [
    toOsvRecord('GHSA-1', 'npm', 'a'),
    toOsvRecord('GHSA-2', 'npm', 'b'),
    toOsvRecord('GHSA-3', 'npm', 'c'),
    toOsvRecord('GHSA-4', 'npm', 'd'),
    toOsvRecord('GHSA-5', 'npm', 'e'),
    toOsvRecord('GO-1', 'Go', 'go.example/m'),
    toOsvRecord('PYSEC-1', 'PyPI', 'p'),
  ]
  const changed = (record: OsvRecord, rest: Partial<OsvRecord>) => ({ ...record, modified: later, ...rest })

  test('a first sync takes all records and reports its progress', async () => {
    const shared = toOsvRecord('GHSA-6', 'Maven', 'g:a')
    const both = { ...shared, affected: [...shared.affected, ...toOsvRecord('', 'RubyGems', 'r').affected] }
    writeOsvExport(source, [...all, both])
    const { written, counts, progress } = await syncNew()
    assert.deepEqual(counts, { fetched: 8, carried: 0, removed: 0, rejectedCount: 0, rejected: [], missing: [] })
    assert.deepEqual(
      Object.entries(written.registries).map(([registry, section]) => [registry, section.records]),
      [
        ['npm', 5],
        ['PyPI', 1],
        ['RubyGems', 1],
        ['Maven', 1],
        ['Go', 1],
      ],
    )
    assert.deepEqual([...new Set(progress.map(({ phase }) => phase))], ['listing', 'fetching', 'reading', 'compiling'])
    assert.deepEqual(idsOf(written.path), [
      'GHSA-1',
      'GHSA-2',
      'GHSA-3',
      'GHSA-4',
      'GHSA-5',
      'GHSA-6',
      'GO-1',
      'PYSEC-1',
    ])
  })

  test('a sync without changes writes no snapshot', async () => {
    writeOsvExport(source, all)
    const { written } = await syncNew()
    const { result } = await sync({ base: written.path })
    assert.deepEqual(result, { outcome: 'unchanged', exploitSources: [] })
  })

  test('without modified lists, a sync detects changes by reading all records', async () => {
    writeOsvExport(source, all, { withoutLists: true })
    const { written } = await syncNew()
    assert.deepEqual((await sync({ base: written.path })).result, { outcome: 'unchanged', exploitSources: [] })
    writeOsvExport(source, [changed(all[0]!, { summary: 'News' }), ...all.slice(1)], { withoutLists: true })
    const { counts } = await syncNew({ base: written.path })
    assert.deepEqual([counts.fetched, counts.carried], [7, 0])
  })

  for (const single of [true, false]) {
    test(`changes from ${single ? 'single records' : 'the archive'} are applied, removed records dropped, others kept`, async () => {
      writeOsvExport(source, all)
      const first = await syncNew()
      const next = [
        changed(all[0]!, { affected: toOsvRecord('', 'npm', 'renamed').affected }),
        ...all.slice(2),
        toOsvRecord('GO-2', 'Go', 'go.example/n'),
      ]
      writeOsvExport(source, next, single ? { single: true } : {})
      // A sync by single records does not read the archive.
      if (single) rmSync(join(source, 'npm', 'all.zip'))
      const { written, counts } = await syncNew({ base: first.written.path })
      assert.deepEqual([counts.fetched, counts.carried, counts.removed], [2, 5, 1])
      assert.deepEqual(idsOf(written.path), ['GHSA-1', 'GHSA-3', 'GHSA-4', 'GHSA-5', 'GO-1', 'GO-2', 'PYSEC-1'])
      assert.deepEqual(affecting(written.path, 'npm', 'a'), [])
      assert.deepEqual(affecting(written.path, 'npm', 'renamed'), ['GHSA-1'])
      assert.deepEqual(affecting(written.path, 'npm', 'c'), ['GHSA-3'])
    })
  }

  test('a withdrawn record no longer matches', async () => {
    writeOsvExport(source, all)
    const first = await syncNew()
    writeOsvExport(source, [changed(all[0]!, { withdrawn: later }), ...all.slice(1)], { single: true })
    const { written } = await syncNew({ base: first.written.path })
    assert.deepEqual(affecting(first.written.path, 'npm', 'a'), ['GHSA-1'])
    assert.deepEqual(affecting(written.path, 'npm', 'a'), [])
    assert.deepEqual((await sync({ base: written.path })).result, { outcome: 'unchanged', exploitSources: [] })
  })

  test('a sync of one registry keeps the records of the others', async () => {
    writeOsvExport(source, all)
    const first = await syncNew()
    rmSync(source, { recursive: true })
    writeOsvExport(source, [all[0]!, toOsvRecord('GHSA-9', 'npm', 'z')])
    const { written, counts } = await syncNew({ base: first.written.path, registries: ['npm'] })
    assert.equal(counts.removed, 4)
    assert.deepEqual(idsOf(written.path), ['GHSA-1', 'GHSA-9', 'GO-1', 'PYSEC-1'])
  })

  test('a sync from another source carries over no records', async () => {
    writeOsvExport(source, all)
    const first = await syncNew()
    const elsewhere = join(root, 'elsewhere')
    writeOsvExport(elsewhere, [toOsvRecord('GHSA-9', 'npm', 'z')])
    const { written, counts } = await syncNew({ from: elsewhere, base: first.written.path })
    assert.deepEqual([idsOf(written.path), counts.carried], [['GHSA-9'], 0])
  })

  test('unreadable records are listed, counted, and not requested again', async () => {
    writeOsvExport(source, all.slice(1))
    const entries = [...all.map((record) => ({ name: `${record.id}.json`, content: JSON.stringify(record) }))]
    writeFileSync(
      join(source, 'npm', 'all.zip'),
      toZip([
        ...entries.slice(1, 5),
        { name: 'GHSA-0.json', content: '{"id":"GHSA-0","modified":"2024-01-01T00:00:00Z","affected":7}' },
        { name: 'GHSA-7.json', content: JSON.stringify(all[0]) },
      ]),
    )
    const list = join(source, 'npm', 'modified_id.csv')
    writeFileSync(list, `2024-01-01T00:00:00Z,GHSA-0\n2024-01-01T00:00:00Z,GHSA-7\n${readFileSync(list, 'utf8')}`)
    const { written, counts } = await syncNew()
    assert.deepEqual(
      counts.rejected.map(({ id, reason }) => `${id}: ${reason}`),
      ['GHSA-0: affected is not an array', 'GHSA-7: the file GHSA-7.json holds record GHSA-1'],
    )
    assert.equal(counts.fetched, 6)
    assert.deepEqual((await sync({ base: written.path })).result, { outcome: 'unchanged', exploitSources: [] })
  })

  test('an unreadable change keeps the older record', async () => {
    writeOsvExport(source, all)
    const first = await syncNew()
    writeOsvExport(source, [changed(all[0]!, {}), ...all.slice(1)], { single: true })
    writeFileSync(join(source, 'npm', 'GHSA-1.json'), 'no longer JSON')
    const { written, counts } = await syncNew({ base: first.written.path })
    assert.deepEqual([counts.rejectedCount, counts.carried], [1, 7])
    assert.deepEqual(affecting(written.path, 'npm', 'a'), ['GHSA-1'])
  })

  test('a listed but undelivered record is reported and requested again', async () => {
    writeOsvExport(source, all)
    const first = await syncNew()
    const list = join(source, 'npm', 'modified_id.csv')
    writeFileSync(list, `${later},GHSA-8\n${later},GHSA-1\n${readFileSync(list, 'utf8').replace(/.*GHSA-1\n/, '')}`)
    rmSync(join(source, 'npm', 'all.zip'))
    writeFileSync(
      join(source, 'npm', 'all.zip'),
      toZip([{ name: 'GHSA-1.json', content: JSON.stringify(changed(all[0]!, {})) }]),
    )
    const { written, counts } = await syncNew({ base: first.written.path })
    assert.deepEqual([counts.missing, counts.fetched], [['GHSA-8'], 1])
    const record = toOsvRecord('GHSA-8', 'npm', 'late')
    writeFileSync(join(source, 'npm', 'GHSA-8.json'), JSON.stringify(record))
    const second = await syncNew({ base: written.path })
    assert.deepEqual(affecting(second.written.path, 'npm', 'late'), ['GHSA-8'])
  })

  test('a source that lost most of its records is refused unless removals are accepted', async () => {
    const many = Array.from({ length: 150 }, (_, n) => toOsvRecord(`GHSA-${n}`, 'npm', `p${n}`))
    writeOsvExport(source, many)
    const { written } = await syncNew()
    writeOsvExport(source, many.slice(0, 40))
    await assert.rejects(sync({ base: written.path }), /no longer lists 110 of the 150 records held/)
    const { counts } = await syncNew({ base: written.path, acceptRemovals: true })
    assert.deepEqual([counts.removed, counts.carried], [110, 40])
  })

  test('a source with mostly unreadable records is refused', async () => {
    writeOsvExport(source, all)
    const junk = Array.from({ length: 60 }, (_, n) => ({ name: `GHSA-${n}.json`, content: 'junk' }))
    writeFileSync(join(source, 'npm', 'all.zip'), toZip(junk))
    rmSync(join(source, 'npm', 'modified_id.csv'))
    await assert.rejects(sync(), /60 of 62 records cannot be read \(GHSA-0: not JSON/)
  })

  test('a source need not have every registry, but keeps none of which there are records', async () => {
    writeOsvExport(source, [toOsvRecord('GHSA-1', 'npm', 'a'), toOsvRecord('GHSA-2', 'PyPI', 'b')])
    rmSync(join(source, 'Go'), { recursive: true })
    const { written } = await syncNew()
    assert.deepEqual(affecting(written.path, 'npm', 'a'), ['GHSA-1'])
    await assert.rejects(sync({ registries: ['Go'] }), /Go.all\.zip does not exist/)
    rmSync(join(source, 'PyPI'), { recursive: true })
    await assert.rejects(sync({ base: written.path }), /PyPI.all\.zip does not exist/)
  })

  test('a registry named only by records of others counts as one without advisories', async () => {
    const record = toOsvRecord('GHSA-1', 'npm', 'a')
    const shared = { ...record.affected[0]!, package: { ecosystem: 'SwiftURL', name: 'git.example/a/b' } }
    writeOsvExport(source, [{ ...record, affected: [...record.affected, shared] }])
    rmSync(join(source, 'SwiftURL'), { recursive: true })
    const { written } = await syncNew()
    assert.deepEqual(Object.keys(written.registries), ['npm'])
    assert.deepEqual(affecting(written.path, 'SwiftURL', 'git.example/a/b'), ['GHSA-1'])
    assert.equal((await sync({ base: written.path })).result.outcome, 'unchanged')
  })

  const faults: { why: string; spoil: () => void; message: RegExp }[] = [
    {
      why: 'has no such folder',
      spoil: () => rmSync(source, { recursive: true }),
      message: /npm.all\.zip does not exist/,
    },
    {
      why: 'has a broken list',
      spoil: () => writeFileSync(join(source, 'PyPI', 'modified_id.csv'), '<html>'),
      message: /PyPI\/modified_id\.csv: line 1/,
    },
    {
      why: 'has a broken archive',
      spoil: () => writeFileSync(join(source, 'Maven', 'all.zip'), 'PK'),
      message: /no readable zip/,
    },
  ]
  for (const { why, spoil, message } of faults) {
    test(`a sync fails and leaves no files if the source ${why}`, async () => {
      writeOsvExport(source, [...all, toOsvRecord('GHSA-6', 'Maven', 'g:a')])
      spoil()
      const dir = join(root, 'out')
      mkdirSync(dir)
      await assert.rejects(sync({ dir }), (error) => error instanceof SyncFailed && message.test(error.message))
      assert.deepEqual(readdirSync(dir), [])
    })
  }

  test('the source may be a file: URL of a folder', async () => {
    writeOsvExport(source, all)
    const { counts } = await syncNew({ from: pathToFileURL(source).href })
    assert.equal(counts.fetched, 7)
  })

  test('a sync over HTTP reads archives or single records, detects no change, and refuses error responses', async () => {
    writeOsvExport(source, all, { single: true })
    const requests: string[] = []
    let answer = serveFiles(source)
    await using server = await serveHttp((request, response) => {
      requests.push(request.url!)
      answer(request, response)
    })
    const from = `${server.url}/export/`
    const first = await syncNew({ from })
    assert.deepEqual(
      [first.counts.fetched, openSnapshotFile(first.written.path).header.source],
      [7, `${server.url}/export`],
    )
    assert.ok(
      first.progress.some(({ phase, unit, done, total }) => phase === 'fetching' && unit === 'bytes' && done === total),
    )

    requests.length = 0
    assert.deepEqual((await sync({ from, base: first.written.path })).result, {
      outcome: 'unchanged',
      exploitSources: [],
    })
    assert.deepEqual(
      requests,
      registries.map((registry) => `/export/${encodeURIComponent(registry)}/modified_id.csv`),
    )

    writeOsvExport(source, [changed(all[0]!, { summary: 'News' }), ...all.slice(1)], { single: true })
    requests.length = 0
    const { counts } = await syncNew({ from, base: first.written.path })
    assert.deepEqual(
      [counts.fetched, counts.carried, requests.filter((url) => !url.endsWith('.csv'))],
      [1, 6, ['/export/npm/GHSA-1.json']],
    )

    answer = (_request, response) => response.writeHead(500).end('broken')
    await assert.rejects(
      sync({ from }),
      (error) => error instanceof SyncFailed && /npm\/modified_id\.csv answered 500/.test(error.message),
    )
    answer = (_request, response) => response.writeHead(404).end()
    await assert.rejects(sync({ from }), /npm\/all\.zip: answered 404/)
    answer = (request, response) =>
      request.url!.endsWith('.csv') ? response.writeHead(404).end() : response.end('<html>a captive portal</html>')
    await assert.rejects(sync({ from }), /no readable zip/)
  })

  test('an aborted sync fails and leaves no files', async () => {
    writeOsvExport(
      source,
      Array.from({ length: 600 }, (_, n) => toOsvRecord(`GHSA-${n}`, 'npm', `p${n}`)),
    )
    const dir = join(root, 'out')
    mkdirSync(dir)
    const order = { from: source, registries, dir, now: NOW, acceptRemovals: false, outgoing: { allow: [] } }
    await assert.rejects(
      syncToFile(order, { onProgress: () => {}, signal: AbortSignal.abort(new Error('stop')) }),
      /stop/,
    )
    assert.deepEqual(readdirSync(dir), [])
  })

  test('chooseRegistries: selects registries by name, refuses unknown ones', () => {
    assert.deepEqual(chooseRegistries(['pypi', 'Go']), ['PyPI', 'Go'])
    assert.deepEqual(chooseRegistries([]), registries)
    assert.throws(() => chooseRegistries(['cargo']), /"cargo" is none of npm, PyPI/)
  })
})

function toWritten(result: FileSync) {
  assert.ok(result.outcome === 'written')
  return result
}

function idsOf(path: string): string[] {
  const file = openSnapshotFile(path)
  const advisories = openAdvisories(file)
  const ids = Array.from({ length: file.records }, (_, record) => advisories.readRecord(record).id)
  advisories.close()
  return ids
}

function affecting(path: string, registry: Registry, name: string): string[] {
  const advisories = openAdvisories(openSnapshotFile(path))
  const ids = advisories.snapshot.affecting(registry, name, '0.9.0').map(({ record }) => advisories.idOf(record))
  advisories.close()
  return ids
}

function serveFiles(dir: string): RequestListener {
  return (request, response) => {
    try {
      response.end(readFileSync(join(dir, decodeURIComponent(request.url!).replace('/export/', '/'))))
    } catch {
      response.writeHead(404).end()
    }
  }
}
