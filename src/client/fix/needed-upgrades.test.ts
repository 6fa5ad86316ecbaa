import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testedProject, vulnerability } from '#test/documents/test-documents.ts'
import { compareVersions } from '../compare-versions.ts'
import { listNeededUpgrades } from './needed-upgrades.ts'

/** Lists upgrades for an issue of a declared package that another declared package needs too. */
function needed(packageManager: string) {
  const shared = { packageManager, package: 'blue', version: '1.0.0' }
  const vulnerabilities = [
    vulnerability({ ...shared, from: ['blue@1.0.0'], upgradePath: ['blue@1.2.0'] }),
    vulnerability({ ...shared, from: ['red@1.0.0', 'blue@1.0.0'], upgradePath: ['red@1.0.0', 'blue@1.2.0'] }),
  ]
  const project = { ...testedProject('x', { vulnerabilities }), packageManager }
  return listNeededUpgrades(project, compareVersions)
}

test('upgrades with one version per build: the declared upgrade fixes the issue on every path', () => {
  const { upgrades, issues } = needed('maven')
  assert.deepEqual([...upgrades.keys()], ['blue@1.0.0'])
  assert.deepEqual([issues[0]!.needs, issues[0]!.problem], [['blue@1.0.0'], undefined])
})

test('upgrades with several versions: the other path stays with its reason', () => {
  assert.match(needed('npm').issues[0]!.problem ?? '', /renew the lockfile: blue 1\.0\.0 → 1\.2\.0/)
})
