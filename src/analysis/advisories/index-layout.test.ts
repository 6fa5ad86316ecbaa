import assert from 'node:assert/strict'
import test from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import { startCompilation } from './compile.ts'
import { unpackIndex } from './index-layout.ts'
import type { OsvRecord } from './osv.ts'
import { schemes } from './schemes.ts'

const SECTIONS = 23

/** A compiled index of one record, with a number of its directory replaced. */
function indexWith(at: number, change: (value: number) => number): ArrayBuffer {
  const details: Uint8Array[] = []
  const tools = {
    schemes,
    deflate: deflateRawSync,
    checksum: crc32,
    writeDetails: (bytes: Uint8Array) => details.push(bytes),
  }
  const compilation = startCompilation(tools)
  const affected = [{ package: { ecosystem: 'npm', name: 'left' }, versions: ['1.0.0', '2.0.0', '3.0.0'] }]
  const record: OsvRecord = { id: 'A-1', modified: '2024-01-01T00:00:00Z', affected }
  assert.deepEqual([compilation.add(record), compilation.add(record)], ['added', 'older'])
  assert.equal(details.length, 1)
  const source = { label: 'x', kind: 'kev', released: '', fetchedAt: 0, entries: 1, digest: '' } as const
  const { buffer } = compilation.finish([{ source, entries: [{ cve: 'CVE-2021-44228' }] }]).index
  const directory = new Uint32Array(buffer, 0, 1 + SECTIONS * 2)
  directory[at] = change(directory[at]!)
  return buffer
}

test('index: the known layout opens', () => {
  const arrays = unpackIndex(indexWith(0, (value) => value))
  assert.equal(Object.keys(arrays).length, SECTIONS)
  assert.equal(String.fromCharCode(...arrays.packageNames), 'left')
})

test('index: another number of sections is refused', () => {
  assert.throws(() => unpackIndex(indexWith(0, (value) => value + 1)), /another number of sections/)
  assert.throws(() => unpackIndex(new ArrayBuffer(8)), /too short/)
})

for (let section = 0; section < SECTIONS; section++) {
  test(`index: refused if section ${section} is misaligned or exceeds the end`, () => {
    for (const change of [(offset: number) => offset + 1, (offset: number) => offset + 4, () => 8_000_000]) {
      assert.throws(() => unpackIndex(indexWith(1 + 2 * section, change)), /lies outside the index/)
    }
    for (const length of [1000, 8_000_000]) {
      assert.throws(() => unpackIndex(indexWith(2 + 2 * section, () => length)), /lies outside the index/)
    }
  })
}

test('index: refused if a section has fewer entries than the others require', () => {
  const names = Object.keys(unpackIndex(indexWith(0, (value) => value)))
  const isFree = (name: string) => /^(?:recordIds|packageNames|boundaryText)$/.test(name)
  for (const [section, name] of names.entries()) {
    const damaged = indexWith(2 + 2 * section, (length) => length - 1)
    if (isFree(name)) assert.doesNotThrow(() => unpackIndex(damaged), name)
    else assert.throws(() => unpackIndex(damaged), /has \d+ entries, not \d+/, name)
  }
})

test('index: without the exploit data, as format 2 wrote it, opens', () => {
  const arrays = unpackIndex(indexWith(0, () => 17))
  assert.equal(arrays.signalCve.length, 0)
  assert.equal(arrays.recordModified.length, 1)
})

test('index: the first section follows a directory of 23 entries', () => {
  assert.equal(new Uint32Array(indexWith(0, (value) => value))[1], 192)
})
