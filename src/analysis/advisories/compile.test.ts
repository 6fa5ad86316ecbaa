import assert from 'node:assert/strict'
import test from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import { startCompilation } from './compile.ts'
import { unpackIndex } from './index-layout.ts'
import type { OsvAffected, OsvRecord } from './osv.ts'
import { schemes } from './schemes.ts'

function start() {
  const written: Uint8Array[] = []
  const compilation = startCompilation({
    schemes,
    deflate: deflateRawSync,
    checksum: crc32,
    writeDetails: (bytes) => written.push(bytes),
  })
  return { compilation, written }
}

function record(id: string, rest: Partial<OsvRecord> = {}): OsvRecord {
  return { id, modified: '2024-01-01T00:00:00Z', affected: [], ...rest }
}

const entry = (name: string, rest: Partial<OsvAffected> = {}): OsvAffected => ({
  package: { ecosystem: 'npm', name },
  versions: ['1.0.0'],
  ...rest,
})

test('details: written once per record, consecutively, compressed or as stored', () => {
  const { compilation, written } = start()
  const stored = Buffer.from('compressed before')
  assert.equal(compilation.add(record('B-1', { affected: [entry('a')] })), 'added')
  assert.equal(compilation.add(record('A-1'), stored), 'added')
  const { index, records } = compilation.finish()
  const arrays = unpackIndex(index.buffer)
  const deflated = deflateRawSync(JSON.stringify(record('B-1', { affected: [entry('a')] })))
  assert.deepEqual(written.map(Buffer.from), [deflated, stored])
  assert.equal(records, 2)
  // Record numbers follow the ids: A-1 is first.
  assert.deepEqual([...arrays.detailStart], [deflated.length, 0])
  assert.deepEqual([...arrays.detailLength], [stored.length, deflated.length])
  assert.deepEqual([...arrays.detailChecksum], [crc32(stored), crc32(deflated)])
  assert.deepEqual([...arrays.recordModified], [Date.UTC(2024, 0), Date.UTC(2024, 0)])
})

test('compilation: knows an added record by its id', () => {
  const { compilation } = start()
  compilation.add(record('A-1'))
  assert.deepEqual([compilation.has('A-1'), compilation.has('A-2')], [true, false])
})

test('add: a record with the same modification time as a known one is refused as older', () => {
  const { compilation, written } = start()
  compilation.add(record('A-1'))
  assert.equal(compilation.add(record('A-1', { affected: [entry('a')] })), 'older')
  assert.equal(written.length, 1)
})

test('registries: counts of records and packages, and the newest modification, for each', () => {
  const { compilation } = start()
  const both = [entry('a'), entry('b')]
  compilation.add(record('A-1', { modified: '2024-03-01T00:00:00Z', affected: both }))
  compilation.add(record('A-2', { modified: '2024-02-01T00:00:00Z', affected: [entry('a')] }))
  compilation.add(record('A-3', { affected: [entry('a', { package: { ecosystem: 'PyPI', name: 'a' } })] }))
  assert.deepEqual(compilation.finish().registries, {
    npm: { records: 2, packages: 2, newestModified: '2024-03-01T00:00:00.000Z' },
    PyPI: { records: 1, packages: 1, newestModified: '2024-01-01T00:00:00.000Z' },
  })
})

test('details: 4 GiB and more are refused', () => {
  const compilation = startCompilation({ schemes, deflate: deflateRawSync, checksum: () => 0, writeDetails: () => {} })
  const quarter = new Uint8Array(2 ** 30)
  for (const id of ['A-1', 'A-2', 'A-3']) compilation.add(record(id), quarter)
  compilation.add(record('A-4'), quarter.subarray(1))
  assert.throws(() => compilation.add(record('A-5'), quarter.subarray(0, 1)), RangeError)
})

test('unreadable bounds: all are counted, 50 are listed, including starts of ranges', () => {
  const { compilation } = start()
  const events = [
    { introduced: 'long ago' },
    { fixed: 'soon' },
    { limit: '*' },
    { introduced: '0' },
    { fixed: '1.0.0' },
  ]
  for (let n = 10; n < 40; n++) {
    compilation.add(record(`A-${n}`, { affected: [entry('a', { ranges: [{ type: 'SEMVER', events }] })] }))
  }
  const { count, examples } = compilation.finish().unreadableBounds
  assert.deepEqual([count, examples.length], [60, 50])
  assert.deepEqual(examples.slice(0, 2), ['A-10: npm a introduced long ago', 'A-10: npm a fixed soon'])
})

test('unreadable bounds: one of a Go path is listed once despite several spellings', () => {
  const { compilation } = start()
  const go = { ecosystem: 'Go', name: 'github.com/A/b' }
  const ranges = [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: 'soon' }] }]
  compilation.add(record('A-1', { affected: [entry('', { package: go, ranges })] }))
  assert.deepEqual(compilation.finish().unreadableBounds, {
    count: 1,
    examples: ['A-1: Go github.com/A/b fixed soon'],
  })
})

test('ratedElsewhere: records without a vector and those that rate them, after modifications too', () => {
  const { compilation } = start()
  const severity = [{ type: 'CVSS_V3', score: 'x' }]
  compilation.add(record('A-1', { aliases: ['CVE-1'] }))
  compilation.add(record('B-1', { aliases: ['CVE-1'], severity }))
  compilation.add(record('C-1', { aliases: ['CVE-1'], severity }))
  compilation.add(record('C-1', { modified: '2024-02-01T00:00:00Z', aliases: ['CVE-2'], severity }))
  assert.deepEqual(compilation.finish().ratedElsewhere, { 'A-1': ['B-1'] })
})
