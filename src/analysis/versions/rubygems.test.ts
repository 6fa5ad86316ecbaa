import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeLines, judgeRanges } from '#test/manifests/version-lines.ts'
import { rubygemsVersions } from './rubygems.ts'

test('RubyGems: requirements are satisfied as in RubyGems', () => {
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

test('RubyGems: refused requirements are not ranges', () => {
  for (const range of ['', ',', '>= 1,', '=> 1', '^1.0', '~> ', '== 1', '>= 1 < 2', '>= x']) {
    assert.equal(rubygemsVersions.isRange(range), false, range)
    assert.equal(rubygemsVersions.satisfies('1.0', range), false, range)
  }
})

test('RubyGems: versions are valid as in RubyGems', () => {
  for (const version of ['', ' ', '1', ' 1.0\n', '1.0.a', '1.0-1', '1--', '1.0-a.b-c', '1.0.1a', '1.A.Z.a.z']) {
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
    ...['@', '[', '`', '{'].map((neighbor) => `1.${neighbor}`),
    ...['\x08', '\x0e', '\x1f'].map((control) => `${control}1`),
  ]) {
    assert.equal(rubygemsVersions.isValid(version), false, version)
  }
})

test('RubyGems: versions may be surrounded by the whitespace of Ruby', () => {
  for (const space of [...'\t\n\v\f\r ']) {
    assert.ok(rubygemsVersions.isValid(`${space}1.0${space}`), JSON.stringify(space))
  }
})

test('RubyGems: a missing segment counts as zero, also before text', () => {
  const lines = ['1.a > 1.a.0.b', '1 = 1.0.0', '0.a < 0', '1.a.0 = 1.a']
  assert.deepEqual(judgeLines(rubygemsVersions, lines.join('\n')), { judged: lines.length, mismatches: [] })
})
