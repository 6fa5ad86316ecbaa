import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { groupAdmin } from '#foundation/access/built-in-roles.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { runCommand } from '#test/servers/command-line.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { ADMINISTRATOR } from '#test/servers/templates.ts'

onAnyEngine('gatehouse admin create-group', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const run = (...args: string[]) =>
    runCommand(['admin', 'create-group', ...args], {
      environment: {
        GATEHOUSE_DATA_DIR: app.parts.services.config.dataDir,
        GATEHOUSE_ADMIN_EMAIL: ADMINISTRATOR.GATEHOUSE_ADMIN_EMAIL,
        ...(app.databaseUrl !== undefined && { DATABASE_URL: app.databaseUrl }),
      },
    })

  const countGroups = async () => (await app.parts.services.db.selectFrom('groups').select('id').execute()).length
  const groupIn = (output: string) => /^Group +(\S{36}) {2}/m.exec(output)![1]!
  const groupsOf = async (key: string): Promise<string[]> =>
    (await app.call('GET', '/rest/groups', { key, query: { limit: '100' } }))
      .json()
      .data.map(({ id }: { id: string }) => id)

  test('create-group: creates a group and its administrator; prints password and API key once', async () => {
    const email = `Ada-${randomUUID()}@example.test`
    const { code, output, errors } = await run('--name', 'Second tenant', '--admin-email', email)
    assert.deepEqual([code, errors], [0, ''])
    const groupId = groupIn(output)
    const key = /^API key +(\S+)$/m.exec(output)![1]!
    assert.match(output, /^Password +\S{12,}$/m)
    assert.deepEqual(await groupsOf(key), [groupId])
    const self = (await app.call('GET', '/rest/self', { key })).json().data
    assert.equal(self.attributes.email, email.toLowerCase())
    const members = (await app.call('GET', `/rest/groups/${groupId}/memberships`, { key })).json().data
    assert.deepEqual(
      members.map((one: { relationships: { role: { data: { id: string } } } }) => one.relationships.role.data.id),
      [groupAdmin.id],
    )
    const [event] = await auditEventsOf(app, groupId)
    assert.deepEqual([event?.action, event?.actor_kind, event?.group_id], ['group.create', 'operator', groupId])
    const made = await app.call('POST', '/v1/org', { key, body: { name: 'Their first' } })
    assert.equal(made.json().group?.id, groupId, made.body)
    assert.equal((await app.call('POST', '/rest/groups', { key, body: newGroup })).statusCode, 403)
  })

  test('create-group: uses an existing account, by default the administrator, and prints no secret', async () => {
    for (const args of [['--admin-email', ADMINISTRATOR.GATEHOUSE_ADMIN_EMAIL.toUpperCase()], []]) {
      const { code, output } = await run('--name', 'Third', ...args)
      assert.equal(code, 0)
      assert.ok((await groupsOf(app.adminKey)).includes(groupIn(output)))
      assert.doesNotMatch(output, /Password|API key/)
    }
  })

  test('create-group: refuses invalid names and addresses (exit code 1) and missing options (2); creates nothing', async () => {
    const before = await countGroups()
    const refusals: [args: string[], code: number, errors: RegExp][] = [
      [['--name', ' '], 1, /--name must have 1 to 60 characters/],
      [['--name', 'x'.repeat(61)], 1, /--name must have 1 to 60 characters/],
      [['--name', 'x', '--admin-email', 'nobody'], 1, /--admin-email must be an e-mail address/],
      [['--admin-email', 'a@example.test'], 2, /required option '--name <name>'/],
    ]
    for (const [args, exitCode, expected] of refusals) {
      const { code, output, errors } = await run(...args)
      assert.deepEqual([code, output], [exitCode, ''])
      assert.match(errors, expected)
    }
    assert.equal(await countGroups(), before)
  })
})

const newGroup = { data: { type: 'group', attributes: { name: 'Another' } } }
