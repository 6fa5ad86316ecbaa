import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeRanges } from '#test/manifests/version-lines.ts'
import { conanVersions } from './conan.ts'
import { cranVersions } from './cran.ts'

test('Conan: ranges are satisfied as in Conan 2', () => {
  const faults = judgeRanges(conanVersions, [
    ['1.2.3', '1.2.3 1.2.3.0', '1.2.4'],
    ['=1.2.3', '1.2.3', '1.2.4'],
    ['>=1.2 <2', '1.2.0 1.9', '2.0 2.0-rc 1.1'],
    ['>1.2', '1.2.1', '1.2 1.3-rc'],
    ['~1.2', '1.2.0 1.2.9', '1.3 1.1'],
    ['~1', '1.0 1.9', '2.0'],
    ['^1.2.3', '1.2.3 1.9', '2.0 1.2.2'],
    ['^0.2', '0.2.1', '0.3'],
    ['1.2*', '1.2.1 1.20', '1.3'],
    ['*', '0.0.1 cci.20240101', '1.0-rc'],
    ['>1 <2 || ^3.2', '1.5 3.9', '2.5 4.0'],
    ['>=1.0-rc, include_prerelease', '1.0-rc 1.1-beta', '0.9'],
  ])
  assert.deepEqual(faults, [])
})

test('Conan: texts that Conan refuses are no ranges or versions', () => {
  for (const range of ['', '1', '^=1.0', '==1.0', '^x.1', '>', '>=', '1.0, 2.0', '^0', '2*']) {
    assert.equal(conanVersions.isRange(range), false, range)
  }
  for (const version of ['', 'A1', '1.0 2', '-1', `1${'0'.repeat(101)}`]) {
    assert.equal(conanVersions.isValid(version), false, version)
  }
})

test('CRAN: ranges are comparators of DESCRIPTION files', () => {
  const faults = judgeRanges(cranVersions, [
    ['>= 1.2', '1.2 1.2.0 2.0', '1.1 1.1-9'],
    ['>=1.2-3, < 2', '1.2.3 1.9', '1.2-2 2.0'],
    ['== 1.0', '1.0 1.0.0', '1.0.1'],
    ['!= 1.0', '1.1', '1.0'],
    ['<= 1', '0.9 1.0', '1.1'],
    ['> 1.0', '1.0.1 1.1', '1.0 1.0.0'],
  ])
  assert.deepEqual(faults, [])
})

test('CRAN: texts that R refuses are no versions or ranges', () => {
  for (const version of ['', '1', '1.', 'v1.0', '1.0a', '1..0', '1.0 ']) {
    assert.equal(cranVersions.isValid(version), false, version)
  }
  for (const range of ['', '1.0', '*', '>=', '>= 1.0,', '^1.0']) assert.equal(cranVersions.isRange(range), false, range)
})
