import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { type GivenProject, record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type LicenseSort, listOrgLicenses } from '../dependencies/list-licenses.ts'

onEveryEngine('v1 projects, dependencies and licenses of an organization', (engine) => {
  let app: TestApp
  let orgId: string
  let projects: Record<'web' | 'api', Awaited<ReturnType<typeof add>>>
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
    await publishRecords(app.parts, [
      recordAgainst('GHSA-1', 'npm', 'left', { fixed: '2.0.0', severity: 'HIGH' }),
      recordAgainst('GHSA-2', 'npm', 'left', { fixed: '1.5.0', severity: 'LOW' }),
      recordAgainst('PYSEC-1', 'PyPI', 'two-words', { fixed: '2.0', severity: 'CRITICAL' }),
    ])
    orgId = await app.addOrg()
    const attributes = { rules: [{ license: 'GPL-3.0-only', severity: 'high', instructions: 'Ask first.' }] }
    await app.call('PATCH', `/rest/orgs/${orgId}/license_policy`, {
      body: { data: { type: 'license_policy', attributes } },
    })
    const web = await add('web', {
      packages: [
        { name: 'left', version: '1.0.0', license: 'MIT' },
        { name: '@scope/right', version: '1.0.0', license: 'GPL-3.0-only' },
        'untold@1.0.0',
      ],
    })
    const api = await add('api', {
      packages: [
        { name: 'Two_Words', version: '1.0', license: 'MIT' },
        { name: 'left', version: '1.0.0', license: 'MIT' },
      ],
      type: 'pip',
    })
    // A deleted project does not count, though its packages may still be stored.
    const gone = await add('gone', { packages: ['left@1.0.0', 'only-there@1.0.0'] })
    await app.call('DELETE', `/rest/orgs/${orgId}/projects/${gone.projectId}`)
    // Neither do projects of another organization.
    await add('foreign', { packages: ['left@1.0.0', 'foreign@1.0.0'] }, app.orgId)
    projects = { web, api }
  })
  after(() => app.close())

  const add = async (name: string, project: GivenProject, to = orgId) => {
    const lease = app.parts.advisories.acquire()
    try {
      return await record(app.parts.services.db, { orgId: to, name, test: toTest(project, lease.advisories) })
    } finally {
      lease.release()
    }
  }
  const ask = async (what: string, filters: object | undefined, query: Record<string, string> = {}) => {
    const answer = await app.call('POST', `/v1/org/${orgId}/${what}`, { ...(filters && { body: { filters } }), query })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }

  describe('v1 project list', () => {
    test('v1 project list: returns all projects with counts and URLs', async () => {
      const { org, projects: listed } = await ask('projects', undefined)
      assert.equal(org.id, orgId)
      assert.deepEqual(
        listed.map(({ name }: { name: string }) => name),
        ['web', 'api'],
      )
      const [web] = listed
      assert.equal(web.id, projects.web.projectId)
      assert.deepEqual(web.issueCountsBySeverity, { critical: 0, high: 2, medium: 0, low: 1 })
      assert.equal(web.browseUrl.split('/').at(-1), web.id)
    })

    test('v1 project list without filters, by GET: the same answer as by POST', async () => {
      const answer = await app.call('GET', `/v1/org/${orgId}/projects`)
      assert.deepEqual([answer.statusCode, answer.json()], [200, await ask('projects', undefined)])
    })

    const cases: [filters: object, names: string[]][] = [
      [{}, ['web', 'api']],
      [{ name: '' }, ['web', 'api']],
      [{ name: 'we' }, ['web']],
      [{ name: 'eb' }, []],
      [{ type: 'pip' }, ['api']],
      [{ origin: 'cli' }, ['web', 'api']],
      [{ origin: 'github' }, []],
      [{ isMonitored: true }, ['web', 'api']],
      [{ isMonitored: false }, []],
      [{ tags: { includes: [{ key: 'team', value: 'red' }] } }, ['web']],
      [{ attributes: { criticality: ['high'], environment: [] } }, ['web']],
    ]
    for (const [filters, names] of cases) {
      test(`v1 project list: ${JSON.stringify(filters)} lists ${names.join(' ') || 'none'}`, async () => {
        const base = `/v1/org/${orgId}/project/${projects.web.projectId}`
        await app.call('POST', `${base}/tags`, { body: { key: 'team', value: 'red' } })
        await app.call('POST', `${base}/attributes`, { body: { criticality: ['high'] } })
        const { projects: listed } = await ask('projects', filters)
        assert.deepEqual(
          listed.map(({ name }: { name: string }) => name),
          names,
        )
      })
    }

    test('v1 project list: an attribute named 1,500 times counts once', async () => {
      const { projects: listed } = await ask('projects', { attributes: { lifecycle: Array(1500).fill('sandbox') } })
      assert.deepEqual(listed, [])
    })
  })

  describe('v1 dependency list', () => {
    const namesOf = ({ results }: { results: { id: string; type: string }[] }) =>
      results.map(({ id, type }) => `${type}:${id}`)

    test('v1 dependency list: shows projects, issues and licenses', async () => {
      const { results, total } = await ask('dependencies', {}, { sortBy: 'severity', order: 'desc' })
      assert.equal(total, 5)
      assert.deepEqual(results.slice(0, 2), [
        {
          id: 'Two_Words@1.0',
          name: 'Two_Words',
          version: '1.0',
          type: 'pip',
          packageManager: 'pip',
          issuesCritical: 1,
          issuesHigh: 0,
          issuesMedium: 0,
          issuesLow: 0,
          licenses: [{ id: 'lic:pip:Two_Words:MIT', title: 'MIT license', license: 'MIT' }],
          projects: [{ id: projects.api.projectId, name: 'api' }],
          projectsTotal: 1,
        },
        {
          id: 'left@1.0.0',
          name: 'left',
          version: '1.0.0',
          type: 'npm',
          packageManager: 'npm',
          issuesCritical: 0,
          issuesHigh: 1,
          issuesMedium: 0,
          issuesLow: 1,
          licenses: [{ id: 'lic:npm:left:MIT', title: 'MIT license', license: 'MIT' }],
          projects: [{ id: projects.web.projectId, name: 'web' }],
          projectsTotal: 1,
        },
      ])
      const untold = results.find(({ name }: { name: string }) => name === 'untold')
      assert.deepEqual(untold.licenses, [])
    })

    const all = ['npm:@scope/right@1.0.0', 'npm:left@1.0.0', 'pip:left@1.0.0', 'pip:Two_Words@1.0', 'npm:untold@1.0.0']
    const cases: [filters: () => object | undefined, ids: string[]][] = [
      [() => undefined, all],
      [() => ({ projects: [], dependencies: [], licenses: [], severity: [], depStatus: '' }), all],
      [() => ({ projects: [projects.api.projectId.toUpperCase()] }), ['pip:left@1.0.0', 'pip:Two_Words@1.0']],
      [() => ({ projects: [randomUUID()] }), []],
      [
        () => ({ dependencies: ['left@1.0.0', 'two.words@1.0'] }),
        ['npm:left@1.0.0', 'pip:left@1.0.0', 'pip:Two_Words@1.0'],
      ],
      [
        () => ({ dependencies: ['@scope/right@1.0.0', 'foreign@1.0.0', 'only-there@1.0.0'] }),
        ['npm:@scope/right@1.0.0'],
      ],
      [() => ({ languages: ['python'] }), ['pip:left@1.0.0', 'pip:Two_Words@1.0']],
      [() => ({ languages: ['php'] }), []],
      [() => ({ severity: ['critical'] }), ['pip:Two_Words@1.0']],
      [() => ({ severity: ['low'] }), ['npm:left@1.0.0']],
      [() => ({ severity: ['critical', 'high', 'medium', 'low'], depStatus: 'any' }), all],
    ]
    for (const [filters, ids] of cases) {
      test(`v1 dependency list: ${String(filters).slice(6)} lists ${ids.join(' ') || 'none'}`, async () => {
        const answer = await ask('dependencies', filters())
        assert.deepEqual([namesOf(answer), answer.total], [ids, ids.length])
      })
    }

    test('v1 dependency list: pages in both orders with links', async () => {
      const first = await app.call('POST', `/v1/org/${orgId}/dependencies`, { query: { perPage: '2', order: 'desc' } })
      assert.deepEqual(namesOf(first.json()), all.toReversed().slice(0, 2))
      assert.equal(first.json().total, 5)
      assert.match(String(first.headers['link']), /page=2.*rel=next.*page=3.*rel=last/)
      assert.deepEqual(namesOf(await ask('dependencies', {}, { perPage: '2', page: '3' })), ['npm:untold@1.0.0'])
      assert.deepEqual(namesOf(await ask('dependencies', {}, { perPage: '2', page: '4' })), [])
    })

    for (const filters of [{ depStatus: 'deprecated' }, { licenses: ['MIT'] }]) {
      test(`v1 dependency list: refuses the filter ${JSON.stringify(filters)} with 422`, async () => {
        const answer = await app.call('POST', `/v1/org/${orgId}/dependencies`, { body: { filters } })
        assertRefusal(answer, { status: 422, code: 'unprocessable' })
      })
    }
  })

  describe('v1 license list', () => {
    test('v1 license list: shows severity, instructions, dependencies and projects', async () => {
      const { results, total } = await ask('licenses', {})
      assert.equal(total, 3)
      const [gpl, mit, unknown] = results
      assert.deepEqual(gpl, {
        id: 'GPL-3.0-only',
        severity: 'high',
        instructions: 'Ask first.',
        dependencies: [{ id: '@scope/right@1.0.0', name: '@scope/right', version: '1.0.0', packageManager: 'npm' }],
        dependenciesTotal: 1,
        projects: [{ id: projects.web.projectId, name: 'web' }],
        projectsTotal: 1,
      })
      assert.deepEqual([mit.id, mit.severity, mit.dependencies.length, mit.projects.length], ['MIT', 'none', 3, 2])
      assert.deepEqual([unknown.id, unknown.dependencies[0].id], ['Unknown', 'untold@1.0.0'])
    })

    const cases: [filters: () => object | undefined, query: Record<string, string>, ids: string[]][] = [
      [() => undefined, { order: 'desc' }, ['Unknown', 'MIT', 'GPL-3.0-only']],
      [() => ({}), { sortBy: 'severity', order: 'desc' }, ['GPL-3.0-only', 'Unknown', 'MIT']],
      [() => ({}), { sortBy: 'dependencies' }, ['GPL-3.0-only', 'Unknown', 'MIT']],
      [() => ({}), { sortBy: 'projects', order: 'desc' }, ['MIT', 'Unknown', 'GPL-3.0-only']],
      [() => ({ projects: [projects.api.projectId] }), {}, ['MIT']],
      [() => ({ licenses: ['GPL-3.0-only'] }), {}, ['GPL-3.0-only']],
      [() => ({ severity: ['none'] }), {}, ['MIT', 'Unknown']],
      [() => ({ dependencies: ['left@1.0.0'] }), {}, ['MIT']],
      [() => ({ languages: ['python'] }), {}, ['MIT']],
    ]
    for (const [filters, query, ids] of cases) {
      test(`v1 license list: ${String(filters).slice(6)} ${JSON.stringify(query)} lists ${ids.join(', ')}`, async () => {
        const { results } = await ask('licenses', filters(), query)
        assert.deepEqual(
          results.map(({ id }: { id: string }) => id),
          ids,
        )
      })
    }

    test('v1 license list: stored lists and graphs give the same result', async () => {
      const { db } = app.parts.services
      for (const [filters, query] of cases) {
        const { sortBy = 'license', order = 'asc' } = query as { sortBy?: LicenseSort; order?: 'asc' | 'desc' }
        const input = { orgId, filters: filters() ?? {}, sort: sortBy, order }
        const sorted = (licenses: Awaited<ReturnType<typeof listOrgLicenses>>) =>
          licenses.results.map((license) => ({
            ...license,
            dependencies: license.dependencies.map(({ id }) => id).sort(),
            projects: license.projects.map(({ id }) => id).sort(),
          }))
        assert.deepEqual(sorted(await listOrgLicenses(db, input, 0)), sorted(await listOrgLicenses(db, input)))
      }
    })

    test('v1 license list: covers more projects than graphs are read', async () => {
      const many = await app.addOrg()
      for (let count = 0; count < 201; count++) await addProjectRow(app, { org_id: many })
      const { advisories, release } = app.parts.advisories.acquire()
      const packages = [{ name: 'told', version: '1.0.0', license: 'MIT' }]
      await record(app.parts.services.db, { orgId: many, test: toTest({ packages }, advisories) })
      release()
      const { results } = (await app.call('POST', `/v1/org/${many}/licenses`)).json()
      const [{ id, dependencies, dependenciesTotal, projectsTotal }] = results
      assert.deepEqual([results.length, id, dependenciesTotal, projectsTotal], [1, 'MIT', 1, 1])
      assert.equal(dependencies[0].id, 'told@1.0.0')
    })
  })

  test('v1 lists: an organization without projects has none', async () => {
    const empty = await app.addOrg()
    for (const what of ['dependencies', 'licenses']) {
      const answer = await app.call('POST', `/v1/org/${empty}/${what}`)
      assert.deepEqual(answer.json(), { results: [], total: 0 })
    }
    assert.deepEqual((await app.call('POST', `/v1/org/${empty}/projects`)).json().projects, [])
  })

  for (const [what, permission] of [
    ['projects', 'org.project.read'],
    ['dependencies', 'org.project.snapshot.read'],
    ['licenses', 'org.project.snapshot.read'],
  ] as const) {
    testRefusals(() => app, `v1 ${what} list`, {
      method: 'POST',
      path: () => `/v1/org/${app.orgId}/${what}`,
      needs: { permission, in: 'org' },
      badBodies: [['filters of another kind', { filters: [] }, '/filters']],
    })
  }
})
