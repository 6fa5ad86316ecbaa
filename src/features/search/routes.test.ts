import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Permission } from '#foundation/access/permissions.ts'
import { addPerson } from '#test/access/people.ts'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('search', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
    await recordProject(app, {
      name: 'tools/log4-migration',
      graph: {
        project: ['org.apache.logging.log4j:log4j-core@2.14.1', 'left_pad@1.0.0'],
        'org.apache.logging.log4j:log4j-core@2.14.1': [],
        'left_pad@1.0.0': [],
      },
      issues: [
        {
          id: 'GHSA-jfh8-c2jp-5v3q',
          in: 'org.apache.logging.log4j:log4j-core@2.14.1',
          severity: 'critical',
          aliases: ['CVE-2021-44228'],
        },
      ],
    })
    await recordProject(app, { name: 'shop/100% wool', graph: { project: [] } })
    const attributes = {
      name: 'Log4 Watch',
      redirect_uris: ['https://app.example/cb'],
      scopes: ['org.read'],
      context: 'tenant',
    }
    const body = { data: { type: 'app', attributes } }
    const created = await app.call('POST', `/rest/orgs/${app.orgId}/apps/creations`, { body })
    assert.equal(created.statusCode, 201, created.body)
  })
  after(() => app.close())

  const path = () => `/rest/orgs/${app.orgId}/search`
  const search = async (query: Record<string, string>, key = app.adminKey) => {
    const answer = await app.call('GET', path(), { query, key })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data as { id: string; type: string; attributes: { name: string } }[]
  }
  const short = (hits: Awaited<ReturnType<typeof search>>) =>
    hits.map(({ type, attributes }) => `${type}:${attributes.name}`).join(', ')

  const LOG4J = 'package:org.apache.logging.log4j:log4j-core'
  const VULNERABILITY = 'vulnerability:Title of GHSA-jfh8-c2jp-5v3q'
  const cases: [query: Record<string, string>, hits: string][] = [
    [{ query: 'log4' }, `${VULNERABILITY}, ${LOG4J}, project:tools/log4-migration, app:Log4 Watch`],
    [{ query: 'cve-2021-44228' }, VULNERABILITY],
    [{ query: 'JFH8' }, VULNERABILITY],
    [{ query: 'migration tools' }, 'project:tools/log4-migration'],
    [{ query: 'ols/lo' }, 'project:tools/log4-migration'],
    [{ query: '100%' }, 'project:shop/100% wool'],
    [{ query: 'log4j-core@2.14.1' }, LOG4J],
    [{ query: 'left_' }, 'package:left_pad'],
    [{ query: 'log4', kinds: 'app,package' }, `${LOG4J}, app:Log4 Watch`],
    [{ query: 'lgo4j' }, ''],
  ]
  for (const [query, hits] of cases) {
    test(`search: ${JSON.stringify(query)} finds ${hits === '' ? 'nothing' : hits}`, async () => {
      assert.equal(short(await search(query)), hits)
    })
  }

  test('search: finds members by name and e-mail address, and no other users', async () => {
    const member = await addPerson(app, { permissions: ['org.read'], orgId: app.orgId })
    const stranger = await addPerson(app)
    for (const query of [member.name, member.email, member.email.slice(2, 20).toUpperCase()]) {
      const hits = await search({ query, kinds: 'member' })
      assert.deepEqual(hits, [
        { id: member.id, type: 'member', attributes: { name: member.name, context: member.email } },
      ])
    }
    assert.deepEqual(await search({ query: stranger.email, kinds: 'member' }), [])
  })

  describe('search hits by permission', () => {
    const visible: [permissions: Permission[], hits: string][] = [
      [['org.read'], ''],
      [['org.read', 'org.app.read'], 'app:Log4 Watch'],
      [['org.read', 'org.project.read'], `${LOG4J}, project:tools/log4-migration`],
      [
        ['org.read', 'org.project.read', 'org.project.snapshot.read'],
        `${VULNERABILITY}, ${LOG4J}, project:tools/log4-migration`,
      ],
    ]
    for (const [permissions, hits] of visible) {
      test(`search with ${permissions.join(', ')}: finds ${hits || 'nothing'}`, async () => {
        assert.equal(short(await search({ query: 'log4' }, await app.keyWith(permissions))), hits)
      })
    }

    test('search: finds nothing of another organization', async () => {
      const other = await app.addOrg()
      const answer = await app.call('GET', `/rest/orgs/${other}/search`, { query: { query: 'log4' } })
      assert.deepEqual(answer.json().data, [])
    })
  })

  describe('invalid searches', () => {
    for (const [query, parameter] of [
      [{}, 'query'],
      [{ query: '' }, 'query'],
      [{ query: ' \t' }, 'query'],
      [{ query: 'x'.repeat(201) }, 'query'],
      [{ query: 'x', limit: '21' }, 'limit'],
      [{ query: 'x', kinds: 'secret' }, 'kinds'],
    ] as [Record<string, string>, string][]) {
      test(`search: refuses ${JSON.stringify(query).slice(0, 40)} with 400`, async () => {
        const answer = await app.call('GET', path(), { query })
        assertRefusal(answer, { status: 400, code: 'invalid-request' })
        assert.ok(answer.body.includes(parameter), answer.body)
      })
    }
  })

  testRefusals(() => app, 'search', {
    method: 'GET',
    path: () => `${path()}?query=x`,
    since: '2024-01-23',
    needs: { permission: 'org.read', in: 'org' },
  })
})
