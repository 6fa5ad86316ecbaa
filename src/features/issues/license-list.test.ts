import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import type { LicensePolicy } from '#analysis/licenses/judge-license.ts'
import { lockPolicy } from '#features/license-policies/store.ts'
import { type GivenProject, record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type LicenseFilters, listLicenseIssues } from './license-list.ts'

const GPL = 'GPL-3.0-only'
const policy: LicensePolicy = {
  rules: [
    { license: GPL, verdict: 'high' },
    { license: 'LicenseRef-Own', verdict: 'low' },
  ],
  unlisted: 'none',
  unknown: 'none',
}

onEveryEngine('license issues of an organization', (engine) => {
  let app: TestApp
  let orgId: string
  let ignoring: number
  before(async () => {
    app = await startApp(engine)
    orgId = await app.addOrg()
    await lockPolicy(db(), orgId, { first: policy, at: 1 })
    await add({ packages: [{ name: '@scope/a', version: '1.0.0', license: GPL }, 'untold@1.0.0'] })
    await add({ packages: [{ name: '@scope/a', version: '1.0.0', license: 'MIT' }] })
    await add({ packages: [{ name: 'Two_Words', version: '1.0', license: GPL }], type: 'pip' })
    await add({ packages: [{ name: 'g:a', version: '1.0', license: `${GPL} AND LicenseRef-Own` }], type: 'maven' })
    const { projectNumber } = await add({
      packages: [{ name: 'x.example/m', version: '1.0.0', license: GPL }],
      type: 'gomodules',
    })
    ignoring = projectNumber
    const row = { project_number: ignoring, issue_id: `lic:golang:x.example:m:${GPL}`, ignored_until: 1_000 }
    await db().insertInto('ignored_issues').values(row).execute()
  })
  after(() => app.close())

  let at = 0
  const db = () => app.parts.services.db
  const add = (project: GivenProject) => {
    const { advisories, release } = app.parts.advisories.acquire()
    const tested = toTest(project, advisories)
    release()
    return record(db(), { orgId, test: tested, at: ++at })
  }
  /** Returns the ids found and the number of graphs read for them. */
  const ask = async (filters: LicenseFilters, now = 999) => {
    let graphs = 0
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        if (JSON.stringify(node).includes('"project_states"')) graphs++
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const window = { limit: 10, direction: 'after', position: 'start' } as const
    const { rows } = await listLicenseIssues(db().withPlugin(counting), { orgId, filters, now }, window)
    return [rows.map(({ issue_id }) => issue_id), graphs]
  }
  const [a, twoWords, maven, own, go] = [
    `lic:npm:@scope:a:${GPL}`,
    `lic:pip:Two_Words:${GPL}`,
    `lic:maven:g:a:${GPL}`,
    'lic:maven:g:a:LicenseRef-Own',
    `lic:golang:x.example:m:${GPL}`,
  ] as const

  describe('graphs read for license issues', () => {
    const cases: [string, LicenseFilters, found: readonly string[], graphs: number][] = [
      ['no filter', {}, [a, twoWords, maven, own, go], 4],
      ['a severity', { severities: [1] }, [own], 1],
      ['an unused severity', { severities: [2, 4] }, [], 0],
      ['an issue of a scoped package', { issueId: a }, [a], 1],
      ['an issue of a package in another spelling', { issueId: twoWords }, [twoWords], 1],
      ['an issue of a package with a group', { issueId: own }, [own], 1],
      ['an issue of a package with a path', { issueId: go }, [go], 1],
      ['a license that the package does not have', { issueId: 'lic:npm:@scope:a:MIT' }, [], 0],
      ['a package that no project has', { issueId: `lic:npm:nobody:${GPL}` }, [], 0],
      ['an id of another kind', { issueId: 'GHSA-1' }, [], 0],
      ['a package', { packageName: '@scope/a' }, [a], 1],
      ['a package and a version', { packageName: 'g:a', packageVersion: '2.0' }, [], 1],
      ['ignored issues', { isIgnored: true }, [go], 1],
      ['issues that are not ignored', { isIgnored: false }, [a, twoWords, maven, own], 4],
    ]
    for (const [title, filters, issues, graphs] of cases) {
      test(`license issues by ${title}: reads ${graphs} graphs`, async () =>
        assert.deepEqual(await ask(filters), [issues, graphs]))
    }
  })

  test('license issues: stop being ignored at the moment of expiry', async () => {
    assert.deepEqual(await ask({ isIgnored: true }, 1_000), [[], 0])
  })
})
