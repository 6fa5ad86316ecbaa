import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { writeLocalIgnore } from './local-ignores.ts'

const rule = { reason: 'not: reachable', expires: '2099-01-31T00:00:00.000Z', created: '2026-01-01T00:00:00.000Z' }
describe('local ignores in a policy file', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-policy-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const policy = () => readFileSync(join(folder, '.snyk'), 'utf8')

  test('local ignore: creates .snyk with version, issue id and path', async () => {
    await writeLocalIgnore(folder, { issueId: 'GHSA-1', path: '*', rule })
    assert.equal(
      policy(),
      `version: v1.25.0
ignore:
  GHSA-1:
    - "*":
        reason: "not: reachable"
        expires: 2099-01-31T00:00:00.000Z
        created: 2026-01-01T00:00:00.000Z
`,
    )
    assert.deepEqual(readdirSync(folder), ['.snyk'])
  })

  test('local ignore: keeps the rest of .snyk with comments and order; replaces the rule of the path', async () => {
    const before = `# Policy of the shop
version: v1.22.1
exclude:
  global: [tests/**] # not ours
ignore:
  SNYK-JS-1:
    - a > b:
        reason: later
patch: {}
`
    writeFileSync(join(folder, '.snyk'), before)
    await writeLocalIgnore(folder, {
      issueId: 'SNYK-JS-1',
      path: 'a > b',
      rule: { reason: 'now', created: rule.created },
    })
    await writeLocalIgnore(folder, { issueId: 'SNYK-JS-1', path: '*', rule: { reason: 'all', created: rule.created } })
    assert.equal(
      policy(),
      before.replace(
        '        reason: later\n',
        `        reason: now
        created: ${rule.created}
    - "*":
        reason: all
        created: ${rule.created}
`,
      ),
    )
  })

  for (const text of ['- a\n', 'ignore: [a]\n', 'ignore:\n  A: b\n', 'a: [\n', '"', 'x: &a 1\nx: 2\n']) {
    test(`local ignore: refuses the .snyk ${JSON.stringify(text)} and keeps it`, async () => {
      writeFileSync(join(folder, '.snyk'), text)
      await assert.rejects(writeLocalIgnore(folder, { issueId: 'A', path: '*', rule }), /is not a policy file/)
      assert.equal(policy(), text)
      assert.deepEqual(readdirSync(folder), ['.snyk'])
    })
  }

  test('local ignore: reports a folder that does not exist', async () => {
    await assert.rejects(
      writeLocalIgnore(join(folder, 'no'), { issueId: 'A', path: '*', rule }),
      /cannot be written \(ENOENT\)/,
    )
  })
})
