import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutText } from './cut-text.ts'

test('cut texts: at most the given length, between whole characters', () => {
  const family = '👨‍👩‍👧'
  const cases: [text: string, most: number, cut: string][] = [
    ['short', 5, 'short'],
    ['longer', 5, 'longe'],
    ['abc😀', 4, 'abc'],
    ['abc😀', 5, 'abc😀'],
    [`ab${family}c`, 9, 'ab'],
    [`ab${family}c`, 10, `ab${family}`],
    ['nae\u0308x', 3, 'na'],
    [`${'x'.repeat(200)}😀`, 201, 'x'.repeat(200)],
  ]
  for (const [text, most, cut] of cases) assert.equal(cutText(text, most), cut, `${text} ${most}`)
  const endless = `e${'\u0308'.repeat(500)}`
  assert.equal(cutText(endless, 100).length, 100)
})
