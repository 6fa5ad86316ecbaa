import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareNaturals, toNatural, toNextNatural } from './naturals.ts'

const big = fc.bigInt({ min: 0n, max: 10n ** 40n })

test('naturals compare by value at any length', () => {
  fc.assert(
    fc.property(big, big, fc.nat(3), (a, b, zeros) => {
      const difference = compareNaturals(toNatural('0'.repeat(zeros) + a), toNatural(String(b)))
      assert.equal(Math.sign(difference), a === b ? 0 : a < b ? -1 : 1)
    }),
  )
})

test('toNextNatural: adds one', () => {
  for (const [natural, next] of [
    ['0', '1'],
    ['9', '10'],
    ['1099', '1100'],
    ['9'.repeat(30), `1${'0'.repeat(30)}`],
  ] as const) {
    assert.equal(toNextNatural(natural), next)
  }
  fc.assert(fc.property(big, (number) => assert.equal(toNextNatural(String(number)), String(number + 1n))))
})

test('toNatural: empty and zero digits are 0', () => {
  assert.equal(toNatural(''), '0')
  assert.equal(toNatural('000'), '0')
})
