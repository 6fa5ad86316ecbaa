import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toZip } from '#test/repositories/zip.ts'
import { volume } from '#test/volume.ts'
import { readWheelEnd, readWheelEntry, type WheelPart } from './wheel-end.ts'

const text = 'Metadata-Version: 2.1\nName: a\n'
const metadata = { name: 'a-1.0.dist-info/METADATA', content: text }
const noise = (length: number) => Buffer.from(Array.from({ length }, (_, at) => (at * 7919) % 251))

/** Reads like the registry: the end first, then the requested ranges. */
function read(wheel: Buffer, endBytes: number): { text: string | undefined; questions: number } {
  let from = Math.max(0, wheel.length - endBytes)
  let part: WheelPart = readWheelEnd({ bytes: wheel.subarray(from), start: from, total: wheel.length })
  let questions = 1
  for (; 'from' in part && questions < 5; questions++) {
    from = part.from
    const bytes = wheel.subarray(from, part.to)
    const received = { bytes, start: from, total: wheel.length }
    part = part.entry === undefined ? readWheelEnd(received) : readWheelEntry(received, part.entry)
  }
  return { text: 'text' in part ? part.text : undefined, questions }
}

const cases: [why: string, wheel: Buffer, questions: number][] = [
  ['within the end that is read first', toZip([{ name: 'a.py', content: 'x' }, metadata]), 1],
  ['stored', toZip([{ ...metadata, method: 0 }]), 1],
  ['before much other content', toZip([metadata, { name: 'a.so', content: noise(200_000), method: 0 }]), 2],
  [
    'with a central directory longer than the end',
    toZip([
      metadata,
      ...Array.from({ length: 3_000 }, (_, at) => ({ name: `a/${at}/${'x'.repeat(60)}.py`, content: '' })),
    ]),
    3,
  ],
]
for (const [why, wheel, questions] of cases) {
  test(`wheel metadata is found: ${why}`, () => assert.deepEqual(read(wheel, 65_536), { text, questions }))
}

test('wheel metadata of a nested package does not count', () => {
  assert.equal(read(toZip([{ ...metadata, name: 'a/vendored-1.0.dist-info/METADATA' }]), 65_536).text, undefined)
})

test('wheel metadata is found in random archives, wherever the end begins', () => {
  const entries = fc.array(fc.record({ name: fc.string({ minLength: 1, maxLength: 50 }), content: fc.string() }), {
    maxLength: 20,
  })
  const run = (others: { name: string; content: string }[], at: number, endBytes: number) =>
    read(toZip([...others.slice(0, at), metadata, ...others.slice(at)]), endBytes).text
  fc.assert(
    fc.property(entries, fc.nat(20), fc.integer({ min: 22, max: 3_000 }), (...all) => run(...all) === text),
    { numRuns: volume(300) },
  )
})

test('wheel metadata: changed bytes give text or nothing, without an exception', () => {
  const wheel = toZip([{ name: 'a.py', content: noise(500) }, metadata])
  const change = fc.tuple(fc.nat(wheel.length - 1), fc.nat(255))
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 700 }),
      (changes, endBytes) => {
        const changed = Buffer.from(wheel)
        for (const [at, byte] of changes) changed[at] = byte
        const { text: content, questions } = read(changed, endBytes)
        return questions <= 5 && (content === undefined || typeof content === 'string')
      },
    ),
    { numRuns: volume(1_000) },
  )
})
