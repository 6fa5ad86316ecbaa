import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { judgeLines } from '#test/manifests/version-lines.ts'
import { versionSchemes } from './index.ts'
import type { VersionScheme } from './version-scheme.ts'

const folder = join(import.meta.dirname, '../../../../shared/data/versions')
const skip = existsSync(folder) ? false : 'needs ../shared'

const files: readonly (readonly [string, VersionScheme['id']])[] = [
  ['npm', 'npm'],
  ['go', 'go'],
  ['pypi', 'pep440'],
  ['rubygems', 'rubygems'],
  ['maven', 'maven'],
]

/**
 * Lines that contradict Maven itself, in every version since 3.8.7 up to 4.0.0-rc-5, and its resolver in every version
 * (decision 0010). All but the first were true up to 3.8.6, before `.x1` came to mean `-x1`; the first never was.
 */
const notMaven = [
  '1-1 = 1-ga-1',
  '1.0.0-gradle-rework-beta3 < 1.0.0.RC7-3',
  '2.9.0-1 < 2.9.0.RC1',
  '1.1.34.sec10 < 1.1.34_noneautotype',
  '1.1.46.sec10 < 1.1.46_noneautotype',
  '1.2.8.sec10_noneautotype < 1.2.8_noneautotype',
  '1.2.48.sec10 < 1.2.48_noneautotype',
  '1.2.50.sec10 < 1.2.50_noneautotype',
  '1.2.54.sec10 < 1.2.54_noneautotype',
  '1.2.57.sec10 < 1.2.57_noneautotype',
  '1.2.60.sec10 < 1.2.60_noneautotype',
  '1.5.9.RC1 < 1.5.9-RC0',
  '1.1.0-01-glassfish < 1.1.0.Beta1',
]

for (const [file, id] of files) {
  test(`${id} orders the lines of ../shared/data/versions/${file}.txt`, { skip }, () => {
    const { judged, mismatches } = judgeLines(versionSchemes[id], readFileSync(join(folder, `${file}.txt`), 'utf8'))
    assert.deepEqual(mismatches, id === 'maven' ? notMaven : [])
    assert.ok(judged > 0)
  })
}

/**
 * `packaging` refuses one side or both of these 36; their order is ours, since refused text comes first, by code unit.
 */
test('PEP 440 gives no order for exactly 36 known lines of pypi.txt', { skip }, () => {
  const lines = readFileSync(join(folder, 'pypi.txt'), 'utf8').trim().split('\n')
  const legacy = lines.filter((line) =>
    line.split(/ [<=>] /).some((version) => !versionSchemes.pep440.isValid(version)),
  )
  assert.equal(legacy.length, 36)
})

for (const scheme of Object.values(versionSchemes)) {
  test(`${scheme.id} orders the versions of fixtures/${scheme.id}.txt`, () => {
    const text = readFileSync(join(import.meta.dirname, 'fixtures', `${scheme.id}.txt`), 'utf8')
    const { judged, mismatches } = judgeLines(scheme, text)
    assert.deepEqual(mismatches, [])
    assert.ok(judged >= 40, `only ${judged} lines`)
  })
}
