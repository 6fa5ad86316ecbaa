import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemes } from '#analysis/advisories/schemes.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { isPrerelease, nearestFix, recommendableFixes } from './prerelease.ts'

const cases: [registry: Registry, prereleases: string[], releases: string[]][] = [
  ['npm', ['1.0.0-beta.1', '2.0.0-0'], ['1.0.0', '1.0.0+build']],
  ['PyPI', ['1.0rc1', '2.0.dev3', '1!2.0a1'], ['1.0', '1.0.post1', '1!2.0', '1.0+local']],
  ['RubyGems', ['1.0.beta1', '2.0.0.pre'], ['1.0.0']],
  [
    'Maven',
    ['12.0.0.beta0', '1.0-M2', '1.0-SNAPSHOT', '2.0-rc1', '3.0-ea'],
    ['9.2.25.v20180606', '1.0.0.Final', '31.1-jre'],
  ],
  ['Go', ['v1.0.0-rc.1'], ['v1.0.0', 'v2.0.0+incompatible']],
]
for (const [registry, prereleases, releases] of cases) {
  test(`${registry}: pre-releases are distinguished from releases`, () => {
    for (const version of prereleases) assert.ok(isPrerelease(version, schemes[registry]), version)
    for (const version of releases) assert.ok(!isPrerelease(version, schemes[registry]), version)
  })
}

test('recommended fixes: pre-releases only for a pre-release in use', () => {
  const fixes = ['9.2.25', '12.0.0.beta0']
  assert.deepEqual(recommendableFixes(fixes, '9.2.0', schemes.Maven), ['9.2.25'])
  assert.deepEqual(recommendableFixes(fixes, '12.0.0.alpha1', schemes.Maven), fixes)
})

test('nearest fix: the smallest above every version in use; a pre-release only without releases', () => {
  const fixes = ['12.0.0.beta0', '9.2.25', '9.3.24']
  assert.equal(nearestFix(fixes, ['9.2.0'], schemes.Maven), '9.2.25')
  assert.equal(nearestFix(fixes, ['9.2.0', '9.3.0'], schemes.Maven), '9.3.24')
  assert.equal(nearestFix(fixes, ['10.0.0'], schemes.Maven), '12.0.0.beta0')
  assert.equal(nearestFix(fixes, ['13.0.0'], schemes.Maven), '12.0.0.beta0')
  assert.equal(nearestFix([], ['13.0.0'], schemes.Maven), undefined)
})

test('nearest fix: may be a pre-release if a version in use is one', () => {
  const fixes = ['2.0.0', '2.0.0.beta1']
  assert.equal(nearestFix(fixes, ['2.0.0.alpha1'], schemes.Maven), '2.0.0.beta1')
  assert.equal(nearestFix(fixes, ['1.0.0', '2.0.0.alpha1'], schemes.Maven), '2.0.0.beta1')
  assert.equal(nearestFix(fixes, ['1.0.0'], schemes.Maven), '2.0.0')
})

test('nearest fix: is above the versions in use, not one of them', () => {
  assert.equal(nearestFix(['1.0.0', '2.0.0'], ['1.0.0'], schemes.Maven), '2.0.0')
  assert.equal(nearestFix(['12.0.0.beta0', '13.0.0.beta1', '9.2.25'], ['10.0.0'], schemes.Maven), '12.0.0.beta0')
})
