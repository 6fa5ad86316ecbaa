import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeRanges } from '#test/manifests/version-lines.ts'
import { goVersions } from './go.ts'

test('Go: version queries are satisfied as in the go command', () => {
  const faults = judgeRanges(goVersions, [
    ['v1.2.3', 'v1.2.3 1.2.3 v1.2.3+incompatible', 'v1.2.4 v1.2.3-rc.1'],
    ['v1.2', 'v1.2.0 v1.2.9 v1.2.1-rc.1', 'v1.3.0 v1.2.0-rc.1 v1.20.0'],
    ['v1', 'v1.0.0 1.9.9', 'v2.0.0 v1.0.0-0'],
    ['<v1.2.3', 'v1.2.2 v1.2.3-rc.1', 'v1.2.3'],
    ['<v1.2', 'v1.1.9', 'v1.2.0'],
    ['<=1.2.3', 'v1.2.3 v1.2.2', 'v1.2.4'],
    ['>v1.2.3', 'v1.2.4 v1.2.4-0.20240131123456-abcdef012345', 'v1.2.3 v1.2.3+incompatible'],
    ['>=v1.2', 'v1.2.0 v2.0.0', 'v1.2.0-rc.1'],
    ['v1.2.3+meta', 'v1.2.3', 'v1.2.4'],
    ['v1.2.3-rc.1', 'v1.2.3-rc.1', 'v1.2.3-rc.2 v1.2.3'],
  ])
  assert.deepEqual(faults, [])
})

test('Go: queries that go refuses or cannot decide without the module are not ranges', () => {
  for (const range of [
    '',
    'latest',
    'upgrade',
    'patch',
    'master',
    '<=v1.2',
    '>v1',
    '>= v1.2.3',
    '^1.2.3',
    'v1.2.x',
    '>=v1.2.3,<v2',
  ]) {
    assert.equal(goVersions.isRange(range), false, range)
    assert.equal(goVersions.satisfies('v1.2.3', range), false, range)
  }
})

test('Go: versions are valid as in x/mod/semver, with or without v', () => {
  for (const version of [
    'v1',
    '1.2',
    'v1.2.3',
    '1.2.3-a.0+b.00',
    'v0.0.0-20240131123456-abcdef012345',
    'v1.0.0--',
    'v1.0.0-A.Z.a.z',
  ]) {
    assert.ok(goVersions.isValid(version), version)
  }
  const refused = [
    '',
    'v',
    'vv1',
    'V1.0.0',
    'v1.',
    'v1.2.3.4',
    'v01.0.0',
    'v1.2-rc',
    'v1.0.0-',
    'v1.0.0-a..b',
    'v1.0.0-01',
    'v1.0.0+',
    'v1.0.0+a+b',
    'v1.0.0-é',
    'v1.0.0+a.é',
    ...['@', '[', '`', '{'].map((neighbor) => `v1.0.0-${neighbor}`),
    ' v1',
  ]
  for (const version of refused) assert.equal(goVersions.isValid(version), false, version)
})
