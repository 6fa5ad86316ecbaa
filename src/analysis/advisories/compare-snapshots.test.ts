import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import type { Registry } from '#analysis/registries/registry.ts'
import { volume } from '#test/volume.ts'
import { compareSnapshots } from './compare-snapshots.ts'
import { startCompilation } from './compile.ts'
import type { OsvEvent, OsvRecord } from './osv.ts'
import { schemes } from './schemes.ts'

function compile(records: readonly OsvRecord[]): ArrayBuffer {
  const compilation = startCompilation({ schemes, deflate: deflateRawSync, checksum: crc32, writeDetails: () => {} })
  for (const record of records) compilation.add(record)
  return compilation.finish().index.buffer
}

function changed(before: readonly OsvRecord[], after: readonly OsvRecord[]): string[] {
  const changes = [...compareSnapshots(compile(before), compile(after))]
  return changes.flatMap((change) => (change ? [`${change.registry} ${change.name}`] : [])).sort()
}

interface Given {
  readonly modified?: number
  readonly fixed?: string
  readonly aliases?: string[]
  readonly withdrawn?: boolean
  readonly registry?: Registry
}

function record(id: string, names: string | readonly string[], options: Given = {}): OsvRecord {
  const { modified = 0, fixed = '2.0.0', aliases, withdrawn = false, registry = 'npm' } = options
  const events = [{ introduced: '0' }, { fixed }]
  return {
    id,
    modified: new Date(modified).toISOString(),
    affected: [names]
      .flat()
      .map((name) => ({ package: { ecosystem: registry, name }, ranges: [{ type: 'ECOSYSTEM', events }] })),
    ...(aliases && { aliases }),
    ...(withdrawn && { withdrawn: new Date(modified).toISOString() }),
  } as OsvRecord
}

function withEvents(of: OsvRecord, events: readonly OsvEvent[]): OsvRecord {
  return { ...of, affected: of.affected.map((affected) => ({ ...affected, ranges: [{ type: 'ECOSYSTEM', events }] })) }
}

const a = record('A-1', 'left')
const b = record('B-1', ['left', 'right'])

const cases: { why: string; before: OsvRecord[]; after: OsvRecord[]; expected: string[] }[] = [
  { why: 'no change', before: [a, b], after: [b, a], expected: [] },
  { why: 'a new record', before: [b], after: [a, b], expected: ['npm left'] },
  { why: 'a removed record', before: [a, b], after: [a], expected: ['npm left', 'npm right'] },
  { why: 'the first record of a name', before: [a], after: [a, record('C-1', 'new')], expected: ['npm new'] },
  {
    why: 'a modified record with the same ranges',
    before: [a, b],
    after: [record('A-1', 'left', { modified: 1 }), b],
    expected: ['npm left'],
  },
  {
    why: 'a withdrawn record',
    before: [a, b],
    after: [a, record('B-1', ['left', 'right'], { modified: 1, withdrawn: true })],
    expected: ['npm left', 'npm right'],
  },
  {
    why: 'a modified record of a name in another registry',
    before: [a, record('P-1', 'left', { registry: 'PyPI' })],
    after: [a, record('P-1', 'left', { registry: 'PyPI', modified: 1 })],
    expected: ['PyPI left'],
  },
  {
    why: 'a new record with a PyPI name, normalized',
    before: [],
    after: [record('P-1', 'Two.Words', { registry: 'PyPI' })],
    expected: ['PyPI two-words'],
  },
  {
    why: 'a changed bound in a record with the same modification time',
    before: [a, b],
    after: [record('A-1', 'left', { fixed: '3.0.0' }), b],
    expected: ['npm left'],
  },
  {
    why: 'an additional range in a record with the same modification time',
    before: [a, b],
    after: [{ ...a, affected: [...a.affected, ...record('A-1', 'left', { fixed: '1.0.0' }).affected] }, b],
    expected: ['npm left'],
  },
  {
    why: 'listed versions instead of a range with the same bound',
    before: [a],
    after: [{ ...a, affected: [{ ...a.affected[0]!, ranges: [], versions: ['2.0.0'] }] }],
    expected: ['npm left'],
  },
  {
    why: 'records joined by a new alias with the same modification time',
    before: [a, record('B-1', 'left')],
    after: [a, record('B-1', 'left', { aliases: ['A-1'] })],
    expected: ['npm left'],
  },
  {
    why: 'a registry that comes after all others',
    before: [a],
    after: [a, record('G-1', 'a', { registry: 'Go' }), record('P-1', 'z', { registry: 'PyPI' })],
    expected: ['Go a', 'PyPI z'],
  },
  {
    why: 'a removed record without effect on other names',
    before: [a, b],
    after: [b],
    expected: ['npm left'],
  },
  {
    why: 'one more record with the same range',
    before: [a],
    after: [a, record('Z-1', 'left')],
    expected: ['npm left'],
  },
  {
    why: 'a changed only bound in a record with the same modification time',
    before: [a],
    after: [record('A-1', 'left', { fixed: '3.0.0' })],
    expected: ['npm left'],
  },
  {
    why: 'an additional bound that changes no range',
    before: [a],
    after: [withEvents(a, [{ introduced: '0' }, { fixed: '2.0.0' }, { fixed: '3.0.0' }])],
    expected: ['npm left'],
  },
  {
    why: 'another start of a range with the same bounds',
    before: [withEvents(a, [{ introduced: '1.0.0' }, { fixed: '2.0.0' }])],
    after: [withEvents(a, [{ introduced: '0' }, { fixed: '2.0.0' }, { fixed: '1.0.0' }, { introduced: '1.0.0' }])],
    expected: ['npm left'],
  },
  {
    why: 'a change of the second of two bounds in a later package',
    before: [a, withEvents(record('B-1', 'right'), [{ introduced: '1.0.0' }, { fixed: '2.0.0' }])],
    after: [a, withEvents(record('B-1', 'right'), [{ introduced: '1.0.0' }, { fixed: '3.0.0' }])],
    expected: ['npm right'],
  },
  {
    why: 'no change, with several bounds in a later package',
    before: [a, withEvents(record('B-1', 'right'), [{ introduced: '1.0.0' }, { fixed: '2.0.0' }])],
    after: [a, withEvents(record('B-1', 'right'), [{ introduced: '1.0.0' }, { fixed: '2.0.0' }])],
    expected: [],
  },
  {
    why: 'an additional name of a record, alphabetically before the other',
    before: [record('A-1', 'b')],
    after: [record('A-1', ['a', 'b'])],
    expected: ['npm a'],
  },
  {
    why: 'a removed name of one registry before a name of another',
    before: [record('A-1', 'z'), record('P-1', 'b', { registry: 'PyPI' })],
    after: [record('P-1', 'b', { registry: 'PyPI' })],
    expected: ['npm z'],
  },
  {
    why: 'a new name that is a prefix of another',
    before: [record('A-1', ['aa', 'ab-'])],
    after: [record('A-1', ['aa', 'ab-']), record('B-1', 'ab')],
    expected: ['npm ab'],
  },
  {
    why: 'a removed name that is a prefix of another',
    before: [record('A-1', ['aa', 'ab-']), record('B-1', 'ab')],
    after: [record('A-1', ['aa', 'ab-'])],
    expected: ['npm ab'],
  },
  { why: 'the removal of all records', before: [a, b], after: [], expected: ['npm left', 'npm right'] },
  {
    why: 'a new record ordered before the others, only its own name',
    before: [b],
    after: [record('A-0', 'other'), b],
    expected: ['npm other'],
  },
]

describe('names that differ between two snapshots', () => {
  for (const { why, before, after, expected } of cases) {
    test(`names that differ after ${why}`, () => assert.deepEqual(changed(before, after), expected.toSorted()))
  }

  test('compared random snapshots differ in the names of added, removed and modified records', () => {
    const names = ['a', 'b', 'ab', 'abc', 'c']
    const records = fc
      .uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 12 })
      .chain((ids) =>
        fc.tuple(...ids.map((id) => fc.tuple(fc.constant(id), fc.subarray(names, { minLength: 1 }), fc.nat(1)))),
      )
      .map((list) =>
        list.map(([id, own, modified]) => record(`X-${id}`, own, { modified, fixed: `${id + modified + 1}.0.0` })),
      )
    const about = (list: readonly OsvRecord[], name: string) =>
      list
        .filter(({ affected }) => affected.some((affected) => affected.package.name === name))
        .map(({ id, modified }) => `${id} ${modified}`)
        .sort()
        .join()
    fc.assert(
      fc.property(records, records, (before, after) => {
        const expected = names.filter((name) => about(before, name) !== about(after, name)).map((name) => `npm ${name}`)
        assert.deepEqual(changed(before, after), expected.sort())
      }),
      { numRuns: volume(300) },
    )
  })

  test('compareSnapshots: yields after every 4,000 records and names', () => {
    const snapshot = compile(Array.from({ length: 4_500 }, (_, n) => record(`A-${10_000 + n}`, `name-${n}`)))
    assert.deepEqual([...compareSnapshots(snapshot, snapshot)], [undefined, undefined])
  })
})
