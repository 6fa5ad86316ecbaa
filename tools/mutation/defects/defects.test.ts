import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { defects } from './index.ts'

test('known defects: each matches its file once and has existing tests and a unique title', () => {
  for (const { title, file, text, replacement, tests } of defects) {
    assert.equal(readFileSync(file, 'utf8').split(text).length - 1, 1, `${title}: ${file} must hold its text once`)
    assert.notEqual(text, replacement, title)
    assert.ok(tests.length > 0, title)
    for (const each of tests) assert.ok(existsSync(each), `${title}: ${each} is missing`)
  }
  assert.equal(new Set(defects.map(({ title }) => title)).size, defects.length)
})
