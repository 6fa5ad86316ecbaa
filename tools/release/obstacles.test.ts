import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findObstacles } from './obstacles.ts'

describe('obstacles of a release', () => {
  const clone = mkdtempSync(join(tmpdir(), 'gatehouse-release-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=A', '-c', 'user.email=a@registry.example', ...args])
  const write = (path: string, text: string) => writeFileSync(join(clone, path), text)
  before(() => {
    git('init', '-q')
    mkdirSync(join(clone, 'test/upgrades/1.2.0'), { recursive: true })
    mkdirSync(join(clone, 'src/foundation/db/migrations'), { recursive: true })
    for (const step of ['0001-orgs', '0002-users', 'index']) write(`src/foundation/db/migrations/${step}.ts`, '')
    for (const engine of ['sqlite', 'postgres']) write(`test/upgrades/1.2.0/${engine}.json`, '{"schema":"0002-users"}')
    write('package.json', '{"version":"1.2.0"}')
    write('CHANGELOG.md', '# Changelog\n\n## 1.2.0 (2026-03-01)\n\n## 1.1.0 (2026-02-01)\n')
    write('SECURITY.md', 'Write to security@registry.example.\n')
    git('add', '.')
    git('commit', '-qm', 'release')
  })
  after(() => rmSync(clone, { recursive: true }))

  test('a prepared clone has no obstacles', () => {
    assert.deepEqual(findObstacles(clone, '1.2.0'), [])
  })

  test('a version that is not semantic is the only obstacle reported', () => {
    for (const version of ['1.2', 'v1.2.0', '', '1.2.0 '])
      assert.match(findObstacles(clone, version).join(), /^[^,]*is not a semantic version/)
  })

  test("a version other than package.json's also lacks its heading and stored data", () => {
    const obstacles = findObstacles(clone, '1.3.0')
    assert.equal(obstacles.length, 3)
    assert.match(obstacles[0]!, /version 1\.2\.0: run npm version 1\.3\.0/)
    assert.match(obstacles[1]!, /## 1\.3\.0 \(YYYY-MM-DD\)/)
    assert.match(obstacles[2]!, /test\/upgrades\/1\.3\.0 is missing/)
  })

  test('stored data with an older schema, or of only one engine, is reported', () => {
    write('src/foundation/db/migrations/0003-apps.ts', '')
    assert.match(findObstacles(clone, '1.2.0').at(-1)!, /has an older schema/)
    rmSync(join(clone, 'src/foundation/db/migrations/0003-apps.ts'))
    rmSync(join(clone, 'test/upgrades/1.2.0/postgres.json'))
    assert.match(findObstacles(clone, '1.2.0').at(-1)!, /test\/upgrades\/1\.2\.0 is missing/)
    git('checkout', '-q', '.')
    assert.deepEqual(findObstacles(clone, '1.2.0'), [])
  })

  test('an existing tag, an uncommitted change, an undated heading and a missing address are reported', () => {
    git('tag', 'v1.2.0')
    assert.match(findObstacles(clone, '1.2.0').join(), /^The tag v1\.2\.0 exists/)
    git('tag', '-d', 'v1.2.0')
    write('CHANGELOG.md', '## 1.2.0 (unreleased)\n')
    write('SECURITY.md', 'The owner must enter an address here.\n')
    const obstacles = findObstacles(clone, '1.2.0')
    assert.equal(obstacles.length, 3)
    assert.match(obstacles[0]!, /not committed/)
    assert.match(obstacles[1]!, /day of the release/)
    assert.match(obstacles[2]!, /SECURITY\.md/)
  })
})
