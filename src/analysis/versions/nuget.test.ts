import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeRanges } from '#test/manifests/version-lines.ts'
import { nugetVersions, parseNuGetRange } from './nuget.ts'

test('NuGet: ranges are satisfied as in NuGet.Versioning', () => {
  const faults = judgeRanges(nugetVersions, [
    ['1.0', '1.0 1.0.0.1 2.0 2.0-a', '0.9 1.0-beta'],
    [' 1.0.0-Beta ', '1.0.0-beta 1.0.0-rc 1.0.0', '1.0.0-alpha'],
    ['[1.0]', '1 1.0.0+x', '1.0.1 1.0-a'],
    ['[1.0, )', '1.0 9', '0.9'],
    ['(1.0,)', '1.0.1', '1.0'],
    ['(,1.0]', '0 1.0 1.0-a', '1.0.1'],
    ['(, 1.0)', '0.9 1.0-a', '1.0'],
    ['[1.0,2.0)', '1.0 1.9.9 2.0-a', '2.0 0.9'],
    ['(1.0,2.0]', '1.0.1 2.0', '1.0 2.0.1'],
    ['*', '0 9.9', '0-a'],
    ['1.*', '1.0 1.9 2.0', '0.9 1.0-a'],
    ['1.0.*', '1.0.5', '0.9'],
    ['1.0.0-beta.*', '1.0.0-beta.0 1.0.0', '1.0.0-alpha'],
    ['1.*-*', '1.0-a 1.5', '0.9'],
    ['[1.*,2.0)', '1.0 1.9', '2.0'],
  ])
  assert.deepEqual(faults, [])
})

test('NuGet: refused ranges are not ranges', () => {
  const refused = ['', ' ', '[]', '[,]', '(,)', '[1.0', '1.0]', '[1.0)', '(1.0)', '[1,2,3]', '[2.0,1.0]', '[1.0,1.0)']
  for (const range of [
    ...refused,
    '1.0,',
    '>= 1.0',
    '^1.0',
    '~1.0',
    '1.x',
    '1.*.0',
    '*.1',
    '1.*+a',
    '[1.0,2.*)',
    'v1',
  ]) {
    assert.equal(nugetVersions.isRange(range), false, range)
    assert.equal(nugetVersions.satisfies('1.0', range), false, range)
  }
})

test('NuGet: white space is trimmed, around a version and around its numbers', () => {
  for (const version of [' 1.0', '1. 0', '1 .0 ', '\u00851.0\u00a0']) {
    assert.equal(nugetVersions.compare(version, '1.0'), 0, version)
  }
  for (const version of ['1.0 -a', '\ufeff1.0', '1 0', ''])
    assert.equal(nugetVersions.isValid(version), version === '1.0 -a')
})

test('NuGet: only versions with an asterisk float', () => {
  assert.deepEqual(parseNuGetRange('1.2.*'), { min: '1.2.0', includesMin: true, includesMax: false, isFloating: true })
  assert.deepEqual(parseNuGetRange('1.0-*')?.min, '1.0-0')
  assert.deepEqual(parseNuGetRange('[1.0]')?.isFloating, false)
})
