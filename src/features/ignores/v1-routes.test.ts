import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Permission, permissionNames } from '#foundation/access/permissions.ts'
import { callerKinds } from '#test/access/callers.ts'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const body = { reasonType: 'wont-fix', disregardIfFixable: false, reason: 'we never call it' }
const anyIssue = () => `GHSA-${randomUUID()}`

onEveryEngine('ignores through v1', (engine) => {
  let app: TestApp
  let projectId: string
  before(async () => {
    app = await startApp(engine)
    projectId = (await recordProject(app, { graph: { project: ['v1-a@1.0.0'], 'v1-a@1.0.0': [] } })).projectId
  })
  after(() => app.close())

  const base = (id = projectId, orgId = app.orgId) => `/v1/org/${orgId}/project/${id}`
  const path = (issueId: string, id = projectId) => `${base(id)}/ignore/${encodeURIComponent(issueId)}`
  const newProject = async () =>
    (await recordProject(app, { graph: { project: ['v1-a@1.0.0'], 'v1-a@1.0.0': [] } })).projectId
  const admin = async () =>
    (await app.call('GET', '/v1/user/me')).json() as { id: string; name?: string; email: string }

  test('v1 list of ignores: grouped by issue, with an entry for each path', async () => {
    const id = await newProject()
    assert.deepEqual((await app.call('GET', `${base(id)}/ignores`)).json(), {})
    const [first, second] = [anyIssue(), 'npm:x:20180101']
    await app.call('POST', path(first, id), { body })
    await app.call('POST', path(second, id), { body: { ...body, ignorePath: 'a > b' } })
    await app.call('POST', path(first, id), { body: { ...body, ignorePath: 'a', expires: '2031-08-29' } })
    const answer = await app.call('GET', `${base(id)}/ignores`)
    assert.equal(answer.statusCode, 200)
    const listed = answer.json() as Record<string, Record<string, Record<string, unknown>>[]>
    assert.deepEqual(
      Object.entries(listed).map(([issue, entries]) => [issue, entries.flatMap((entry) => Object.keys(entry))]),
      [
        [first, ['*', 'a']],
        [second, ['a > b']],
      ],
    )
    const { created, ...rest } = listed[first]![1]!['a']!
    const { id: userId, email } = await admin()
    assert.match(String(created), /^\d{4}-\d\d-\d\dT/)
    assert.equal((rest['ignoredBy'] as { email: string }).email, email)
    assert.equal((rest['ignoredBy'] as { id: string }).id, userId)
    assert.deepEqual(
      { ...rest, ignoredBy: undefined },
      {
        reason: 'we never call it',
        reasonType: 'wont-fix',
        disregardIfFixable: false,
        expires: '2031-08-29T00:00:00.000Z',
        ignoredBy: undefined,
      },
    )
    assert.equal('expires' in listed[first]![0]!['*']!, false)
  })

  test('v1 ignore of an issue: an object with a member for each path', async () => {
    const issue = anyIssue()
    const posted = await app.call('POST', path(issue), { body })
    assert.equal(posted.statusCode, 200)
    assert.deepEqual(Object.keys(posted.json()), ['*'])
    await app.call('POST', path(issue), { body: { ...body, ignorePath: '__proto__ > constructor' } })
    const one = (await app.call('GET', path(issue))).json()
    assert.deepEqual(Object.keys(one), ['*', '__proto__ > constructor'])
    assert.deepEqual(one['*'], posted.json()['*'])
  })

  test('v1 ignore of an already ignored path: replaces its details and author', async () => {
    const issue = anyIssue()
    const first = (await app.call('POST', path(issue), { body: { ...body, ignorePath: 'a > b' } })).json()['a > b']
    const key = await app.keyWith(['org.read', 'org.project.ignore.read', 'org.project.ignore.create'])
    const answer = await app.call('POST', path(issue), {
      key,
      body: { reasonType: 'not-vulnerable', disregardIfFixable: true, ignorePath: ' a  >  b ' },
    })
    const { ignoredBy, ...rest } = answer.json()['a > b']
    assert.notEqual(ignoredBy.id, first.ignoredBy.id)
    assert.deepEqual(rest, {
      reason: 'None given',
      reasonType: 'not-vulnerable',
      disregardIfFixable: true,
      created: first.created,
    })
    assert.deepEqual((await app.call('GET', path(issue))).json(), answer.json())
  })

  test('PUT of v1 ignores: replaces all of an issue, also with an empty list', async () => {
    const issue = anyIssue()
    for (const ignorePath of ['a', 'b']) await app.call('POST', path(issue), { body: { ...body, ignorePath } })
    const before = (await app.call('GET', path(issue))).json()
    const answer = await app.call('PUT', path(issue), {
      body: [
        { ignorePath: 'c', disregardIfFixable: true },
        { ...body, ignorePath: 'a' },
      ],
    })
    assert.equal(answer.statusCode, 200)
    const entries = answer.json() as Record<string, Record<string, unknown>>[]
    assert.deepEqual(
      entries.map((entry) => Object.keys(entry)[0]),
      ['c', 'a'],
    )
    assert.equal(entries[0]!['c']!['reasonType'], 'temporary-ignore')
    assert.equal(entries[1]!['a']!['created'], before.a.created)
    assert.deepEqual(Object.keys((await app.call('GET', path(issue))).json()).sort(), ['a', 'c'])
    const emptied = await app.call('PUT', path(issue), { body: [] })
    assert.equal(emptied.statusCode, 200)
    assert.deepEqual(emptied.json(), [])
    assertRefusal(await app.call('GET', path(issue)), { status: 404, code: 'not-found' })
  })

  test('DELETE of v1 ignores: deletes all paths of an issue; a second time returns 404', async () => {
    const issue = anyIssue()
    for (const ignorePath of ['a', 'b']) await app.call('POST', path(issue), { body: { ...body, ignorePath } })
    const answer = await app.call('DELETE', path(issue))
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.body, '')
    assertRefusal(await app.call('DELETE', path(issue)), { status: 404, code: 'not-found' })
    assertRefusal(await app.call('GET', path(issue)), { status: 404, code: 'not-found' })
    assert.equal(issue in (await app.call('GET', `${base()}/ignores`)).json(), false)
  })

  const sent: readonly [why: string, members: object, path: string, details: object][] = [
    ['an empty path, reason and expiry', { ignorePath: '', reason: '', expires: '' }, '*', { reason: '' }],
    ['the path *', { ignorePath: '*' }, '*', {}],
    ['a path', { ignorePath: '@s/a@1.0.0 > * > b@<2' }, '@s/a@1.0.0 > * > b@<2', {}],
    ['a date', { expires: '2031-08-29' }, '*', { expires: '2031-08-29T00:00:00.000Z' }],
    ['a past date', { expires: '2022-08-29' }, '*', { expires: '2022-08-29T00:00:00.000Z' }],
    [
      'a padded date of 64 characters',
      { expires: '2031-08-29'.padStart(64) },
      '*',
      { expires: '2031-08-29T00:00:00.000Z' },
    ],
    ['a time with an offset', { expires: '2031-08-29T01:00:00.5+02:00' }, '*', { expires: '2031-08-28T23:00:00.500Z' }],
    ['members of an earlier answer', { created: 'x', ignoredBy: { id: 'x', name: 'x', email: 'x' } }, '*', {}],
    ['a long reason', { reason: 'a'.repeat(5000) }, '*', { reason: 'a'.repeat(5000) }],
    ['a reason of several lines', { reason: 'first\nsecond: ünï' }, '*', { reason: 'first\nsecond: ünï' }],
  ]
  for (const [why, members, key, details] of sent) {
    test(`POST of a v1 ignore: accepts ${why}`, async () => {
      const answer = await app.call('POST', path(anyIssue()), { body: { ...body, ...members } })
      assert.equal(answer.statusCode, 200, answer.body)
      assert.deepEqual(Object.keys(answer.json()), [key])
      const { created: _, ignoredBy, ...shown } = answer.json()[key]
      assert.deepEqual(shown, { ...body, ...details })
      assert.equal(ignoredBy.id, (await admin()).id)
    })
  }

  test('POST of v1 ignores: accepts unknown issue ids of any kind', async () => {
    for (const issue of [
      'lic:npm:@scope:name:GPL-3.0',
      'SNYK-JS-QS-10019',
      'a/b c?d#e',
      '__proto__',
      'ü'.repeat(300),
      'x',
    ]) {
      assert.equal((await app.call('POST', path(issue), { body })).statusCode, 200, issue)
      const listed = (await app.call('GET', `${base()}/ignores`)).json()
      assert.ok(Object.hasOwn(listed, issue), issue)
    }
  })

  test('POST of a v1 ignore: stores the longest allowed id and path', async () => {
    // Random text does not compress.
    const random = (length: number) => {
      let text = ''
      while (text.length < length) text += randomUUID().replaceAll('-', '')
      return text.slice(0, length)
    }
    const answer = await app.call('POST', path(random(600)), { body: { ...body, ignorePath: random(2000) } })
    assert.equal(answer.statusCode, 200, answer.body)
  })

  test('v1 ignores: name their author, for every kind of caller', async () => {
    for (const kind of callerKinds) {
      const place = { groupId: app.groupId, orgId: app.orgId }
      const shown = await kind.credentialFor(app, place, permissionNames)
      const answer = await app.call('POST', path(anyIssue()), { key: shown, body })
      assert.equal(answer.statusCode, 200, `${kind.name}: ${answer.body}`)
      const { id, name, email } = answer.json()['*'].ignoredBy
      const self = (await app.call('GET', '/rest/self', { key: shown })).json().data
      const isUser = self.type === 'user'
      assert.equal(id, self.id, kind.name)
      assert.equal(email, isUser ? self.attributes.email : '', kind.name)
      // An app in a user's context is not that user in person.
      const suffix = isUser && kind.isPerson === undefined ? ' (through An app)' : ''
      assert.equal(name, `${self.attributes.name}${suffix}`, kind.name)
    }
  })

  test('v1 ignores: found by organization slug, by ids in any case, and under /api/v1', async () => {
    const [issue, { slug }] = [anyIssue(), (await app.call('GET', '/v1/orgs')).json().orgs[0]]
    assert.equal((await app.call('POST', path(issue), { body })).statusCode, 200)
    for (const other of [
      `/v1/org/${slug}/project/${projectId.toUpperCase()}/ignore/${issue}`,
      `/api/v1/org/${app.orgId}/project/${projectId}/ignore/${issue}`,
    ]) {
      assert.equal((await app.call('GET', other)).statusCode, 200, other)
    }
  })

  describe('limits of v1 ignores', () => {
    test('limit of 100 paths per issue: more are refused by POST (422) and PUT (400)', async () => {
      const issue = anyIssue()
      const hundred = Array.from({ length: 100 }, (_, at) => ({ disregardIfFixable: false, ignorePath: `p${at}` }))
      assert.equal((await app.call('PUT', path(issue), { body: hundred.slice(1) })).statusCode, 200)
      assert.equal((await app.call('POST', path(issue), { body: { ...body, ignorePath: 'p0' } })).statusCode, 200)
      assert.equal((await app.call('PUT', path(issue), { body: hundred })).statusCode, 200)
      assertRefusal(await app.call('POST', path(issue), { body: { ...body, ignorePath: 'one more' } }), {
        status: 422,
        code: 'unprocessable',
      })
      assert.equal((await app.call('POST', path(issue), { body: { ...body, ignorePath: 'p7' } })).statusCode, 200)
      assertRefusal(await app.call('PUT', path(issue), { body: [...hundred, { disregardIfFixable: false }] }), {
        status: 400,
        code: 'invalid-request',
      })
    })
  })

  const operations = [
    { method: 'GET', list: true, permissions: ['org.read', 'org.project.read', 'org.project.ignore.read'] },
    { method: 'GET', permissions: ['org.project.read', 'org.project.ignore.read'] },
    { method: 'PUT', permissions: ['org.read', 'org.project.ignore.read', 'org.project.ignore.edit'] },
    { method: 'POST', permissions: ['org.read', 'org.project.ignore.read', 'org.project.ignore.create'] },
    { method: 'DELETE', permissions: ['org.read', 'org.project.ignore.read', 'org.project.ignore.delete'] },
  ] as const satisfies { method: string; list?: true; permissions: readonly Permission[] }[]

  for (const { method, permissions, ...rest } of operations) {
    const isList = 'list' in rest
    const issue = anyIssue()
    const bodies = {
      ...(method === 'POST' && { body: () => body }),
      ...(method === 'PUT' && { body: () => [body] }),
    }
    const call = async (key: string, id = projectId, orgId = app.orgId) => {
      if (!isList && (method === 'GET' || method === 'DELETE')) await app.call('POST', path(issue), { body })
      return app.call(method, isList ? `${base(id, orgId)}/ignores` : `${base(id, orgId)}/ignore/${issue}`, {
        key,
        ...('body' in bodies && { body: bodies.body!() }),
      })
    }
    const name = isList ? 'GET …/ignores' : `${method} …/ignore/{issueId}`

    test(`${name}: requires exactly ${permissions.join(', ')}`, async () => {
      assert.equal((await call(await app.keyWith(permissions))).statusCode, 200)
      for (const missing of permissions) {
        const answer = await call(
          await app.keyWith(permissionNames.filter((permissionName) => permissionName !== missing)),
        )
        assertRefusal(answer, { status: 403, code: 'forbidden' })
        assert.ok(answer.body.includes(missing), answer.body)
      }
    })

    test(`${name}: returns 404 for projects of another organization and malformed ids`, async () => {
      const orgId = await app.addOrg()
      const other = (await recordProject(app, { orgId, graph: { project: [] } })).projectId
      for (const id of [other, randomUUID(), 'not-a-uuid', '__proto__', `${projectId}x`]) {
        assertRefusal(await call(app.adminKey, id), { status: 404, code: 'not-found' })
      }
      const stranger = await app.keyWith(permissionNames, { orgId })
      assertRefusal(await call(stranger), { status: 404, code: 'not-found' })
      assertRefusal(await call(stranger, projectId, orgId), { status: 404, code: 'not-found' })
    })

    testRefusals(() => app, name, {
      method,
      path: () => (isList ? `${base()}/ignores` : path(issue)),
      ...(method === 'POST' && {
        body: () => body,
        badBodies: [
          ['a missing reasonType', { disregardIfFixable: false }, '/reasonType'],
          ['an unknown reasonType', { ...body, reasonType: 'because' }, '/reasonType'],
          ['a missing disregardIfFixable', { reasonType: 'wont-fix' }, '/disregardIfFixable'],
          ['a string as disregardIfFixable', { ...body, disregardIfFixable: 'false' }, '/disregardIfFixable'],
          ['an expires that is not a time', { ...body, expires: 'tomorrow' }, '/expires'],
          ['an invalid date', { ...body, expires: '2031-02-30' }, '/expires'],
          ['a number as expires', { ...body, expires: 1_900_000_000_000 }, '/expires'],
          ['an expires of 65 characters', { ...body, expires: '2031-08-29'.padStart(65) }, '/expires'],
          ['a path with an empty part', { ...body, ignorePath: 'a >  > b' }, '/ignorePath'],
          ['a path without spaces', { ...body, ignorePath: 'a>b' }, '/ignorePath'],
          ['a path that is not a string', { ...body, ignorePath: ['a', 'b'] }, '/ignorePath'],
          ['a path with a line feed', { ...body, ignorePath: 'a\nb' }, '/ignorePath'],
          ['a path of 2,001 characters', { ...body, ignorePath: 'a'.repeat(2001) }, '/ignorePath'],
          ['a path of 2,002 bytes', { ...body, ignorePath: 'ü'.repeat(1001) }, '/ignorePath'],
          ['a reason with control characters', { ...body, reason: 'a\u0000b' }, '/reason'],
          ['a reason of 5,001 characters', { ...body, reason: 'a'.repeat(5001) }, '/reason'],
          ['a list', [body], ''],
        ],
      }),
      ...(method === 'PUT' && {
        badBodies: [
          ['a body that is not a list', body, ''],
          ['an entry that is not an object', [null], '/0'],
          ['an entry without disregardIfFixable', [body, { reason: 'x' }], '/1/disregardIfFixable'],
          ['an expires that is not a time', [body, { ...body, ignorePath: 'a', expires: 'x' }], '/1/expires'],
          ['one path twice', [body, { ...body, ignorePath: 'a' }, { ...body, ignorePath: '*' }], '/2/ignorePath'],
        ],
      }),
    })
  }

  for (const issue of ['x'.repeat(601), 'ü'.repeat(301), 'a\u0001b']) {
    test(`v1 ignore with the issue id ${JSON.stringify(issue.slice(0, 3))}…: refused (400)`, async () => {
      assertRefusal(await app.call('POST', path(issue), { body }), { status: 400, code: 'invalid-request' })
    })
  }
})
