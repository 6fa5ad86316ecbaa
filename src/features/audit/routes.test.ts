import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { operator } from '#foundation/access/caller.ts'
import type { AuditAction } from '#foundation/audit/actions.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

interface Event {
  readonly id: string
  readonly attributes: Record<string, unknown> & { action: string; target: { id: string } }
}

const T0 = Date.parse('2026-01-01T00:00:00Z')

onEveryEngine('audit logs', (engine) => {
  let app: TestApp
  let otherOrg: string
  let strangeGroup: string
  before(async () => {
    app = await startApp(engine)
    otherOrg = await app.addOrg()
    strangeGroup = await app.addGroup()
    const actor = {
      kind: 'user',
      id: 'anna',
      name: 'Anna',
      credentialId: 'c1',
      requestId: 'r1',
      address: '::1',
    } as const
    const { db } = app.parts.services
    const write = (
      offset: number,
      action: string,
      more: { orgId?: string; groupId?: string; targetId?: string } = {},
    ) =>
      recordAudit(
        { tx: db, actor: offset % 2 === 0 ? actor : operator, at: T0 + offset },
        { id: more.targetId ?? `t${offset}`, group_id: more.groupId ?? app.groupId, org_id: more.orgId },
        { action: action as AuditAction, kind: 'thing', after: { offset } },
      )
    await write(0, 'role.create')
    await write(1000, 'org.create', { orgId: app.orgId })
    await write(2000, 'service_account.create', { orgId: app.orgId, targetId: 'sa' })
    await write(3000, 'service_account.secret.create', { orgId: app.orgId, targetId: 'sa' })
    await write(4000, 'service_accounts.create', { orgId: otherOrg })
    await write(5000, 'service_account', { orgId: otherOrg })
    await write(6000, 'role.create', { groupId: strangeGroup })
  })
  after(() => app.close())

  const orgLog = () => `/rest/orgs/${app.orgId}/audit_logs`
  const groupLog = () => `/rest/groups/${app.groupId}/audit_logs`
  const first = 'server.first_start'

  async function actions(path: string, query: Record<string, string> = {}): Promise<string[]> {
    const answer = await app.call('GET', path, { query: { limit: '100', ...query } })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data.map(({ attributes }: Event) => attributes.action)
  }

  test('audit log of an organization: lists its own events, newest first', async () => {
    const secret = 'service_account.secret.create'
    assert.deepEqual(await actions(orgLog()), [first, secret, 'service_account.create', 'org.create'])
  })

  test('audit log of a group: lists events of all its organizations, none of other groups', async () => {
    assert.deepEqual(await actions(groupLog(), { to: '2026-02-01T00:00:00Z' }), [
      'service_account',
      'service_accounts.create',
      'service_account.secret.create',
      'service_account.create',
      'org.create',
      'role.create',
    ])
  })

  test('an audit event: has actor, credential, time, address and the change', async () => {
    const events: Event[] = (await app.call('GET', orgLog(), { query: { action: 'service_account.create' } })).json()
      .data
    assert.deepEqual(
      events.map(({ attributes }) => attributes),
      [
        {
          at: '2026-01-01T00:00:02.000Z',
          action: 'service_account.create',
          actor: { kind: 'user', id: 'anna', name: 'Anna', credential_id: 'c1' },
          target: { kind: 'thing', id: 'sa' },
          sentence: [
            { text: 'Anna', kind: 'user', id: 'anna' },
            { text: ' ' },
            { text: 'created the service account ' },
            { text: 'a deleted thing' },
          ],
          after: { offset: 2000 },
          request_id: 'r1',
          address: '::1',
          org_id: app.orgId,
          group_id: app.groupId,
        },
      ],
    )
  })

  test('an audit event: names its target, in either log, until the target is deleted', async () => {
    const orgId = await app.addOrg()
    const { id } = await addProjectRow(app, { org_id: orgId, name: 'team/shop' })
    const change = { tx: app.parts.services.db, actor: operator, at: T0 }
    const action = 'ignore.create'
    await recordAudit(change, { id, org: { id: orgId, groupId: app.groupId } }, { action, kind: 'project' })
    const targets = async (path: string) =>
      (await app.call('GET', path, { query: { target_id: id, action } }))
        .json()
        .data.map(({ attributes }: Event) => attributes.target)
    const expected = [{ kind: 'project', id, name: 'team/shop' }]
    assert.deepEqual(await targets(`/rest/orgs/${orgId}/audit_logs`), expected)
    assert.deepEqual(await targets(groupLog()), expected)
    await app.call('DELETE', `/rest/orgs/${orgId}/projects/${id}`)
    assert.deepEqual(await targets(groupLog()), [{ kind: 'project', id }])
  })

  const orgFilters: [query: Record<string, string>, actions: string[]][] = [
    [{ action: 'service_account.*' }, ['service_account.secret.create', 'service_account.create']],
    [{ action: 'service_account.secret.*' }, ['service_account.secret.create']],
    [{ action: 'service_account' }, []],
    [{ action: 'nothing.*' }, []],
    [
      { actor_id: 'anna', to: '2026-02-01T00:00:00Z' },
      ['service_account.secret.create', 'service_account.create', 'org.create'],
    ],
    [{ actor_id: 'ann' }, []],
    [{ target_id: 'sa' }, ['service_account.secret.create', 'service_account.create']],
    [{ from: '2026-01-01T00:00:02Z', to: '2026-01-01T00:00:03Z' }, ['service_account.create']],
    [{ from: '2026-01-01T02:00:02+02:00', to: '2026-01-01T00:00:02.001Z' }, ['service_account.create']],
    [{ from: '2026-01-01T00:00:02Z', to: '2026-01-01T00:00:02Z' }, []],
    [{ target_id: 'sa', action: 'service_account.create' }, ['service_account.create']],
  ]
  for (const [query, expected] of orgFilters) {
    test(`audit log filtered by ${JSON.stringify(query)}: lists only matching events`, async () =>
      assert.deepEqual(await actions(orgLog(), query), expected))
  }

  test('audit log of a group filtered by org_id: lists that organization’s events, none for an unknown one', async () => {
    const only = ['service_account', 'service_accounts.create']
    assert.deepEqual(await actions(groupLog(), { org_id: otherOrg }), only)
    assert.deepEqual(await actions(groupLog(), { org_id: otherOrg.toUpperCase() }), only)
    assert.deepEqual(await actions(groupLog(), { org_id: randomUUID() }), [])
  })

  test('paging through the audit log: events of one millisecond keep their order while new ones are written', async () => {
    const { db } = app.parts.services
    const orgId = await app.addOrg()
    const write = (number: number, at: number) =>
      recordAudit(
        { tx: db, actor: operator, at },
        { id: String(number), group_id: app.groupId, org_id: orgId },
        { action: 'thing.edit' as AuditAction },
      )
    for (let number = 0; number < 25; number++) await write(number, T0)
    const read: string[] = []
    let link: string | undefined = `/rest/orgs/${orgId}/audit_logs?version=2024-10-15&action=thing.edit`
    for (let page = 0; link !== undefined; page++) {
      const answer = await app.call('GET', link)
      const { data, links } = answer.json()
      read.push(...data.map(({ attributes }: Event) => attributes.target.id))
      await write(100 + page, T0 + 1)
      assert.notEqual(links.next, links.self)
      link = links.next
      if (link) assert.match(link, /action=thing\.edit/)
    }
    const order = Array.from({ length: 25 }, (_, number) => String(24 - number))
    assert.deepEqual(read, order)
    const newest = await app.call('GET', `/rest/orgs/${orgId}/audit_logs`)
    const { data, links } = newest.json()
    const targets = data.map(({ attributes }: Event) => attributes.target.id)
    assert.deepEqual(targets, ['102', '101', '100', ...order.slice(0, 7)])
    const second = (await app.call('GET', links.next)).json()
    assert.deepEqual((await app.call('GET', second.links.prev)).json().data, data)
  })

  test('a cursor of the audit log: refused with other filters (400 cursor-invalid)', async () => {
    const { links } = (await app.call('GET', orgLog(), { query: { action: 'org.*' } })).json()
    const starting_after = new URLSearchParams(links.first.split('?')[1]).get('starting_after')!
    assert.equal((await app.call('GET', orgLog(), { query: { action: 'org.*', starting_after } })).statusCode, 200)
    const other = await app.call('GET', orgLog(), { query: { action: 'role.*', starting_after } })
    assert.deepEqual([other.statusCode, other.json().errors[0].code], [400, 'cursor-invalid'])
  })

  describe('refusals of audit logs', () => {
    const badQueries: [query: Record<string, string>, parameter: string][] = [
      [{ from: 'yesterday' }, 'from'],
      [{ from: '2026-01-01' }, 'from'],
      [{ to: '2026-01-01T00:00:00' }, 'to'],
      [{ to: '2026-01-01T00:00:00 02:00' }, 'to'],
      [{ to: '2016-12-31T23:59:60Z' }, 'to'],
      [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'to'],
      [{ action: '*' }, 'action'],
      [{ action: 'service*' }, 'action'],
      [{ action: 'a\u0007' }, 'action'],
      [{ actor_id: '' }, 'actor_id'],
      [{ actor_id: '\u0007' }, 'actor_id'],
      [{ target_id: 'x'.repeat(256) }, 'target_id'],
      [{ limit: '1' }, 'limit'],
      [{ starting_after: 'v1.e30' }, 'starting_after'],
    ]
    for (const [query, parameter] of badQueries) {
      test(`audit log: refuses ${JSON.stringify(query).slice(0, 60)} (400)`, async () => {
        for (const path of [orgLog(), groupLog()]) {
          const answer = await app.call('GET', path, { query })
          assert.deepEqual([answer.statusCode, answer.json().errors?.[0].source], [400, { parameter }], answer.body)
        }
      })
    }

    test('audit log: refuses org_id for an organization’s log, and a malformed org_id for a group’s (400)', async () => {
      const unknown = await app.call('GET', orgLog(), { query: { org_id: app.orgId } })
      assert.deepEqual([unknown.statusCode, unknown.json().errors[0].code], [400, 'unknown-parameter'])
      const answer = await app.call('GET', groupLog(), { query: { org_id: 'default-org' } })
      assert.deepEqual([answer.statusCode, answer.json().errors[0].source], [400, { parameter: 'org_id' }])
    })

    test('audit log: refused without a credential (401), permission (403) or membership (404)', async () => {
      const stranger = await app.keyWith(['group.audit.read', 'org.audit.read'], { groupId: strangeGroup })
      const orgReader = await app.keyWith(['org.audit.read'])
      const cases: [path: string, key: string | null, status: number][] = [
        [orgLog(), null, 401],
        [groupLog(), null, 401],
        [orgLog(), stranger, 404],
        [groupLog(), stranger, 404],
        [orgLog(), await app.keyWith(['org.read']), 403],
        [groupLog(), await app.keyWith(['group.read', 'org.audit.read'], { groupId: app.groupId }), 403],
        [groupLog(), orgReader, 404],
        [`/rest/orgs/${otherOrg}/audit_logs`, orgReader, 404],
        [orgLog(), orgReader, 200],
        ['/rest/orgs/default-org/audit_logs', app.adminKey, 404],
        [`/rest/groups/${randomUUID()}/audit_logs`, app.adminKey, 404],
      ]
      for (const [path, key, status] of cases) {
        const answer = await app.call('GET', path, { key })
        assert.equal(answer.statusCode, status, `${path}: ${answer.body}`)
        if (status === 403) assert.match(answer.body, /(org|group)\.audit\.read/)
      }
    })

    const others: [why: string, status: number, options: object][] = [
      ['a missing version', 400, { query: { version: '-' } }],
      ['a version before the first release', 404, { query: { version: '2024-10-14' } }],
      ['an Accept header that excludes JSON', 406, { headers: { accept: 'text/csv' } }],
    ]
    for (const [why, status, options] of others) {
      test(`audit log: refuses ${why} (${status})`, async () =>
        assert.equal((await app.call('GET', groupLog(), options)).statusCode, status))
    }

    test('audit log: refuses POST, PATCH, PUT and DELETE (405)', async () => {
      for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'] as const) {
        assert.equal((await app.call(method, orgLog(), { body: {} })).statusCode, 405)
      }
    })
  })
})
