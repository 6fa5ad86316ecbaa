import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LODASH_ISSUE, startShopApp } from '#test/projects/projects.ts'
import { npmProject } from '#test/repositories/imports.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const LODASH = '4.17.4'

interface Result {
  readonly ok: boolean
  readonly issues: {
    vulnerabilities: readonly { id: string; from: readonly string[] }[]
    licenses: readonly { id: string }[]
  }
  readonly coverage: { complete: boolean; policyFile?: { path: string; rules: number; notes: readonly string[] } }
  readonly ignored?: readonly { id: string; path: string; allPaths: boolean; reason: string; expires: string | null }[]
}

const shop = { name: 'shop', version: '1.0.0', dependencies: { lodash: '4.17.4', tool: '1.0.0' } }
/** lodash on two paths: direct, and through tool. */
const shopLock = {
  name: 'shop',
  lockfileVersion: 3,
  packages: {
    '': shop,
    'node_modules/lodash': { version: LODASH },
    'node_modules/tool': { version: '1.0.0', dependencies: { lodash: '*' } },
  },
}

function policyOf(details: string, id = LODASH_ISSUE, path = '*') {
  return `version: v1.25.0\nignore:\n  ${id}:\n    - '${path}':\n${details}`
}

onAnyEngine('policy files in tests', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startShopApp(engine)
  })
  after(() => app.close())

  async function testShop(policy: string | undefined, { orgId = app.orgId } = {}): Promise<Result> {
    const additional = [...(policy === undefined ? [] : [{ contents: policy }]), { contents: JSON.stringify(shopLock) }]
    const body = { files: { target: { contents: JSON.stringify(shop) }, additional } }
    const answer = await app.call('POST', '/v1/test/npm', { body, query: { org: orgId } })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  async function decide(policyFiles: string): Promise<string> {
    const orgId = await app.addOrg()
    const answer = await app.call('PUT', `/v1/org/${orgId}/settings`, { body: { policyFiles } })
    assert.equal(answer.statusCode, 200, answer.body)
    return orgId
  }
  const pathsOf = ({ issues }: Result) =>
    issues.vulnerabilities.filter(({ id }) => id === LODASH_ISSUE).map(({ from }) => from.join(' > '))

  describe('policy files among the additional files', () => {
    test('policy file: an ignored issue is left out and listed with its rule and expiry', async () => {
      const all = await testShop(undefined)
      assert.equal(pathsOf(all).length, 2)
      assert.equal(all.ignored, undefined)
      const left = await testShop(policyOf('        reason: guarded\n        expires: 2099-01-02\n'))
      assert.deepEqual(pathsOf(left), [])
      assert.equal(left.issues.vulnerabilities.length, all.issues.vulnerabilities.length - 2)
      assert.deepEqual(
        left.ignored?.map(({ id, path, allPaths, reason, expires }) => [id, path, allPaths, reason, expires]),
        [[LODASH_ISSUE, '*', true, 'guarded', '2099-01-02T00:00:00.000Z']],
      )
      assert.deepEqual(left.coverage.policyFile, { path: 'additional file 1', rules: 1, notes: [] })
      assert.equal(left.coverage.complete, true)
    })

    test('policy file: rules that have expired or hide nothing are listed with their lines', async () => {
      const rule = (id: string, more = '') => `  ${id}:\n    - '*':\n        reason: x\n${more}`
      const { coverage } = await testShop(
        `version: v1.25.0\nignore:\n${rule('GHSA-none-none-none')}${rule(LODASH_ISSUE, '        expires: 2020-01-01\n')}`,
      )
      assert.deepEqual(coverage.policyFile!.notes, [
        `The ignore of ${LODASH_ISSUE} expired on 2020-01-01 (line 7)`,
        'The ignore of GHSA-none-none-none hides no issue of this test (line 4)',
      ])
    })

    test('policy file that ignores every issue: the result is ok', async () => {
      const all = await testShop(undefined)
      const ids = [...new Set(all.issues.vulnerabilities.map(({ id }) => id))]
      const { ok, ignored } = await testShop(`ignore:\n${ids.map((id) => `  ${id}:\n    - '*':\n`).join('')}`)
      assert.deepEqual([ok, ignored?.length], [true, ids.length])
    })

    test('policy file rule: matches another id of the vulnerability in any case', async () => {
      const { issues } = await testShop(undefined)
      const issue = issues.vulnerabilities.find(({ id }) => id === LODASH_ISSUE) as { identifiers?: { CVE: string[] } }
      const [cve] = issue.identifiers!.CVE
      assert.deepEqual(pathsOf(await testShop(policyOf('', cve!.toLowerCase()))), [])
    })

    test('policy file rule for one path: ignores only that path', async () => {
      const { ignored, ...left } = await testShop(policyOf('', LODASH_ISSUE, 'tool@1.x > lodash'))
      assert.deepEqual(pathsOf(left), [`lodash@${LODASH}`])
      assert.deepEqual(
        ignored?.map(({ path, allPaths }) => [path, allPaths]),
        [['tool@1.x > lodash', false]],
      )
    })

    test('policy file rule: no effect if expired, for another path, or while a fix exists', async () => {
      for (const [details, path] of [
        ['        expires: 2020-01-01\n', '*'],
        ['', 'other > lodash'],
        ['        disregardIfFixable: true\n', 'lodash'],
      ] as const) {
        const result = await testShop(policyOf(details, LODASH_ISSUE, path))
        assert.equal(pathsOf(result).length, 2, path)
        assert.equal(result.ignored, undefined)
      }
    })

    test('unreadable policy file: ignores nothing, and the coverage says why', async () => {
      const { coverage, ...left } = await testShop(`${policyOf('')}  - broken\n`)
      assert.equal(pathsOf({ coverage, ...left }).length, 2)
      assert.match(coverage.policyFile!.notes[0]!, /Not applied: Invalid YAML.*line/)
      const patched = await testShop('version: v1.25.0\npatch:\n  X:\n    - lodash:\n        patched: now\n')
      assert.match(patched.coverage.policyFile!.notes[0]!, /Patches are not applied/)
    })

    test('policy file: files after it keep their numbers in errors', async () => {
      const additional = [{ contents: policyOf('') }, { contents: '{"lockfileVersion": 3, "packages": ' }]
      const body = { files: { target: { contents: JSON.stringify(shop) }, additional } }
      const answer = await app.call('POST', '/v1/test/npm', { body })
      assert.equal(answer.statusCode, 400)
      assert.match(answer.body, /Additional file 2/)
    })

    test('organization that forbids policy files: nothing is ignored, and the coverage says why', async () => {
      const result = await testShop(policyOf('        reason: x\n'), { orgId: await decide('forbid') })
      assert.equal(pathsOf(result).length, 2)
      assert.match(result.coverage.policyFile!.notes[0]!, /forbids policy files/)
    })

    test('organization that requires a reason: rules without one have no effect', async () => {
      const orgId = await decide('require-reason')
      const without = await testShop(policyOf(''), { orgId })
      assert.equal(pathsOf(without).length, 2)
      assert.match(without.coverage.policyFile!.notes[0]!, /requires a reason/)
      assert.deepEqual(pathsOf(await testShop(policyOf('        reason: x\n'), { orgId })), [])
    })
  })

  describe('policy files in a file set', () => {
    const files = [
      ...npmProject('app', 'lodash', LODASH),
      ...npmProject('lib', 'lodash', LODASH),
      ...npmProject('old', 'lodash', LODASH),
    ].map(({ path, content }) => ({ path, contents: String(content) }))
    const excluding = 'version: v1.25.0\nexclude:\n  global:\n    - old:\n        reason: gone soon\n'

    async function send(more: Readonly<Record<string, string>>, orgId = app.orgId) {
      const all = [...files, ...Object.entries(more).map(([path, contents]) => ({ path, contents }))]
      const answer = await app.call('POST', '/v1/test/files', { body: { files: all }, query: { org: orgId } })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json()
    }

    test('policy file in a file set: applies only to the manifest beside it', async () => {
      const { projects } = await send({ 'app/.snyk': policyOf(''), '.snyk': policyOf('', LODASH_ISSUE) })
      const listed = (projects as { path: string; result: Result }[]).map(({ path, result }) => [
        path,
        pathsOf(result).length,
        result.coverage.policyFile?.path,
      ])
      assert.deepEqual(listed, [
        ['app/package.json', 0, 'app/.snyk'],
        ['lib/package.json', 1, undefined],
        ['old/package.json', 1, undefined],
      ])
    })

    test('policy file in a file set: excluded projects are not tested but named, unless forbidden', async () => {
      const answer = await send({ '.snyk': excluding })
      assert.deepEqual(
        answer.projects.map(({ path }: { path: string }) => path),
        ['app/package.json', 'lib/package.json'],
      )
      assert.deepEqual(answer.excludedByPolicy, [
        { path: 'old/package.json', packageManager: 'npm', reason: '.snyk excludes it' },
      ])
      const forbidden = await send({ '.snyk': excluding }, await decide('forbid'))
      assert.equal(forbidden.projects.length, 3)
      assert.match(forbidden.policyNotes[0], /1 of its exclusions not applied/)
    })

    test('policy file that excludes every project: result not ok', async () => {
      const answer = await send({ '.snyk': "version: v1.25.0\nexclude:\n  global:\n    - '*'\n" })
      assert.deepEqual([answer.ok, answer.projects, answer.excludedByPolicy.length], [false, [], 3])
    })

    test('unreadable policy file in a file set: excludes nothing, and policyNotes says so', async () => {
      const answer = await send({ '.snyk': `${excluding}  bad: [` })
      assert.equal(answer.projects.length, 3)
      assert.match(answer.policyNotes[0], /^\.snyk: Not applied/)
    })
  })

  describe('policy files of dependency graphs', () => {
    const depGraph = {
      schemaVersion: '1.2.0',
      pkgManager: { name: 'npm' },
      pkgs: [
        { id: 'a@1', info: { name: 'a', version: '1' } },
        { id: 'lodash', info: { name: 'lodash', version: LODASH } },
      ],
      graph: {
        rootNodeId: 'root',
        nodes: [
          { nodeId: 'root', pkgId: 'a@1', deps: [{ nodeId: 'l' }] },
          { nodeId: 'l', pkgId: 'lodash', deps: [] },
        ],
      },
    }

    test('policy of a dependency graph: ignored issues are left out', async () => {
      const call = async (policy: string) =>
        (await app.call('POST', '/v1/test/dep-graph', { body: { depGraph, policy } })).json()
      assert.ok((await call('')).issuesData[LODASH_ISSUE])
      assert.equal((await call(policyOf(''))).issuesData[LODASH_ISSUE], undefined)
    })

    test('policy sent by a command-line client: all issues are returned, with the policy to apply', async () => {
      const call = async (orgId: string) =>
        (
          await app.call('POST', '/v1/test-dep-graph', {
            body: { depGraph, policy: policyOf('        reason: x\n    - b:\n') },
            query: { org: orgId },
          })
        ).json()
      const allowed = await call(app.orgId)
      assert.ok(allowed.result.issuesData[LODASH_ISSUE])
      assert.equal(allowed.meta.policy, '', 'its own')
      const rules = { [LODASH_ISSUE]: [{ '*': { reason: 'x', reasonType: 'temporary-ignore' } }] }
      assert.deepEqual(JSON.parse((await call(await decide('require-reason'))).meta.policy).ignore, rules)
      assert.deepEqual(JSON.parse((await call(await decide('forbid'))).meta.policy).ignore, {})
    })
  })
})
