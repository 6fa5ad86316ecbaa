import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { judgeLines } from '#test/manifests/version-lines.ts'
import { versionSchemes } from './index.ts'

for (const scheme of Object.values(versionSchemes)) {
  test(`${scheme.id} orders the versions of fixtures/${scheme.id}.txt`, () => {
    const text = readFileSync(join(import.meta.dirname, 'fixtures', `${scheme.id}.txt`), 'utf8')
    const { judged, mismatches } = judgeLines(scheme, text)
    assert.deepEqual(mismatches, [])
    assert.ok(judged >= 40, `only ${judged} lines`)
  })
}
