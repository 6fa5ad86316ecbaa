import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemes } from '#analysis/advisories/schemes.ts'
import { toFullUpgradePath } from './full-upgrade-path.ts'

const from = ['top@1.0.0', 'middle@1.0.0', 'bad@1.0.0']
const affected = { from, package: 'bad', version: '1.0.0', fixedIn: ['0.9.1', '2.0.0', '1.10.0', '1.9.0'] }

const cases: [why: string, upgradePath: string[], expected: string[]][] = [
  ['no upgrade stays empty', [], []],
  [
    'a whole path stays as it is',
    ['top@2.0.0', 'middle@2.0.0', 'bad@2.0.0'],
    ['top@2.0.0', 'middle@2.0.0', 'bad@2.0.0'],
  ],
  [
    'dropped packages: parents repeated, the affected one at its smallest fix',
    ['top@2.0.0'],
    ['top@2.0.0', 'middle@1.0.0', 'bad@1.9.0'],
  ],
  ['a dropped affected package', ['top@2.0.0', 'middle@2.0.0'], ['top@2.0.0', 'middle@2.0.0', 'bad@1.9.0']],
]
for (const [why, upgradePath, expected] of cases) {
  test(`full upgrade path: ${why}`, () => {
    assert.deepEqual(toFullUpgradePath({ ...affected, upgradePath }, schemes.npm), expected)
  })
}
