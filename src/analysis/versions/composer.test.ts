import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeRanges } from '#test/manifests/version-lines.ts'
import { composerVersions } from './composer.ts'

test('Composer: ranges are satisfied as in composer/semver', () => {
  const faults = judgeRanges(composerVersions, [
    ['1.2.3', '1.2.3 v1.2.3 1.2.3.0', '1.2.4 1.2.3-beta1'],
    ['^1.2.3', '1.2.3 1.9.0 1.2.3-beta1 1.x-dev', '1.2.2 2.0.0 2.0.0-beta1'],
    ['^0.3', '0.3.0 0.3.9', '0.4.0 0.2.9'],
    ['^0.0.3', '0.0.3', '0.0.4'],
    ['^1.2.3-beta2', '1.2.3-beta2 1.2.3', '1.2.3-beta1'],
    ['~1.2', '1.2.0 1.9.0', '2.0.0 2.0.0-dev 1.1.9'],
    ['~1.2.3', '1.2.3 1.2.9', '1.3.0 1.2.2'],
    ['~1', '1.0.0 1.9.0', '2.0.0'],
    ['1.2.*', '1.2.0 1.2.9 1.2.0-dev', '1.3.0 1.1.9'],
    ['0.x', '0.0.1 0.9.0', '1.0.0'],
    ['*', '1.0.0 dev-main', ''],
    ['v*', '1.0.0', 'dev-main'],
    ['>=1.0 <1.1 || >=1.2', '1.0.5 1.2.0 3.0.0', '1.1.0 1.1.9'],
    ['>=1.0,<1.1|^2', '1.0.5 2.1.0', '1.1.0 3.0.0'],
    ['1.0 - 2.0', '1.0.0 2.0.0 2.0.9', '2.1.0 0.9.0'],
    ['1.0.0 - 2.1.0', '1.0.0 2.1.0', '2.1.1'],
    ['!=1.5', '1.4.0 dev-main', '1.5.0'],
    ['<>1.5', '1.4.0', '1.5.0'],
    ['>1.0', '1.0.1', '1.0.0 dev-main'],
    ['<1.0', '0.9.0', '1.0.0 1.0.0-dev 1.0.0-beta1'],
    ['<=1.0', '1.0.0 1.0.0-beta1', '1.0.1'],
    ['dev-main', 'dev-main', 'dev-master 1.0.0'],
    ['dev-main#0123abc', 'dev-main', 'dev-other'],
    ['dev-main as 1.2.x-dev', 'dev-main', '1.2.0'],
    ['master', 'dev-master', '1.0.0'],
    ['feature-dev', 'dev-feature', '1.0.0'],
    ['2.x-dev', '2.x-dev', '2.1.0'],
    ['1.0@dev', '1.0.0', '1.1.0'],
    ['>=1.0@beta', '1.0.0-beta1 1.0.0', '1.0.0-alpha1'],
    ['@dev', '1.0.0 dev-main', ''],
  ])
  assert.deepEqual(faults, [])
})

test('Composer: texts that composer/semver refuses are not ranges', () => {
  for (const range of [
    '',
    ' ',
    '~>1.2',
    '>=',
    '1.0 2.x.y',
    'main',
    '^1.2.x',
    '1..2',
    '||',
    '^1 ||',
    'latest',
    '[1,2]',
  ]) {
    assert.equal(composerVersions.isRange(range), false, range)
    assert.equal(composerVersions.satisfies('1.2.3', range), false, range)
  }
})

test('Composer: texts that composer/semver refuses, and branches, are not versions', () => {
  for (const version of ['', 'x', '1.2.3.4.5', '1.0-foo', '1234567.0', '1.0-1', 'dev-main', 'master']) {
    assert.equal(composerVersions.isValid(version), false, version)
  }
})
