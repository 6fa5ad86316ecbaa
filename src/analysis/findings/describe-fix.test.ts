import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeFix, describeUpgrade, toUpgrade, type UpgradedPath } from './describe-fix.ts'

const deep: UpgradedPath = { from: ['a@1.0.0', 'b@1.0.0'], upgradePath: ['a@1.0.0', 'b@1.2.0'] }

function adviceOn(path: UpgradedPath, packageManager = 'npm'): string {
  return describeUpgrade(toUpgrade(path)!, packageManager)
}

describe('advice in one sentence', () => {
  const rows: [subject: string, path: UpgradedPath, packageManager: string, sentence: string][] = [
    ['a direct dependency', { from: ['a@1.0.0'], upgradePath: ['a@1.1.0'] }, 'npm', 'upgrade a 1.0.0 → 1.1.0'],
    ['a locked package that its dependent allows', deep, 'npm', 'renew the lockfile: b 1.0.0 → 1.2.0'],
    ['a deep package of Maven', deep, 'maven', 'manage the version in dependencyManagement: b 1.0.0 → 1.2.0'],
    ['a deep package of Gradle', deep, 'gradle', 'add a constraint: b 1.0.0 → 1.2.0'],
    ['a deep package of sbt', deep, 'sbt', 'add to dependencyOverrides: b 1.0.0 → 1.2.0'],
    ['a deep module of Go', deep, 'gomodules', 'require it in go.mod: b 1.0.0 → 1.2.0'],
    ['a dependency of another project', { ...deep, ownProjects: 1 }, 'maven', 'upgrade b 1.0.0 → 1.2.0 in a'],
    [
      'a package that is published with others',
      { from: ['@s/a@1.0.0'], upgradePath: ['@s/a@2.0.0'], upgradesWith: ['@s/b@2.0.0', '@s/c@2.0.1'] },
      'npm',
      'upgrade @s/a 1.0.0 → 2.0.0 together with @s/b, @s/c',
    ],
    [
      'the standard library of Go',
      { from: ['stdlib@1.21.0'], upgradePath: ['stdlib@1.25.13'] },
      'gomodules',
      'raise the go or toolchain line of go.mod to 1.25.13',
    ],
    [
      'a package called stdlib',
      { from: ['stdlib@1.0.0'], upgradePath: ['stdlib@2.0.0'] },
      'npm',
      'upgrade stdlib 1.0.0 → 2.0.0',
    ],
    ['a package that is replaced', { from: ['a@1'], upgradePath: ['b@2'] }, 'maven', 'upgrade a@1 → b@2'],
  ]
  for (const [subject, path, packageManager, sentence] of rows) {
    test(`advice for ${subject}: ${sentence}`, () => assert.equal(adviceOn(path, packageManager), sentence))
  }

  test('advice for a pin names the version, whatever the path', () => {
    assert.equal(describeUpgrade({ from: 'a@1.0', to: 'a@1.1', kind: 'pin' }, 'pip'), 'pin a to 1.1')
  })

  test('toUpgrade: no upgrade without a change on the path', () => {
    assert.equal(toUpgrade({ from: ['a@1'], upgradePath: [] }), undefined)
    assert.equal(toUpgrade({ from: ['a@1', 'b@1'], upgradePath: ['a@1'] }), undefined)
  })

  test('advice for several paths: the first upgrade, and whether paths are left', () => {
    const facts = { package: 'b', packageManager: 'npm', nearestFix: '1.2.0' }
    const upgrade = toUpgrade(deep)
    assert.equal(describeFix({ ...facts, upgrades: [upgrade, upgrade] }), 'renew the lockfile: b 1.0.0 → 1.2.0')
    assert.equal(
      describeFix({ ...facts, upgrades: [undefined, upgrade] }),
      'renew the lockfile: b 1.0.0 → 1.2.0; no upgrade fixes the other paths',
    )
  })

  test('advice without an upgrade: names the fix for the version in use, if there is one', () => {
    const facts = { package: 'b', packageManager: 'npm', upgrades: [undefined] }
    assert.equal(describeFix({ ...facts, nearestFix: '2.12.2' }), 'no upgrade leads to b 2.12.2')
    assert.equal(describeFix({ ...facts, nearestFix: '' }), 'no fixed version is known')
    assert.equal(describeFix({ ...facts, nearestFix: undefined, upgrades: [] }), 'no fixed version is known')
  })
})
