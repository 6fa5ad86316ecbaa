import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { judgeMarker, judgeRequirement } from '#test/manifests/python-judgments.ts'
import { toEnvironment } from '../packaging/environment.ts'

/** Results of `packaging` 26 for generated texts: `GOLDEN=1 npm run compare -- --only pip`. */
const { markers } = toEnvironment({ version: '3.13.2', platform: 'linux' })

for (const [file, judge] of [
  ['markers.txt', judgeMarker],
  ['requirements.txt', judgeRequirement],
] as const) {
  test(`golden ${file}: all lines are judged as by packaging`, () => {
    const lines = readFileSync(path.join(import.meta.dirname, 'golden', file), 'utf8')
      .trimEnd()
      .split('\n')
    assert.ok(lines.length > 500)
    const faults = lines.filter((line) => {
      const [text = '', expected] = line.split('\t')
      return judge(JSON.parse(text) as string, markers) !== expected
    })
    assert.deepEqual(faults, [])
  })
}
