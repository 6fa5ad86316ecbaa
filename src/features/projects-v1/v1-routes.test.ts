import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Permission, permissionNames } from '#foundation/access/permissions.ts'
import { assertRefusal, type Operation, testRefusals } from '#test/access/refusals.ts'
import { isLockAwaited } from '#test/projects/lock-order.ts'
import { addProjectRow, addTargetRow } from '#test/projects/project-rows.ts'
import { addProject, LODASH_ISSUE, startShopApp } from '#test/projects/projects.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('v1 projects', (engine) => {
  let app: TestApp
  let id: string
  before(async () => {
    app = await startShopApp(engine)
    id = (await addProject(app)).projectId
  })
  after(() => app.close())

  const at = (projectId = id, orgId = app.orgId) => `/v1/org/${orgId}/project/${projectId}`
  const row = (projectId: string) =>
    app.parts.services.db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirstOrThrow()
  const events = async (projectId: string, orgId = app.orgId) => {
    const log = await app.call('GET', `/rest/orgs/${orgId}/audit_logs`, { query: { target_id: projectId } })
    return log.json().data.map(({ attributes }: { attributes: { action: string } }) => attributes.action)
  }

  describe('a v1 project', () => {
    test('v1 project: is read by its id and its organization’s id or slug', async () => {
      const { data: org } = (await app.call('GET', `/rest/orgs/${app.orgId}`)).json()
      const answers = await Promise.all(
        [at(), at(id.toUpperCase()), at(id, org.attributes.slug), `/api${at()}`].map((path) => app.call('GET', path)),
      )
      for (const answer of answers) {
        assert.equal(answer.statusCode, 200, answer.body)
        assert.deepEqual(answer.json(), answers[0]!.json())
      }
      const shown = answers[0]!.json()
      assert.deepEqual(shown.issueCountsBySeverity, { critical: 1, high: 3, medium: 2, low: 0 })
      assert.deepEqual(shown.ignoredIssueCountsBySeverity, { critical: 0, high: 0, medium: 0, low: 0 })
      assert.equal(shown.totalDependencies, 2)
      assert.equal(shown.isMonitored, true)
      assert.equal(shown.browseUrl.split('/').at(-1), id)
      const { upgrade, patch, pin } = shown.remediation
      assert.deepEqual(
        Object.entries<{ upgradeTo: string }>(upgrade).map(([name, { upgradeTo }]) => [name, upgradeTo]),
        [
          ['lodash@4.17.4', 'lodash@4.17.21'],
          ['tool@1.0.0', 'tool@2.0.0'],
        ],
      )
      assert.ok(upgrade['tool@1.0.0'].vulns.includes(LODASH_ISSUE))
      assert.deepEqual([patch, pin], [{}, {}])
    })

    test('v1 project: counts ignored issues apart and leaves them out of the remediation', async () => {
      const { projectId } = await addProject(app)
      const rule = { reasonType: 'wont-fix', disregardIfFixable: false }
      await app.call('POST', `${at(projectId)}/ignore/${LODASH_ISSUE}`, { body: rule })
      const shown = (await app.call('GET', at(projectId))).json()
      assert.deepEqual(shown.issueCountsBySeverity, { critical: 0, high: 3, medium: 2, low: 0 })
      assert.deepEqual(shown.ignoredIssueCountsBySeverity, { critical: 1, high: 0, medium: 0, low: 0 })
      assert.ok(!JSON.stringify(shown.remediation).includes(LODASH_ISSUE))
      const listed = await app.call('GET', `/rest/orgs/${app.orgId}/projects`, {
        query: { ids: projectId, 'meta.latest_issue_counts': 'true' },
      })
      const { updated_at, ...counts } = listed.json().data[0].meta.latest_issue_counts
      assert.ok(updated_at)
      assert.deepEqual(counts, {
        ...shown.issueCountsBySeverity,
        ignored: shown.ignoredIssueCountsBySeverity,
      })
    })

    test('v1 project: shows its owner and importer', async () => {
      const { data: self } = (await app.call('GET', '/rest/self')).json()
      const program = randomUUID()
      const added = await addProjectRow(app, { owner_id: self.id, importer_id: program, importer_name: 'Builds' })
      const shown = (await app.call('GET', at(added.id))).json()
      assert.deepEqual(shown.owner, {
        id: self.id,
        name: self.attributes.name,
        username: self.attributes.username,
        email: self.attributes.email,
      })
      assert.deepEqual(shown.importingUser, { id: program, name: 'Builds', username: 'Builds', email: '' })
    })
  })

  describe('changes of a v1 project', () => {
    test('v1 project update: changes owner and branch; a changed branch is retested soon', async () => {
      const { data: self } = (await app.call('GET', '/rest/self')).json()
      const added = await addProjectRow(app, { tested_at: 1 })
      const changed = await app.call('PUT', at(added.id), { body: { owner: { id: self.id }, branch: 'next', more: 1 } })
      assert.equal(changed.statusCode, 200, changed.body)
      assert.deepEqual([changed.json().branch, changed.json().owner.id], ['next', self.id])
      const stored = await row(added.id)
      assert.equal(stored.place_key, JSON.stringify(['npm', 'package-lock.json', 'next']))
      assert.ok(stored.next_test_at! <= Date.now())
      for (const owner of [null, { id: null }]) {
        await app.call('PUT', at(added.id), { body: { owner: { id: self.id } } })
        assert.equal((await app.call('PUT', at(added.id), { body: { owner } })).json().owner, null)
      }
      assert.equal((await events(added.id))[0], 'project.update')
    })

    test('v1 project update: a branch that another project of the file has gets 409', async () => {
      const target = await addTargetRow(app)
      const [one] = [
        await addProjectRow(app, { target_id: target.id, target_reference: 'main' }),
        await addProjectRow(app, { target_id: target.id, target_reference: 'next' }),
      ]
      const answer = await app.call('PUT', at(one.id), { body: { branch: 'next' } })
      assertRefusal(answer, { status: 409, code: 'conflict' })
      assert.equal((await row(one.id)).target_reference, 'main')
    })

    test('v1 project: deactivation stops its tests; activation schedules one soon', async () => {
      const added = await addProjectRow(app, { next_test_at: 5 })
      for (let repeat = 0; repeat < 2; repeat++) {
        const headers = { 'content-type': 'application/json' }
        const answer = await app.call('POST', `${at(added.id)}/deactivate`, { headers })
        assert.deepEqual([answer.statusCode, answer.json()], [200, {}])
      }
      let stored = await row(added.id)
      assert.deepEqual([stored.status, stored.next_test_at], ['inactive', null])
      assert.equal((await app.call('GET', at(added.id))).json().isMonitored, false)
      assert.equal((await app.call('POST', `${at(added.id)}/activate`)).statusCode, 200)
      stored = await row(added.id)
      assert.equal(stored.status, 'active')
      assert.ok(stored.next_test_at !== null && stored.next_test_at <= Date.now())
      assert.deepEqual(await events(added.id), ['project.update', 'project.update'])
      await app.call('PUT', `${at(added.id)}/settings`, { body: { testFrequency: 'never' } })
      assert.equal((await row(added.id)).next_test_at, null)
    })

    test('v1 project tags: repeated additions and removals change nothing; the 101st tag gets 422', async () => {
      const added = await addProjectRow(app)
      const tag = { key: 'team', value: 'red' }
      for (let repeat = 0; repeat < 2; repeat++) {
        const answer = await app.call('POST', `${at(added.id)}/tags`, { body: tag })
        assert.deepEqual([answer.statusCode, answer.json()], [200, { tags: [tag] }])
      }
      const other = await app.call('POST', `${at(added.id)}/tags`, { body: { key: 'team', value: 'blue' } })
      assert.deepEqual(other.json().tags, [tag, { key: 'team', value: 'blue' }])
      assert.deepEqual((await app.call('GET', at(added.id))).json().tags.length, 2)
      for (let repeat = 0; repeat < 2; repeat++) {
        const answer = await app.call('POST', `${at(added.id)}/tags/remove`, { body: tag })
        assert.deepEqual(answer.json(), { tags: [{ key: 'team', value: 'blue' }] })
      }
      const many = JSON.stringify(Array.from({ length: 100 }, (_, n) => ({ key: 'k', value: String(n) })))
      const full = await addProjectRow(app, { tags: many })
      const answer = await app.call('POST', `${at(full.id)}/tags`, { body: tag })
      assertRefusal(answer, { status: 422, code: 'unprocessable' })
    })

    test('v1 project tags: a form is read like JSON; other media types are refused', async () => {
      const added = await addProjectRow(app)
      const send = (type: string) =>
        app.call('POST', `${at(added.id)}/tags`, {
          body: 'key=team&value=light%2Bred',
          headers: { 'content-type': type },
        })
      const answer = await send('application/x-www-form-urlencoded')
      assert.deepEqual([answer.statusCode, answer.json()], [200, { tags: [{ key: 'team', value: 'light+red' }] }])
      assertRefusal(await send('text/plain'), { status: 415, code: 'unsupported-media-type' })
      const other = await app.call('POST', `${at(added.id)}/attributes`, {
        body: 'criticality=high',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      assertRefusal(other, { status: 415, code: 'unsupported-media-type' })
    })

    test('v1 tags of a group: of all its projects, each once, sorted, page by page', async () => {
      const groupId = await app.addGroup()
      const orgIds = [await app.addOrg({ groupId }), await app.addOrg({ groupId })]
      const lists = ['[{"key":"b","value":"2"},{"key":"a","value":"1"}]', '[{"key":"a","value":"1"}]', '[]']
      for (const [index, tags] of lists.entries()) await addProjectRow(app, { tags, org_id: orgIds[index % 2]! })
      const key = await app.keyWith(['group.read'], { groupId })
      const read = (query: Record<string, string>) => app.call('GET', `/v1/group/${groupId}/tags`, { key, query })
      const [a, b] = [
        { key: 'a', value: '1' },
        { key: 'b', value: '2' },
      ]
      assert.deepEqual((await read({})).json(), { tags: [a, b] })
      const first = await read({ perPage: '1' })
      assert.deepEqual(first.json(), { tags: [a] })
      assert.match(String(first.headers['link']), /page=2&perPage=1>; rel=next/)
      assert.deepEqual((await read({ perPage: '1', page: '2' })).json(), { tags: [b] })
      assertRefusal(await read({ perPage: '0' }), { status: 400, code: 'invalid-request' })
    })

    test('v1 project attributes: attributes that are not sent stay', async () => {
      const added = await addProjectRow(app, { lifecycle: '["sandbox"]' })
      const body = { criticality: ['high'], environment: ['backend', 'saas'] }
      const answer = await app.call('POST', `${at(added.id)}/attributes`, { body })
      assert.deepEqual(answer.json(), { attributes: { ...body, lifecycle: ['sandbox'] } })
      const cleared = await app.call('POST', `${at(added.id)}/attributes`, { body: { criticality: [] } })
      assert.deepEqual(cleared.json().attributes.criticality, [])
      assert.deepEqual((await app.call('GET', at(added.id))).json().attributes, cleared.json().attributes)
    })

    test('v1 project settings: change the test frequency; unsupported settings get 422', async () => {
      const added = await addProjectRow(app)
      const path = `${at(added.id)}/settings`
      const settings = (await app.call('GET', path)).json()
      assert.deepEqual([settings.testFrequency, settings.pullRequestTestEnabled], ['daily', false])
      const body = {
        testFrequency: 'weekly',
        pullRequestTestEnabled: false,
        pullRequestInheritance: 'inherit',
        pullRequestAssignment: { enabled: false },
        autoDepUpgradeIgnoredDependencies: [],
        autoDepUpgradeLimit: 0,
        autoRemediationPrs: '{"freshPrsEnabled":false}',
      }
      const changed = await app.call('PUT', path, { body })
      assert.deepEqual([changed.statusCode, changed.json()], [200, { ...settings, testFrequency: 'weekly' }])
      assert.equal((await app.call('GET', path)).json().testFrequency, 'weekly')
      assert.equal((await app.call('DELETE', path)).statusCode, 204)
      assert.equal((await app.call('GET', path)).json().testFrequency, 'daily')
      for (const body of [
        { pullRequestTestEnabled: true },
        { autoDepUpgradeEnabled: true, testFrequency: 'never' },
        { autoRemediationPrs: '{"freshPrsEnabled":true}' },
        { autoRemediationPrs: { backlogPrsEnabled: true } },
        { autoDepUpgradeIgnoredDependencies: ['tap'] },
        { autoDepUpgradeMinAge: 21 },
        { autoDepUpgradeLimit: 5 },
        { pullRequestInheritance: 'custom' },
        { pullRequestAssignment: { enabled: true, type: 'auto' } },
        { pullRequestAssignment: 'auto' },
      ]) {
        const refused = await app.call('PUT', path, { body: body })
        assertRefusal(refused, { status: 422, code: 'unprocessable' })
        assert.match(refused.json().message, new RegExp(`${Object.keys(body)[0]}: this server neither tests`))
      }
      assert.equal((await row(added.id)).test_frequency, 'daily')
    })
  })

  describe('moves of a v1 project', () => {
    test('v1 project move: keeps issues, history, ignores and packages', async () => {
      const { projectId } = await addProject(app, { target: 'github.example/moved' })
      const rule = { reasonType: 'wont-fix', disregardIfFixable: false }
      await app.call('POST', `${at(projectId)}/ignore/${LODASH_ISSUE}`, { body: rule })
      const orgId = await app.addOrg()
      const before = (await app.call('GET', at(projectId))).json()
      const answer = await app.call('PUT', `${at(projectId)}/move`, { body: { targetOrgId: orgId.toUpperCase() } })
      assert.equal(answer.statusCode, 200, answer.body)
      assert.deepEqual(answer.json(), { originOrg: app.orgId, destinationOrg: orgId, movedProject: projectId })
      assertRefusal(await app.call('GET', at(projectId)), { status: 404, code: 'not-found' })
      const moved = (await app.call('GET', at(projectId, orgId))).json()
      assert.deepEqual({ ...moved, browseUrl: '' }, { ...before, browseUrl: '' })
      assert.deepEqual(Object.keys((await app.call('GET', `${at(projectId, orgId)}/ignores`)).json()), [LODASH_ISSUE])
      const history = await app.call('POST', `${at(projectId, orgId)}/history`)
      assert.equal(history.json().total, 1)
      const { db } = app.parts.services
      const numbers = await db
        .selectFrom('project_packages as pp')
        .innerJoin('projects as p', 'p.number', 'pp.project_number')
        .innerJoin('org_numbers as n', 'n.number', 'pp.org_number')
        .select('n.org_id')
        .distinct()
        .where('p.id', '=', projectId)
        .execute()
      assert.deepEqual(numbers, [{ org_id: orgId }])
      assert.equal((await events(projectId))[0], 'project.move')
      assert.equal((await events(projectId, orgId))[0], 'project.move')
    })

    test('v1 project move: to its own organization changes nothing', async () => {
      const added = await addProjectRow(app)
      const answer = await app.call('PUT', `${at(added.id)}/move`, { body: { targetOrgId: app.orgId } })
      assert.equal(answer.statusCode, 200)
      assert.deepEqual(await events(added.id), [])
    })

    test('v1 project move: requires org.project.create in the destination', async () => {
      const orgId = await app.addOrg({ groupId: await app.addGroup() })
      for (const targetOrgId of [orgId, randomUUID()]) {
        const key = await app.keyWith(permissionNames)
        const answer = await app.call('PUT', `${at()}/move`, { key, body: { targetOrgId } })
        assertRefusal(answer, { status: 404, code: 'not-found' })
      }
      const there = await app.addOrg()
      const others = permissionNames.filter((name) => name !== 'org.project.create')
      const key = await app.keyWith(others, { groupId: app.groupId })
      const answer = await app.call('PUT', `${at()}/move`, { key, body: { targetOrgId: there } })
      assertRefusal(answer, { status: 403, code: 'forbidden' })
    })

    test('v1 project move: joins an existing target, which keeps its integration', async () => {
      const orgId = await app.addOrg()
      const integrationId = randomUUID()
      const { db } = app.parts.services
      const plain = { base_url: null, settings: '{}', credentials: null, created_at: 1, updated_at: 1 }
      await db
        .insertInto('integrations')
        .values({ id: integrationId, org_id: orgId, kind: 'git', name: 'g', ...plain })
        .execute()
      const source_key = `git ${randomUUID()}`
      const theirs = await addTargetRow(app, { org_id: orgId, source_key, integration_id: integrationId })
      const ownTarget = await addTargetRow(app, { source_key })
      const { id: projectId } = await addProjectRow(app, { target_id: ownTarget.id })
      const answer = await app.call('PUT', `${at(projectId)}/move`, { body: { targetOrgId: orgId } })
      assert.equal(answer.statusCode, 200, answer.body)
      assert.equal((await row(projectId)).target_id, theirs.id)
      const target = db.selectFrom('targets').select('integration_id').where('id', '=', theirs.id)
      assert.deepEqual(await target.execute(), [{ integration_id: integrationId }])
    })

    test('v1 project move: gets 409 when the destination has a project of the same file', async () => {
      const orgId = await app.addOrg()
      await addProject(app, { target: 'twice', orgId })
      const { projectId } = await addProject(app, { target: 'twice' })
      const answer = await app.call('PUT', `${at(projectId)}/move`, { body: { targetOrgId: orgId } })
      assertRefusal(answer, { status: 409, code: 'conflict' })
      assert.equal((await app.call('GET', at(projectId))).statusCode, 200)
    })
  })

  describe('deletions of v1 projects', () => {
    const skip = engine === 'postgres' ? false : 'SQLite has one writer'
    test('bulk deletion: succeeds after a deadlock with a job', { skip, timeout: 300_000 }, async () => {
      const { db } = app.parts.services
      const targetId = (await addTargetRow(app)).id
      const ids = [randomUUID(), randomUUID()].sort()
      const places = ids.map((own) => ({ id: own, target_id: targetId, target_file: own }))
      for (const place of places) await addProjectRow(app, place)
      const touch = (tx: typeof db, own: string) =>
        tx.updateTable('projects').set({ next_test_at: 1 }).where('id', '=', own).execute()
      const path = `/v1/org/${app.orgId}/projects/bulk-delete`
      let answer: Promise<{ statusCode: number; body: string }> | undefined
      await db.transaction().execute(async (tx) => {
        // Makes PostgreSQL abort the request's transaction, not this one.
        await sql`set local deadlock_timeout = '20s'`.execute(tx)
        await touch(tx, ids[1]!)
        answer = app.call('POST', path, { body: { projects: ids } })
        while (!(await isLockAwaited(db))) await setTimeout(10)
        await touch(tx, ids[0]!)
      })
      const { statusCode, body } = await answer!
      assert.deepEqual([statusCode, JSON.parse(body).projects?.sort()], [200, ids], body)
    })

    test('v1 project deletion: returns 200 and an audit event; a second one gets 404', async () => {
      const { projectId } = await addProject(app)
      const answer = await app.call('DELETE', at(projectId), { headers: { 'content-type': 'application/json' } })
      assert.deepEqual([answer.statusCode, answer.json()], [200, {}])
      assertRefusal(await app.call('DELETE', at(projectId)), { status: 404, code: 'not-found' })
      assert.deepEqual(await events(projectId), ['project.delete'])
    })

    test('bulk deletion: skips unknown and foreign projects', async () => {
      const orgId = await app.addOrg()
      const [a, b, foreign] = [
        await addProjectRow(app),
        await addProjectRow(app),
        await addProjectRow(app, { org_id: orgId }),
      ]
      const path = `/v1/org/${app.orgId}/projects/bulk-delete`
      const projects = [a.id, b.id.toUpperCase(), b.id, foreign.id, randomUUID()]
      const answer = await app.call('POST', path, { body: { projects } })
      assert.equal(answer.statusCode, 200, answer.body)
      assert.deepEqual(answer.json().projects.sort(), [a.id, b.id].sort())
      assert.equal((await app.call('GET', at(foreign.id, orgId))).statusCode, 200)
      assert.deepEqual((await app.call('POST', path, { body: { projects } })).json(), { projects: [] })
    })

    test('organization deletion: deletes its 301 projects', async () => {
      const orgId = await app.addOrg()
      const target = await addTargetRow(app, { org_id: orgId })
      for (let count = 0; count < 300; count++) {
        await addProjectRow(app, { org_id: orgId, target_id: target.id, target_file: `${count}/package.json` })
      }
      await addProject(app, { orgId })
      assert.equal((await app.call('DELETE', `/v1/org/${orgId}`)).statusCode, 204)
      const left = await app.parts.services.db.selectFrom('projects').select('id').where('org_id', '=', orgId).execute()
      assert.deepEqual(left, [])
    })
  })

  const operations: [name: string, Omit<Operation, 'path' | 'needs'>, path: string, permission: Permission][] = [
    ['v1 project', { method: 'GET' }, '', 'org.project.read'],
    [
      'v1 project update',
      {
        method: 'PUT',
        body: () => ({ branch: 'main' }),
        badBodies: [
          ['an empty branch', { branch: '' }, '/branch'],
          ['an owner without an id', { owner: {} }, '/owner/id'],
        ],
      },
      '',
      'org.project.edit',
    ],
    ['v1 project deletion', { method: 'DELETE' }, '', 'org.project.delete'],
    ['v1 project activation', { method: 'POST' }, '/activate', 'org.project.status'],
    ['v1 project deactivation', { method: 'POST' }, '/deactivate', 'org.project.status'],
    [
      'v1 project move',
      {
        method: 'PUT',
        body: () => ({ targetOrgId: randomUUID() }),
        badBodies: [['a target organization that is not an id', { targetOrgId: 'there' }, '/targetOrgId']],
      },
      '/move',
      'org.project.delete',
    ],
    [
      'addition of a tag',
      {
        method: 'POST',
        body: () => ({ key: 'a', value: 'b' }),
        badBodies: [
          ['a key with a space', { key: 'a b', value: 'c' }, '/key'],
          ['a long key', { key: 'k'.repeat(31), value: 'c' }, '/key'],
          ['an empty value', { key: 'a', value: '' }, '/value'],
        ],
      },
      '/tags',
      'org.project.tag.edit',
    ],
    [
      'removal of a tag',
      { method: 'POST', body: () => ({ key: 'a', value: 'b' }) },
      '/tags/remove',
      'org.project.tag.edit',
    ],
    [
      'update of attributes',
      {
        method: 'POST',
        body: () => ({ lifecycle: [] }),
        badBodies: [['an unknown stage', { lifecycle: ['alpha'] }, '/lifecycle/0']],
      },
      '/attributes',
      'org.project.attributes.edit',
    ],
    ['v1 project settings', { method: 'GET' }, '/settings', 'org.project.read'],
    [
      'update of settings',
      {
        method: 'PUT',
        body: () => ({}),
        badBodies: [['an unknown frequency', { testFrequency: 'hourly' }, '/testFrequency']],
      },
      '/settings',
      'org.project.edit',
    ],
    ['reset of settings', { method: 'DELETE' }, '/settings', 'org.project.edit'],
  ]
  for (const [name, operation, path, permission] of operations) {
    testRefusals(() => app, name, {
      ...operation,
      path: () => `${at()}${path}`,
      needs: { permission, in: 'org' },
    })
    test(`${name}: unknown projects and those of another organization get 404`, async () => {
      const orgId = await app.addOrg()
      const foreign = await addProjectRow(app, { org_id: orgId })
      for (const projectId of [foreign.id, randomUUID(), 'no-uuid']) {
        const body = path === '/move' ? { targetOrgId: app.orgId } : operation.body?.()
        const answer = await app.call(operation.method, `${at(projectId)}${path}`, body === undefined ? {} : { body })
        assertRefusal(answer, { status: 404, code: 'not-found' })
      }
    })
  }
  testRefusals(() => app, 'bulk deletion of projects', {
    method: 'POST',
    path: () => `/v1/org/${app.orgId}/projects/bulk-delete`,
    body: () => ({ projects: [randomUUID()] }),
    needs: { permission: 'org.project.delete', in: 'org' },
    badBodies: [
      ['an empty list', { projects: [] }, '/projects'],
      ['a project that is not an id', { projects: ['x'] }, '/projects/0'],
    ],
  })
})
