import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type BadBody, testRefusals } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { findPolicy } from './store.ts'

const changed = (attributes: object, more: object = {}) => ({ data: { type: 'license_policy', attributes, ...more } })
const rules = (...list: object[]) => changed({ rules: list })
const rule = (license: unknown, severity: unknown = 'high', more: object = {}) => rules({ license, severity, ...more })
const licenseAt = '/data/attributes/rules/0/license'

const badBodies: BadBody[] = [
  ['an empty change', changed({}), '/data/attributes'],
  ['another attribute', changed({ licenses: [] }), '/data/attributes/licenses'],
  ['another type', { data: { type: 'policy', attributes: { rules: [] } } }, '/data/type'],
  ['an id that is not the organization’s', changed({ rules: [] }, { id: randomUUID() }), '/data/id'],
  ['rules that are not a list', changed({ rules: {} }), '/data/attributes/rules'],
  ['a rule without a severity', rules({ license: 'MIT' }), '/data/attributes/rules/0/severity'],
  ['an unknown severity', rule('MIT', 'bad'), '/data/attributes/rules/0/severity'],
  ['an unknown member of a rule', rule('MIT', 'low', { note: 'x' }), '/data/attributes/rules/0/note'],
  ['an empty license', rule(''), licenseAt],
  ['an unknown license', rule('My Own'), licenseAt],
  ['a license that is a number', rule(7), licenseAt],
  ['a license expression', rule('MIT OR ISC'), licenseAt],
  ['a license named __proto__', rule('__proto__'), licenseAt],
  [
    'control characters in instructions',
    rule('MIT', 'low', { instructions: 'a\u0000' }),
    '/data/attributes/rules/0/instructions',
  ],
  [
    'two rules about one license',
    rules({ license: 'GPL-3.0', severity: 'low' }, { license: 'GNU GPL v3', severity: 'high' }),
    '/data/attributes/rules/1/license',
  ],
  [
    'an unknown meaning of unlisted licenses',
    changed({ unlisted_severity: 'deny' }),
    '/data/attributes/unlisted_severity',
  ],
  ['an unknown meaning of unknown licenses', changed({ unknown_severity: 3 }), '/data/attributes/unknown_severity'],
]

onEveryEngine('license policies', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const path = (orgId: string) => `/rest/orgs/${orgId}/license_policy`
  const read = async (orgId: string) => (await app.call('GET', path(orgId))).json().data
  async function change(orgId: string, body: object, status = 200) {
    const answer = await app.call('PATCH', path(orgId), { body })
    assert.equal(answer.statusCode, status, answer.body)
    return answer.json().data
  }

  test('a new organization: its license policy allows everything and is not stored', async () => {
    const orgId = await app.addOrg()
    assert.deepEqual(await read(orgId), {
      id: orgId,
      type: 'license_policy',
      attributes: { rules: [], unlisted_severity: 'none', unknown_severity: 'none', updated_at: null },
    })
    assert.equal(await findPolicy(app.parts.services.db, orgId), undefined)
  })

  test('changing a license policy: keeps what is not sent; licenses are stored as SPDX ids', async () => {
    const orgId = await app.addOrg()
    const first = await change(
      orgId,
      changed({
        rules: [
          { license: 'gpl-3.0', severity: 'high', instructions: 'Ask first.\nThen ask again.' },
          { license: 'The Apache License, Version 2.0', severity: 'none' },
          { license: 'GPL-2.0-with-classpath-exception', severity: 'none' },
          { license: 'LicenseRef-own', severity: 'none' },
        ],
        unknown_severity: 'low',
      }),
    )
    const expected = [
      { license: 'GPL-3.0-only', severity: 'high', instructions: 'Ask first.\nThen ask again.' },
      { license: 'Apache-2.0', severity: 'none' },
      { license: 'GPL-2.0-only WITH Classpath-exception-2.0', severity: 'none' },
      { license: 'LicenseRef-own', severity: 'none' },
    ]
    assert.deepEqual(first.attributes.rules, expected)
    assert.deepEqual([first.attributes.unlisted_severity, first.attributes.unknown_severity], ['none', 'low'])
    const second = await change(orgId, changed({ unlisted_severity: 'medium' }, { id: orgId }))
    assert.deepEqual(second.attributes.rules, expected)
    assert.deepEqual([second.attributes.unlisted_severity, second.attributes.unknown_severity], ['medium', 'low'])
    assert.deepEqual(await read(orgId), second)
    const third = await change(orgId, changed({ rules: [] }))
    assert.deepEqual(third.attributes.rules, [])
  })

  test('license policies: belong to one organization and are deleted with it', async () => {
    const [mine, other] = [await app.addOrg(), await app.addOrg()]
    await change(mine, changed({ unknown_severity: 'high' }))
    assert.equal((await read(other)).attributes.unknown_severity, 'none')
    const { db } = app.parts.services
    await db.deleteFrom('orgs').where('id', '=', mine).execute()
    assert.equal(await findPolicy(db, mine), undefined)
  })

  test('concurrent changes of a license policy: all take effect', async () => {
    const orgId = await app.addOrg()
    await Promise.all([
      change(orgId, changed({ unlisted_severity: 'low' })),
      change(orgId, changed({ unknown_severity: 'high' })),
      change(orgId, rule('MIT', 'none')),
    ])
    const { rules: kept, unlisted_severity, unknown_severity } = (await read(orgId)).attributes
    assert.deepEqual([kept.length, unlisted_severity, unknown_severity], [1, 'low', 'high'])
  })

  test('audit log of a license policy: has each change with the states before and after', async () => {
    const orgId = await app.addOrg()
    await change(orgId, rule('ISC', 'low'))
    await change(orgId, changed({ unknown_severity: 'medium' }))
    const { data } = (await app.call('GET', `/rest/orgs/${orgId}/audit_logs`)).json()
    const [last, first] = data.map(({ attributes }: { attributes: object }) => attributes)
    assert.deepEqual([first.action, last.action], ['license_policy.update', 'license_policy.update'])
    const kept = [{ license: 'ISC', severity: 'low' }]
    assert.deepEqual(first.after, { rules: kept, unlisted_severity: 'none', unknown_severity: 'none' })
    assert.deepEqual([last.before.unknown_severity, last.after.unknown_severity], ['none', 'medium'])
    assert.deepEqual(last.after.rules, kept)
  })

  test('a refused change of a license policy: changes nothing', async () => {
    const orgId = await app.addOrg()
    await change(orgId, changed({ unknown_severity: 'low', rules: [{ license: 'x y', severity: 'low' }] }), 400)
    assert.equal((await read(orgId)).attributes.updated_at, null)
  })

  const needs = (permission: 'org.read' | 'org.edit') => ({ permission, in: 'org' }) as const
  testRefusals(() => app, 'reading a license policy', {
    method: 'GET',
    path: () => path(app.orgId),
    needs: needs('org.read'),
    since: '2024-10-15',
  })
  testRefusals(() => app, 'changing a license policy', {
    method: 'PATCH',
    path: () => path(app.orgId),
    body: () => rule('MIT', 'none'),
    needs: needs('org.edit'),
    since: '2024-10-15',
    badBodies,
  })
})
