import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeRanges } from '#test/manifests/version-lines.ts'
import { cargoVersions } from './cargo.ts'

test('Cargo: ranges are satisfied as in the crate semver', () => {
  const faults = judgeRanges(cargoVersions, [
    ['1.2.3', '1.2.3 1.9.0 1.2.3+b', '1.2.2 2.0.0 1.2.3-rc.1 1.3.0-rc.1'],
    ['0.2.3', '0.2.3 0.2.9', '0.2.2 0.3.0'],
    ['0.0.3', '0.0.3', '0.0.4 0.0.2'],
    ['0.0', '0.0.0 0.0.9', '0.1.0'],
    ['0', '0.0.1 0.9.0', '1.0.0'],
    ['1', '1.0.0 1.9.0', '2.0.0 0.9.0'],
    ['~1.2.3', '1.2.3 1.2.9', '1.3.0 1.2.2'],
    ['~1', '1.0.0 1.9.0', '2.0.0'],
    ['1.*', '1.0.0 1.9.0', '2.0.0 1.2.0-rc.1'],
    ['1.2.X', '1.2.0', '1.3.0'],
    ['=1.2', '1.2.0 1.2.9', '1.3.0'],
    ['=0.9.36', '0.9.36+3.1.2', '0.9.37'],
    ['*', '0.0.1 99.0.0', '1.0.0-rc.1'],
    ['>=1.2, <1.5', '1.2.0 1.4.9', '1.5.0 1.1.9'],
    ['>1', '2.0.0', '1.9.0 1.0.0'],
    ['<=1.2', '1.2.9 0.1.0', '1.3.0'],
    ['1.0.0-rc.1', '1.0.0-rc.1 1.0.0-rc.2 1.0.0 1.5.0', '1.0.0-beta 1.5.0-rc.1'],
    ['^0.1, 0.1.2-rc', '0.1.2-rc.1', '0.1.3-rc.1'],
    ['=1, 1.0.0-x', '1.0.0', '1.0.0-x'],
    ['1.0.0-x.x', '1.0.0-x.x 1.0.0', '1.0.1-x.x'],
  ])
  assert.deepEqual(faults, [])
})

test('Cargo: texts that the crate semver refuses are not ranges', () => {
  const refused = [
    '',
    ' ',
    'v1',
    '1.2.3.4',
    '1.*.3',
    '1 2',
    '1,',
    '*, 1',
    '>=*',
    '01',
    '1.2-rc',
    '\t1',
    '~>1',
    '!=1',
    '1 - 2',
  ]
  const long = Array.from({ length: 33 }, () => '1').join(',')
  for (const range of [...refused, '1.18446744073709551616', long]) {
    assert.equal(cargoVersions.isRange(range), false, range)
    assert.equal(cargoVersions.satisfies('1.2.3', range), false, range)
  }
  assert.ok(cargoVersions.isRange(long.slice(2)))
})
