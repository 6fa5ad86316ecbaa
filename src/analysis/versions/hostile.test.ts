import assert from 'node:assert/strict'
import { test } from 'node:test'
import { versionSchemes } from './index.ts'

const LENGTH = 30_000

/** Each makes another loop run long. */
const units = [
  '9',
  '0',
  '.',
  '-',
  'a',
  '1.',
  '1-',
  '1a',
  '.a',
  '-1',
  '1!',
  '1_',
  ' ',
  ',',
  '[',
  '[1,2],',
  '||',
  '>=',
  '>= 1,',
  '~> 1 ',
  '^ ',
  '==',
  '1 - ',
  'x.',
  '+a',
  '\u0663',
  '\ud800',
]
const frames = [
  ['', ''],
  ['1', '1'],
  ['1.0.0-', 'a'],
  ['1.0.0+', '!'],
  ['>=1.0', ' x'],
] as const

for (const scheme of Object.values(versionSchemes)) {
  test(`${scheme.id}: reads ${LENGTH} hostile characters without throwing`, () => {
    for (const unit of units) {
      for (const [start, end] of frames) {
        const text = start + unit.repeat(LENGTH / unit.length) + end
        const other = `${text}1`
        assert.equal(Math.sign(scheme.compare(text, other)) + Math.sign(scheme.compare(other, text)), 0)
        assert.equal(typeof scheme.satisfies(text, other), 'boolean')
        assert.equal(typeof scheme.satisfies('1.0.0', text), 'boolean')
        assert.equal(typeof scheme.satisfies(text, `~> ${text}`), 'boolean')
      }
    }
  })
}

test('numbers of a million digits are compared digit by digit', () => {
  const digits = '9'.repeat(1_000_000)
  for (const id of ['pep440', 'rubygems', 'maven', 'go'] as const) {
    assert.ok(versionSchemes[id].compare(`1.${digits}`, `1.1${'0'.repeat(digits.length)}`) < 0, id)
  }
})
