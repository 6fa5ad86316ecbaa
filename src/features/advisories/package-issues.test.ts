import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const LEFT = 'pkg:npm/%40scope/left@1.0.0'

onAnyEngine('package issues by package URL', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
    await publishRecords(app.parts, [
      recordAgainst('GHSA-aaaa', 'npm', '@scope/left', { fixed: '2.0.0', severity: 'HIGH' }),
      recordAgainst('GHSA-bbbb', 'npm', '@scope/left', { fixed: '1.5.0', severity: 'LOW' }),
      recordAgainst('GO-1', 'Go', 'git.example/a/mux', { fixed: '1.8.1', severity: 'HIGH' }),
      recordAgainst('PYSEC-1', 'PyPI', 'two-words', { fixed: '2.0', severity: 'CRITICAL' }),
    ])
  })
  after(() => app.close())

  const path = (purl = LEFT) => `/rest/orgs/${app.orgId}/packages/${encodeURIComponent(purl)}/issues`
  const many = () => `/rest/orgs/${app.orgId}/packages/issues`
  const bodyOf = (...purls: unknown[]) => ({ data: { type: 'resource', attributes: { purls } } })
  const idsOf = (answer: { json(): { data: { id: string }[] } }) => answer.json().data.map(({ id }) => id)

  test('one package: returns its issues with coordinates, severity and the package', async () => {
    const answer = await app.call('GET', path())
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(idsOf(answer), ['GHSA-aaaa', 'GHSA-bbbb'])
    const { data, meta, links } = answer.json()
    const shown = { name: 'left', namespace: '@scope', type: 'npm', url: LEFT, version: '1.0.0' }
    assert.deepEqual(meta, { package: shown })
    assert.match(links.self, /^\/orgs\//)
    const [{ type, attributes }] = data
    assert.equal(type, 'issue')
    assert.deepEqual([attributes.key, attributes.effective_severity_level], ['GHSA-aaaa', 'high'])
    assert.deepEqual(attributes.coordinates, [
      {
        remedies: [
          {
            type: 'indeterminate',
            description: 'Upgrade the package version to 2.0.0 to fix this vulnerability',
            details: { upgrade_package: '2.0.0' },
          },
        ],
        representations: [{ resource_path: '<2.0.0' }, { package: shown }],
      },
    ])
    assert.ok(attributes.problems.some(({ id }: { id: string }) => id === 'GHSA-aaaa'))
    const [{ level, score, vector }] = attributes.severities
    // Without a vector, the lowest score of the level, as in package tests.
    assert.deepEqual([level, score, vector], ['high', 7, null])
  })

  test('one package: offset and limit select a part of the list', async () => {
    for (const [query, expected] of [
      [{ limit: '1' }, ['GHSA-aaaa']],
      [{ offset: '1' }, ['GHSA-bbbb']],
      [{ offset: '2' }, []],
    ] as const) {
      assert.deepEqual(idsOf(await app.call('GET', path(), { query })), expected)
    }
  })

  test('one package: returns an empty list if unaffected or unknown to the advisories', async () => {
    for (const purl of ['pkg:npm/%40scope/left@2.0.0', 'pkg:npm/unheard-of@1.0.0', 'pkg:pypi/Two.Words@3']) {
      const answer = await app.call('GET', path(purl))
      assert.deepEqual([answer.statusCode, answer.json().data], [200, []], purl)
    }
    assert.deepEqual(idsOf(await app.call('GET', path('pkg:pypi/Two.Words@1.0'))), ['PYSEC-1'])
  })

  test('a Go package: returns the issues of its module, or an entry in meta.errors if the module is unclear', async () => {
    const [module, below] = ['pkg:golang/git.example/a/mux@v1.8.0', 'pkg:golang/git.example/a/mux/sub@v1.8.0']
    for (const purl of [module, `${below}?type=package`]) {
      const answer = await app.call('GET', path(purl))
      assert.deepEqual([idsOf(answer), answer.json().meta.errors], [['GO-1'], undefined], purl)
    }
    const unclear = (await app.call('GET', path(below))).json()
    assert.deepEqual([unclear.data, unclear.meta.errors.length], [[], 1])
    assert.match(unclear.meta.errors[0].detail, /package of the module git\.example\/a\/mux, 1 advisory applies/)
    for (const clear of [`${below}?type=module`, 'pkg:golang/git.example/a/mux/sub@v1.8.1']) {
      const { data, meta } = (await app.call('GET', path(clear))).json()
      assert.deepEqual([data, meta.errors], [[], undefined], clear)
    }
    const ask = async (...purls: string[]) => {
      const { data, meta } = (await app.call('POST', many(), { body: bodyOf(...purls) })).json()
      return [data.length, meta.errors?.map(({ source }: { source: object }) => source)]
    }
    assert.deepEqual(await ask(LEFT, below), [2, [{ pointer: '/data/attributes/purls/1' }]])
    assert.deepEqual(await ask(below, module), [1, undefined], 'a build has one version of a module')
  })

  const refused: [why: string, purl: string, detail: RegExp][] = [
    ['a package type without advisories', 'pkg:deb/debian/curl@7', /type deb/],
    ['a missing version', 'pkg:npm/left', /version/],
    ['an invalid version for the registry', 'pkg:npm/left@latest', /version/],
    ['a text that is not a package URL', 'left@1.0.0', /not a package URL/],
    ['a Maven artifact without a group', 'pkg:maven/left@1.0.0', /type maven/],
  ]
  for (const [why, purl, detail] of refused) {
    test(`one package: refuses ${why} (400 invalid-request)`, async () => {
      const answer = await app.call('GET', path(purl))
      await assertRefusal(answer, { status: 400, code: 'invalid-request' })
      assert.match(answer.json().errors[0].detail, detail)
    })
  }

  test('one package: explains an unencoded package URL (404 route-not-found)', async () => {
    const answer = await app.call('GET', `/rest/orgs/${app.orgId}/packages/${LEFT}/issues`)
    await assertRefusal(answer, { status: 404, code: 'route-not-found' })
    assert.match(answer.json().errors[0].detail, /%2F/)
  })

  test('a registry without advisories: refused (422) instead of reported as clean', async () => {
    const answer = await app.call('GET', path('pkg:gem/rack@1.0.0'))
    await assertRefusal(answer, { status: 422, code: 'unprocessable' })
    const bulk = await app.call('POST', many(), { body: bodyOf('pkg:gem/rack@1.0.0') })
    assert.equal(bulk.json().meta.errors[0].status, '422')
  })

  test('many packages: lists an issue once, with a coordinate for each package', async () => {
    const other = 'pkg:npm/%40scope/left@1.9.0'
    const body = bodyOf(LEFT, other, 'pkg:npm/@scope/left@1.0.0', 'pkg:pypi/two-words@1.0', LEFT)
    const answer = await app.call('POST', many(), { body })
    assert.equal(answer.statusCode, 200, answer.body)
    const actual = answer
      .json()
      .data.map(({ id, attributes }: { id: string; attributes: { coordinates: object[] } }) => [
        id,
        attributes.coordinates.map((coordinate) => /"url":"([^"]+)"/.exec(JSON.stringify(coordinate))![1]),
      ])
    assert.deepEqual(actual, [
      ['GHSA-aaaa', [LEFT, other]],
      ['GHSA-bbbb', [LEFT]],
      ['PYSEC-1', ['pkg:pypi/two-words@1.0']],
    ])
    assert.deepEqual(answer.json().meta, {})
  })

  test('many packages: meta.errors names the refused package URLs beside the issues of the others', async () => {
    const body = bodyOf(...refused.map(([, purl]) => purl), LEFT)
    const answer = await app.call('POST', many(), { body })
    assert.equal(answer.json().data.length, 2)
    const errors = answer.json().meta.errors
    assert.deepEqual(
      errors.map(({ status, source }: { status: string; source: object }) => [status, source]),
      refused.map((_, at) => ['400', { pointer: `/data/attributes/purls/${at}` }]),
    )
  })

  test('many packages: an empty list returns no issues; more than 1,000 are refused (400)', async () => {
    assert.deepEqual((await app.call('POST', many(), { body: bodyOf() })).json().data, [])
    const body = bodyOf(...Array.from({ length: 1001 }, (_, n) => `pkg:npm/a@1.0.${n}`))
    await assertRefusal(await app.call('POST', many(), { body }), { status: 400, code: 'invalid-request' })
  })

  testRefusals(() => app, 'issues of one package', {
    method: 'GET',
    path,
    since: '2022-06-29~beta',
    needs: { permission: 'org.read', in: 'org' },
  })

  testRefusals(() => app, 'issues of many packages', {
    method: 'POST',
    path: many,
    body: () => bodyOf(LEFT),
    since: '2023-01-04~experimental',
    needs: { permission: 'org.read', in: 'org' },
    badBodies: [
      ['missing package URLs', { data: { attributes: {} } }, '/data/attributes/purls'],
      ['a package URL that is not a string', bodyOf(1), '/data/attributes/purls/0'],
    ],
  })
})
