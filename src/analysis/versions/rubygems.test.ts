import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeRanges } from '#test/version-lines.ts'
import { rubygemsVersions } from './rubygems.ts'

test('requirements accept what RubyGems accepts', () => {
  const faults = judgeRanges(rubygemsVersions, [
    ['~> 1.2', '1.2 1.2.0 1.9.9 1.99', '1.1 2.0 2.0.a 1.2.a'],
    ['~> 1.2.3', '1.2.3 1.2.99 1.2.3.4', '1.3.0 1.3.a 1.2.2'],
    ['~> 1', '1 1.9', '2 2.a 0.9'],
    ['~> 1.0.a', '1.0.a 1.0.b 1.0 1.9', '2.0 0.9'],
    ['~> 9', '9.1', '10'],
    ['>= 1.0, < 2', '1.0 1.9 2.0.a', '2.0 0.9 1.0.a'],
    ['>= 1.0', '1.0 2.0.a', '1.0.rc1'],
    ['= 1.0', '1 1.0.0', '1.0.1 1.0.a'],
    ['1.0', '1.0.0', '1.1'],
    ['!= 1.0', '1.1 0.9', '1 1.0.0'],
    ['> 1', '1.0.1', '1.0 1.a'],
    ['<= 1', '1.0 1.a', '1.0.1'],
    ['<2,>=1,!=1.5', '1.4', '1.5 2'],
  ])
  assert.deepEqual(faults, [])
})

test('what RubyGems refuses is no range', () => {
  for (const range of ['', ',', '>= 1,', '=> 1', '^1.0', '~> ', '== 1', '>= 1 < 2', '>= x']) {
    assert.equal(rubygemsVersions.isRange(range), false, range)
    assert.equal(rubygemsVersions.satisfies('1.0', range), false, range)
  }
})

test('versions are valid as RubyGems reads them', () => {
  for (const version of ['', ' ', '1', ' 1.0\n', '1.0.a', '1.0-1', '1--', '1.0-a.b-c', '1.0.1a']) {
    assert.ok(rubygemsVersions.isValid(version), version)
  }
  for (const version of [
    '1.',
    '.1',
    '1..0',
    '1.0-',
    '1-.a',
    '1.-a',
    '1-a.',
    '1a',
    'a',
    '1_0',
    '1.0+1',
    '1 0',
    '\u00a01',
  ]) {
    assert.equal(rubygemsVersions.isValid(version), false, version)
  }
})
