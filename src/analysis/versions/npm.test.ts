import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import semver from 'semver'
import { judgeRanges } from '#test/manifests/version-lines.ts'
import { versionPairs, versionsWithRange } from '#test/manifests/version-texts.ts'
import { volume } from '#test/volume.ts'
import { findExactVersion, npmVersions } from './npm.ts'

test('npm: ranges are satisfied as in npm', () => {
  const faults = judgeRanges(npmVersions, [
    ['^1.2.3', '1.2.3 1.9.0 v1.2.4', '1.2.2 2.0.0 1.3.0-rc.1 2.0.0-0'],
    ['^0.2.3', '0.2.3 0.2.9', '0.3.0'],
    ['~1.2.3', '1.2.3 1.2.99', '1.3.0'],
    ['~> 1.2', '1.2.0 1.2.9', '1.3.0'],
    ['1.x || >=2.5.0 <3', '1.0.0 1.99.0 2.5.0', '2.4.9 3.0.0'],
    ['1.2.3 - 2.3', '1.2.3 2.3.9', '2.4.0 1.2.2'],
    ['', '0.0.0 99.0.0', '1.0.0-rc.1'],
    ['*', '1.0.0', '1.0.0-rc.1 latest'],
    ['>1.0.0-rc.1', '1.0.0-rc.2 1.0.0 2.0.0', '1.0.0-rc.1 2.0.0-rc.1'],
    [' =v1.2.3 ', '1.2.3 =1.2.3 1.2.3+build', '1.2.4'],
    ['1.2.3beta', '1.2.3-beta', '1.2.3'],
  ])
  assert.deepEqual(faults, [])
})

test('npm: versions are valid as in npm', () => {
  const part = fc.constantFrom(
    '0',
    '1',
    '00',
    '7',
    '123456789',
    '1234567890',
    '9007199254740993',
    '',
    ' ',
    '-',
    'v',
    'x',
    '+b',
  )
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.constantFrom('.', '', ' '), (parts, between) => {
      const text = parts.join(between)
      assert.equal(npmVersions.isValid(text), semver.parse(text, { loose: true }) !== null, JSON.stringify(text))
    }),
    { numRuns: volume(2_000) },
  )
})

test('npm: texts that are not ranges are satisfied by nothing', () => {
  for (const range of ['latest', 'not a range', 'git+ssh://registry.example/x.git', '>>1', '1.2.3 '.repeat(2000)]) {
    assert.equal(npmVersions.isRange(range), false, range.slice(0, 40))
    assert.equal(npmVersions.satisfies('1.2.3', range), false)
  }
})

test('npm: versions are valid as npm reads them loosely', () => {
  for (const version of ['1.2.3', 'v1.2.3', '=1.2.3', ' 1.2.3 ', '1.2.3beta', '01.2.3'])
    assert.ok(npmVersions.isValid(version))
  for (const version of ['', '1', '1.2', '1.2.3.4', 'latest', `1.2.${'9'.repeat(20)}`, `1.2.3-${'a'.repeat(260)}`]) {
    assert.equal(npmVersions.isValid(version), false, version)
  }
})

test('npm: an exact version is distinguished from a range', () => {
  assert.equal(findExactVersion('=v1.2.3'), '1.2.3')
  for (const range of ['^1.2.3', '1.2', '1.x', 'latest', '']) assert.equal(findExactVersion(range), undefined)
})

test('npm: random versions and ranges are judged as by node-semver', () => {
  fc.assert(
    fc.property(versionPairs('npm'), ([a, b]) => {
      assert.equal(npmVersions.isValid(a), semver.valid(a, true) !== null)
      if (!npmVersions.isValid(a) || !npmVersions.isValid(b)) return
      assert.equal(npmVersions.compare(a, b), semver.compare(a, b, true))
    }),
    { numRuns: volume(500) },
  )
  fc.assert(
    fc.property(versionsWithRange('npm'), ([version, range]) => {
      assert.equal(npmVersions.isRange(range), semver.validRange(range, true) !== null)
      assert.equal(npmVersions.satisfies(version, range), semver.satisfies(version, range, true))
    }),
    { numRuns: volume(500) },
  )
})

test('npm: a range may have 4,096 characters, not more', () => {
  assert.ok(npmVersions.isRange('1.0.0'.padEnd(4096)))
  assert.equal(npmVersions.isRange('1.0.0'.padEnd(4097)), false)
})

test('npm: a pre-release identifier with letters is text even if it begins with 0', () => {
  assert.ok(npmVersions.compare('1.0.0-0a', '1.0.0-1a') < 0)
})
