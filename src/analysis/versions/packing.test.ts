import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { volume } from '#test/volume.ts'
import { compareNaturals, compareText } from './naturals.ts'
import { type Packing, packBits, packNatural, packPrerelease, packText, startPacking, toPacked } from './packing.ts'

const naturals = fc.array(fc.bigInt({ min: 0n, max: 2n ** 70n }).map(String), { minLength: 3, maxLength: 3 })
const text = fc.stringMatching(/^[-0-9A-Za-z]{0,12}$/)

function packAll(numbers: readonly string[]): number {
  const packing = startPacking()
  for (const number of numbers) packNatural(packing, number)
  return toPacked(packing)
}

function packOne(word: string): number {
  const packing = startPacking()
  packText(packing, word)
  return toPacked(packing)
}

test('packed numbers never contradict the order of numbers', () => {
  fc.assert(
    fc.property(naturals, naturals, (a, b) => {
      const first = a.findIndex((number, i) => number !== b[i])
      const order = first < 0 ? 0 : Math.sign(compareNaturals(a[first]!, b[first]!))
      assert.ok([0, order].includes(Math.sign(packAll(a) - packAll(b))))
    }),
  )
})

test('packed text never contradicts the order of text', () => {
  fc.assert(
    fc.property(text, text, (a, b) => assert.ok([0, compareText(a, b)].includes(Math.sign(packOne(a) - packOne(b))))),
  )
})

test('packed pre-releases never contradict the order of pre-releases', () => {
  const word = fc.constantFrom(
    '-',
    'A',
    'SNAPSHOT',
    'SNAPSHOT1',
    'a',
    'al',
    'alpha',
    'alpha1',
    'b',
    'c',
    'rc',
    'rc1',
    'rd',
    'z',
  )
  const pack = (words: readonly string[]) => {
    const packing = startPacking()
    packPrerelease(packing, words)
    return toPacked(packing)
  }
  fc.assert(
    fc.property(word, word, (a, b) => assert.equal(Math.sign(pack([a]) - pack([b])), compareText(a, b))),
    { numRuns: volume(500) },
  )
  assert.ok(pack(['alpha']) < pack(['alpha', '0']))
  assert.ok(pack(['alpha', '9']) < pack(['alpha', '10']))
  assert.ok(pack(['99']) < pack(['-']))
  assert.ok(pack(['zzz']) < pack([]))
})

test('a packing is an integer below 2^53, full or not', () => {
  assert.equal(packAll([]), 0)
  assert.equal(toPacked(startPacking()), 0)
  for (const numbers of [['0'], ['1', '2', '3'], ['9'.repeat(400)], new Array(99).fill('536870911')]) {
    const packed = packAll(numbers)
    assert.ok(Number.isSafeInteger(packed) && packed >= 0, String(packed))
  }
  const full = startPacking()
  packBits(full, 2 ** 53 - 1, 53)
  packBits(full, 1, 1)
  assert.equal(toPacked(full), 2 ** 53 - 1)
})

test('a packing has room for ordinary versions', () => {
  assert.ok(packAll(['1', '2', '3']) < packAll(['1', '2', '4']))
  assert.ok(packAll(['20240131', '123456', '7']) < packAll(['20240131', '123456', '8']))
  assert.ok(packOne('alpha') < packOne('beta'))
})

test('text outside ASCII ends the packing instead of giving a wrong order', () => {
  assert.equal(packOne('é'), packOne('ü'))
  const packing = startPacking()
  packPrerelease(packing, ['é', '1'])
  assert.equal(packing.room, 0)
})

/** Returns the packed fields as bits. */
function bitsOf(pack: (packing: Packing) => void): string {
  const packing = startPacking()
  pack(packing)
  const used = 53 - packing.room
  const bits = toPacked(packing).toString(2).padStart(53, '0')
  assert.equal(bits.length, 53)
  return bits.slice(0, used)
}

test('packed numbers: five bits for the width, then the bits after the leading one', () => {
  const packed = (natural: string) => bitsOf((packing) => packNatural(packing, natural))
  assert.equal(packed('0'), '00000')
  assert.equal(packed('1'), '00001')
  assert.equal(packed('5'), '00011' + '01')
  assert.equal(packed('999999999').length, 5 + 29)
  assert.equal(packed('1000000000').length, 53)
})

test('packed pre-releases: one bit, two per kind of identifier, and two for the end', () => {
  const packed = (...identifiers: string[]) => bitsOf((packing) => packPrerelease(packing, identifiers))
  assert.equal(packed(), '1' + '00')
  assert.equal(packed('1'), '0' + '01' + '00001' + '00')
  assert.equal(packed('alpha'), '0' + '10' + '00101' + '00')
  assert.equal(packed('b1'), '0' + '10' + '01000' + '100111' + '000011' + '000000' + '00')
  const usual = ['SNAPSHOT', 'a', 'alpha', 'b', 'beta', 'canary', 'dev', 'experimental', 'next', 'pre', 'preview', 'rc']
  for (const [at, word] of usual.entries()) {
    assert.equal(packed(word), `010${(2 * at + 1).toString(2).padStart(5, '0')}00`, word)
  }
})
