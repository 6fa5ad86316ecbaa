import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { AppRow, NewApp } from '#features/apps/store.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { hashPassword } from '#foundation/secrets/password.ts'
import { startApp, type TestApp } from '#test/app.ts'
import { onEveryEngine } from '#test/engines.ts'
import { addPerson, PASSWORD, type Person, signIn } from '#test/people.ts'
import { addApp } from '#test/tokens.ts'
import { createVisitor, decoded, filledIn, type Shown, type Visitor } from '#test/visitor.ts'

const scopes = ['org.read', 'org.project.read'] satisfies Permission[]

onEveryEngine('the pages of an authorization', (engine) => {
  let app: TestApp
  let client: AppRow
  let person: Person
  let visitor: Visitor
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())
  beforeEach(async () => {
    client = await addApp(app, { scopes })
    person = await addPerson(app, { permissions: scopes, orgId: app.orgId })
    // Of an address of its own, so that one test’s failures do not slow down another.
    addresses++
    visitor = createVisitor(app, `10.0.${addresses >> 8}.${addresses & 255}`)
  })
  let addresses = 0

  const inOrg = (id = app.orgId) => `org:${id}`
  const authorizeUrl = (of: AppRow = client, parameters: Record<string, string> = {}) =>
    `/oauth2/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: of.client_id!,
      redirect_uri: (JSON.parse(of.redirect_uris) as string[])[0]!,
      state: 'the state',
      ...parameters,
    })}`
  const begin = (by: Visitor = visitor, of: AppRow = client) => by.open(authorizeUrl(of))
  const ask = async (by: Visitor = visitor, of: AppRow = client, who = person) => signIn(by, await begin(by, of), who)
  const allow = (page: Shown, ...places: string[]) => visitor.press(page, 'Allow', { place: places })
  const installsOf = async (userId: string, appId = client.id) => {
    const rows = await app.parts.services.db
      .selectFrom('app_installs')
      .selectAll()
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .orderBy('created_at')
      .execute()
    return rows.map(({ org_id, group_id, bot_id }) => ({ place: org_id ?? group_id, bot_id }))
  }
  const placesOf = async (userId: string, appId = client.id) =>
    (await installsOf(userId, appId)).map(({ place }) => place).sort()
  const sessionsOf = async (userId: string) =>
    app.parts.services.db.selectFrom('app_sessions').selectAll().where('user_id', '=', userId).execute()
  const eventsOf = async (actorId: string) => {
    const query = { actor_id: actorId, limit: '100' }
    const answer = await app.call('GET', `/rest/groups/${app.groupId}/audit_logs`, { query })
    return answer.json().data.map(({ attributes }: { attributes: { action: string } }) => attributes.action)
  }
  const tick = (page: Shown) =>
    [...page.body.matchAll(/<input type="checkbox"[^>]*value="([^"]*)" checked>/g)].map(([, value]) => value)
  const offered = (page: Shown) => [...page.body.matchAll(/name="place" value="([^"]*)"/g)].map(([, value]) => value)

  function assertPage(page: Shown, status: number, title: RegExp): void {
    assert.equal(page.status, status, page.body)
    assert.match(decoded(/<h1>([\s\S]*?)<\/h1>/.exec(page.body)?.[1] ?? ''), title)
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.equal(page.headers['referrer-policy'], 'no-referrer')
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; .*frame-ancestors 'none'$/)
    assert.equal(page.headers['location'], undefined)
    assert.match(page.body, /<html lang="en">/)
    assert.doesNotMatch(page.body, / (style|on[a-z]+)="|<style|<script/)
  }

  /** Where the page after an answer leads by itself; also what its link says. */
  const nextOf = ({ statusCode, body }: { statusCode: number; body: string }) => {
    assert.equal(statusCode, 200, body)
    const next = /content="0; url=([^"]*)"/.exec(body)?.[1]
    assert.ok(next !== undefined && body.includes(`<a href="${next}">`), body)
    return next
  }

  function assertLeft(page: Shown, parameters: Record<string, string | undefined>): void {
    assert.equal(`${page.url.origin}${page.url.pathname}`, 'https://app.example/callback', page.body)
    for (const [name, value] of Object.entries(parameters)) {
      assert.equal(page.url.searchParams.get(name) ?? undefined, value, page.url.href)
    }
  }

  describe('a user who lets an app in', () => {
    test('signs in, reads what is asked, chooses where, and comes back with a code', async () => {
      const login = await begin()
      assertPage(login, 200, /^Sign in$/)
      assert.match(login.body, /to continue to <strong>An app<\/strong>/)
      const page = await signIn(visitor, login, person)
      assertPage(page, 200, /^Let An app in\?$/)
      assert.match(page.body, /registered by <strong>Default organisation<\/strong>/)
      assert.match(page.body, /See projects and their issues <code>org\.project\.read<\/code>/)
      assert.match(page.body, /acts as itself/)
      assert.match(page.body, /return to <strong>app\.example<\/strong>/)
      assert.ok(page.body.includes(person.email))
      assert.deepEqual(offered(page), [inOrg()])
      assert.deepEqual(tick(page), [])
      const left = await allow(page, inOrg())
      assertLeft(left, { state: 'the state', iss: app.parts.services.baseUrl, error: undefined })
      assert.match(left.url.searchParams.get('code')!, /^gate_ac_/)
      assert.deepEqual(await placesOf(person.id), [app.orgId])
      const [session] = await sessionsOf(person.id)
      assert.deepEqual(JSON.parse(session!.scopes), scopes)
      assert.equal(session!.bot_id, (await installsOf(person.id))[0]!.bot_id)
      assert.deepEqual((await eventsOf(person.id)).sort(), ['app_install.create', 'app_session.create', 'user.sign_in'])
    })

    test('is asked again each time, without a password, with what was chosen before', async () => {
      await allow(await ask(), inOrg())
      const page = await begin()
      assertPage(page, 200, /^Let An app in\?$/)
      assert.deepEqual(tick(page), [inOrg()])
      assertLeft(await visitor.press(page, 'Allow'), { error: undefined })
      assert.equal((await sessionsOf(person.id)).length, 2)
      assert.equal((await installsOf(person.id)).length, 1)
    })

    test('changes the places: they become exactly the chosen ones, the app keeps its name there', async () => {
      const [first, second, third] = [app.orgId, await app.addOrg(), await app.addOrg()]
      person = await addPerson(app, ...[first, second, third].map((orgId) => ({ permissions: scopes, orgId })))
      await allow(await ask(), inOrg(first), inOrg(second))
      const [before] = await installsOf(person.id)
      const page = await begin()
      assert.deepEqual(tick(page).sort(), [inOrg(first), inOrg(second)].sort())
      await allow(page, inOrg(second), inOrg(third))
      assert.deepEqual(await placesOf(person.id), [second, third].sort())
      assert.ok((await installsOf(person.id)).every(({ bot_id }) => bot_id === before!.bot_id))
      const events = await eventsOf(person.id)
      assert.equal(events.filter((action: string) => action === 'app_install.delete').length, 1)
      assert.equal(events.filter((action: string) => action === 'app_install.create').length, 3)
    })

    test('gives a whole group, which holds its organisations', async () => {
      person = await addPerson(app, { permissions: scopes })
      const page = await ask()
      assert.deepEqual(offered(page).slice(0, 1), [`group:${app.groupId}`])
      await allow(page, inOrg(), `group:${app.groupId}`)
      assert.deepEqual(await placesOf(person.id), [app.groupId])
      assert.deepEqual(tick(await begin()), [`group:${app.groupId}`])
      await allow(await begin(), inOrg())
      assert.deepEqual(await placesOf(person.id), [app.orgId])
    })

    test('reads that an app in a user’s own context acts as them', async () => {
      client = await addApp(app, { scopes, context: 'user' })
      assert.match((await ask()).body, /It acts as you/)
    })

    test('gives only the scopes that were asked for, and names that are not known are passed over', async () => {
      const login = await visitor.open(authorizeUrl(client, { scope: 'org.read offline_access openid' }))
      const page = await signIn(visitor, login, person)
      assert.doesNotMatch(page.body, /org\.project\.read|openid|offline_access/)
      await allow(page, inOrg())
      assert.deepEqual(JSON.parse((await sessionsOf(person.id))[0]!.scopes), ['org.read'])
    })

    test('may come by another name of this server, and stays there', async () => {
      const page = await visitor.open(authorizeUrl(), { host: 'localhost:7331' })
      assertPage(page, 200, /^Sign in$/)
      const form = filledIn(page, 'Sign in', { email: person.email, password: PASSWORD })
      const answer = await app.server.inject({
        method: 'POST',
        url: page.url.pathname,
        headers: {
          host: 'localhost:7331',
          'content-type': 'application/x-www-form-urlencoded',
          cookie: visitor.cookieHeader(page.url),
        },
        payload: form.toString(),
      })
      assert.equal(answer.statusCode, 200)
      assert.match(answer.body, /http-equiv="refresh" content="0; url=\/oauth2\/authorize\//)
    })

    test('finds one of very many organisations, and keeps what is ticked while searching', async () => {
      const ids = await Promise.all(Array.from({ length: 130 }, () => app.addOrg()))
      person = await addPerson(app, { permissions: scopes })
      let page = await ask()
      assert.equal(offered(page).length, 101)
      assert.match(page.body, /\d+ more organisations are not shown/)
      const names = new Map<string, string>()
      for (const { id, name } of await app.parts.services.db.selectFrom('orgs').select(['id', 'name']).execute()) {
        names.set(id, name)
      }
      const [one, other] = [ids[3]!, ids[97]!]
      page = await visitor.press(page, 'Search', { find: names.get(one)!.toUpperCase() })
      assert.deepEqual(offered(page), [`group:${app.groupId}`, inOrg(one)])
      page = await visitor.press(page, 'Search', { find: names.get(other)!, place: inOrg(one) })
      assert.deepEqual(tick(page), [inOrg(one)])
      assert.deepEqual(offered(page).sort(), [`group:${app.groupId}`, inOrg(one), inOrg(other)].sort())
      assert.match(page.body, new RegExp(`id="find"[^>]*value="${names.get(other)}"`))
      page = await visitor.press(page, 'Search', { find: '<no such>', place: [inOrg(one), inOrg(other)] })
      assert.match(page.body, /value="&lt;no such&gt;"/)
      assertLeft(await visitor.press(page, 'Allow'), { error: undefined })
      assert.deepEqual(await placesOf(person.id), [one, other].sort())
    })
  })

  describe('places', () => {
    test('where the user lacks a permission are named with it, and cannot be chosen', async () => {
      const lesser = await app.addOrg()
      person = await addPerson(
        app,
        { permissions: scopes, orgId: app.orgId },
        { permissions: ['org.read', 'org.project.edit'], orgId: lesser },
      )
      const page = await ask()
      assert.deepEqual(offered(page), [inOrg()])
      assert.match(
        page.body,
        /Not possible in one organisation[\s\S]*“See projects and their issues” \(<code>org\.project\.read<\/code>\)/,
      )
      assertPage(await allow(page, inOrg(lesser), inOrg()), 400, /^Let An app in\?$/)
      assert.deepEqual(await installsOf(person.id), [])
      assert.deepEqual(await sessionsOf(person.id), [])
    })

    test('add up the roles of group and organisation, but the group needs all of them itself', async () => {
      person = await addPerson(
        app,
        { permissions: ['org.read'] },
        { permissions: ['org.project.read'], orgId: app.orgId },
      )
      const page = await ask()
      assert.deepEqual(offered(page), [inOrg()])
      assertPage(await allow(page, `group:${app.groupId}`), 400, /^Let An app in\?$/)
      assertLeft(await allow(page, inOrg()), { error: undefined })
    })

    const strangers: [why: string, isPublic: boolean, offers: boolean][] = [
      ['of another group are not offered to an app of this one', false, false],
      ['of another group are offered to a public app', true, true],
    ]
    for (const [why, isPublic, offers] of strangers) {
      test(why, async () => {
        const groupId = await app.addGroup()
        const orgId = await app.addOrg({ groupId })
        client = await addApp(app, { scopes, isPublic } satisfies Partial<NewApp>)
        person = await addPerson(
          app,
          { permissions: scopes, groupId, orgId },
          { permissions: scopes, orgId: app.orgId },
        )
        const page = await ask()
        assert.equal(offered(page).includes(inOrg(orgId)), offers)
        const answered = await allow(page, inOrg(orgId))
        if (offers) assertLeft(answered, { error: undefined })
        else assertPage(answered, 400, /^Let An app in\?$/)
        assert.deepEqual(await placesOf(person.id), offers ? [orgId] : [])
      })
    }

    test('that are nowhere leave only to refuse', async () => {
      person = await addPerson(app, { permissions: ['org.read'], orgId: app.orgId })
      const page = await ask()
      assert.match(page.body, /There is no place where you could let this app in/)
      assert.doesNotMatch(page.body, /value="allow"/)
      const token = filledIn(page, 'Refuse', {}).get('token')!
      const forced = new URLSearchParams({ token, decision: 'allow', place: inOrg() })
      assertPage(await visitor.send(page.url, forced), 400, /^Let An app in\?$/)
      assertLeft(await visitor.press(page, 'Refuse'), { error: 'access_denied' })
    })

    const wrong: [why: string, places: () => string[]][] = [
      ['none', () => []],
      ['one that is not there', () => [inOrg(randomUUID())]],
      ['one that the user has nothing to do with', () => [inOrg(), inOrg(elsewhere)]],
      ['something else', () => ['everything']],
    ]
    let elsewhere: string
    for (const [why, places] of wrong) {
      test(`must be possible ones: ${why}`, async () => {
        elsewhere = await app.addOrg()
        const page = await allow(await ask(), ...places())
        assertPage(page, 400, /^Let An app in\?$/)
        assert.match(page.body, /role="alert"[\s\S]*<a href="#places">/)
        assert.deepEqual(await sessionsOf(person.id), [])
        assertLeft(await allow(page, inOrg()), { error: undefined })
      })
    }

    test('are judged when they are given, not when they were shown', async () => {
      const page = await ask()
      await app.parts.services.db.deleteFrom('memberships').where('principal_id', '=', person.id).execute()
      const again = await allow(page, inOrg())
      assertPage(again, 400, /^Let An app in\?$/)
      assert.deepEqual(await installsOf(person.id), [])
    })
  })

  describe('a user who does not', () => {
    test('refuses, and the app is told', async () => {
      assertLeft(await visitor.press(await ask(), 'Refuse'), {
        error: 'access_denied',
        state: 'the state',
        iss: app.parts.services.baseUrl,
        code: undefined,
      })
      assert.deepEqual(await sessionsOf(person.id), [])
    })

    test('does not even sign in', async () => {
      const left = await visitor.press(await begin(), 'Cancel', { email: '', password: '' })
      assertLeft(left, { error: 'access_denied', state: 'the state', code: undefined })
    })

    test('is somebody else, and signs in as themselves', async () => {
      const other = await addPerson(app, { permissions: scopes, orgId: app.orgId })
      const login = await visitor.press(await ask(), 'Not you? Use another account')
      assertPage(login, 200, /^Sign in$/)
      const page = await signIn(visitor, login, other)
      assert.ok(page.body.includes(other.email) && !page.body.includes(person.email))
      assertLeft(await allow(page, inOrg()), { state: 'the state', error: undefined })
      assert.deepEqual(await sessionsOf(person.id), [])
      assert.equal((await sessionsOf(other.id)).length, 1)
      assert.ok((await eventsOf(person.id)).includes('user.sign_out'))
    })
  })

  describe('a sign-in', () => {
    const wrong: [why: string, fields: () => Record<string, string>, words: RegExp][] = [
      ['a wrong password', () => ({ email: person.email, password: 'wrong' }), /address or the password is not right/],
      [
        'an account that is not there',
        () => ({ email: 'no@example.test', password: PASSWORD }),
        /address or the password is not right/,
      ],
      ['no address', () => ({ email: ' ', password: PASSWORD }), /Enter your e-mail address/],
      ['no password', () => ({ email: person.email, password: '' }), /Enter your password/],
      [
        'too long an address',
        () => ({ email: `${'x'.repeat(330)}@example.test`, password: 'x' }),
        /address is too long/,
      ],
      ['too long a password', () => ({ email: person.email, password: 'x'.repeat(1025) }), /password is too long/],
    ]
    for (const [why, fields, words] of wrong) {
      test(`with ${why} shows the form again and says why`, async () => {
        const page = await visitor.press(await begin(), 'Sign in', fields())
        assertPage(page, 400, /^Sign in$/)
        assert.match(page.body, words)
        const field = /<a href="#(email|password)">/.exec(page.body)?.[1]
        assert.match(page.body, new RegExp(`id="${field}"[^>]* aria-invalid="true" aria-describedby="${field}-wrong"`))
        assert.doesNotMatch(page.body, /value="(wrong|a password)/)
        assertPage(await signIn(visitor, page, person), 200, /^Let An app in\?$/)
      })
    }

    test('is the same page for an account that is there as for one that is not', async () => {
      const page = await begin()
      const bodies = []
      for (const email of [person.email, `${randomUUID()}@example.test`]) {
        const again = await visitor.press(page, 'Sign in', { email, password: 'wrong' })
        bodies.push(again.body.replaceAll(email, 'EMAIL'))
      }
      assert.equal(bodies[0], bodies[1])
    })

    test('that failed too often waits; a browser that is known does not', async () => {
      await visitor.press(await ask(), 'Refuse')
      await visitor.press(await visitor.open('/oauth2/sign-out'), 'Sign out')
      const stranger = createVisitor(app, '10.9.9.9')
      const page = await begin(stranger)
      await stranger.press(page, 'Sign in', { email: person.email, password: 'wrong' })
      const { db, now } = app.parts.services
      const latest = db.selectFrom('sign_in_failures').select(({ fn }) => fn.max('last_at').as('at'))
      const changed = await db
        .updateTable('sign_in_failures')
        .set({ blocked_until: now() + 100_000 })
        .where('last_at', '=', latest)
        .returning('id')
        .execute()
      assert.equal(changed.length, 3)
      const blocked = await signIn(stranger, page, person)
      assertPage(blocked, 429, /^Sign in$/)
      assert.match(String(blocked.headers['retry-after']), /^(9\d|100)$/)
      assert.match(blocked.body, /Wait 2 minutes, then try again; the password was not checked/)
      assertPage(await ask(), 200, /^Let An app in\?$/)
    })

    test('is suggested the address that the app knows', async () => {
      const page = await visitor.open(authorizeUrl(client, { login_hint: 'ada@"example".test' }))
      assert.match(page.body, /id="email"[^>]*value="ada@&quot;example&quot;\.test"/)
    })

    test('is asked for anew with prompt=login, and refused without a page with prompt=none', async () => {
      await visitor.press(await ask(), 'Refuse')
      assertPage(await visitor.open(authorizeUrl(client, { prompt: 'login' })), 200, /^Sign in$/)
      const left = await createVisitor(app).open(authorizeUrl(client, { prompt: 'none' }))
      assertLeft(left, { error: 'login_required', state: 'the state' })
      assertLeft(await visitor.open(authorizeUrl(client, { prompt: 'none' })), { error: 'consent_required' })
    })

    test('as somebody else with prompt=login leaves the first account’s session behind', async () => {
      await visitor.press(await ask(), 'Refuse')
      const other = await addPerson(app, { permissions: scopes, orgId: app.orgId })
      const page = await signIn(visitor, await visitor.open(authorizeUrl(client, { prompt: 'login' })), other)
      assert.ok(page.body.includes(other.email))
      assertLeft(await allow(page, inOrg()), { error: undefined })
    })

    test('in a page opened before somebody else signed in with the same browser counts', async () => {
      const early = await begin()
      const other = await addPerson(app, { permissions: scopes, orgId: app.orgId })
      await visitor.press(await ask(visitor, client, other), 'Refuse')
      const page = await signIn(visitor, early, person)
      assert.ok(page.body.includes(person.email))
      assertLeft(await allow(page, inOrg()), { error: undefined })
    })

    test('lasts until the password changes', async () => {
      const page = await ask()
      const body = { data: { type: 'user', attributes: { password: 'quite another one' } } }
      const changed = await app.call('PATCH', `/rest/groups/${app.groupId}/users/${person.id}`, { body })
      assert.equal(changed.statusCode, 200, changed.body)
      assertPage(await allow(page, inOrg()), 200, /^Sign in$/)
      assertPage(await begin(), 200, /^Sign in$/)
      assert.deepEqual(await sessionsOf(person.id), [])
    })

    test('lasts until the account is deleted', async () => {
      const page = await ask()
      const gone = await app.call('DELETE', `/rest/groups/${app.groupId}/users/${person.id}`)
      assert.equal(gone.statusCode, 204, gone.body)
      assertPage(await allow(page, inOrg()), 200, /^Sign in$/)
      assertPage(await begin(), 200, /^Sign in$/)
    })

    test('lasts until it is signed out', async () => {
      await visitor.press(await ask(), 'Refuse')
      const page = await visitor.open('/oauth2/sign-out')
      assertPage(page, 200, /^Sign out$/)
      assert.ok(page.body.includes(person.email))
      assertPage(await visitor.send(page.url, new URLSearchParams()), 403, /not sent from its page/)
      assertPage(await visitor.press(page, 'Sign out'), 200, /^You are signed out$/)
      assertPage(await visitor.open('/oauth2/sign-out'), 200, /^You are signed out$/)
      assertPage(await visitor.send(page.url, new URLSearchParams()), 200, /^You are signed out$/)
      assertPage(await begin(), 200, /^Sign in$/)
    })

    test('leaves cookies that scripts and other sites do not get', async () => {
      const headers = (await app.server.inject(authorizeUrl())).headers['set-cookie'] as string[]
      const posted: string[] = []
      const page = await begin()
      const answer = await app.server.inject({
        method: 'POST',
        url: page.url.pathname,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          cookie: visitor.cookieHeader(page.url),
        },
        payload: filledIn(page, 'Sign in', { email: person.email, password: PASSWORD }).toString(),
      })
      posted.push(...([answer.headers['set-cookie']].flat() as string[]))
      assert.ok(posted.some((line) => line.startsWith('gatehouse_known=')))
      for (const line of [...headers, ...posted]) {
        assert.match(line, /; httponly/i, line)
        assert.match(line, /; samesite=lax/i, line)
        assert.doesNotMatch(line, /; secure/i)
      }
    })
  })

  describe('a form', () => {
    const forgeries: [why: string, change: (form: URLSearchParams) => void, headers?: Record<string, string>][] = [
      ['without its token', (form) => form.delete('token')],
      ['with another one', (form) => form.set('token', 'AAAAAAAAAAAAAAAAAAAAAA')],
      ['sent by another site', () => {}, { 'sec-fetch-site': 'cross-site' }],
      ['sent by another origin of the same site', () => {}, { 'sec-fetch-site': 'same-site' }],
    ]
    for (const [why, change, headers] of forgeries) {
      test(`${why} does nothing`, async () => {
        const login = await begin()
        const filled = filledIn(login, 'Sign in', { email: person.email, password: PASSWORD })
        change(filled)
        assertPage(await visitor.send(login.url, filled, headers), 403, /not sent from its page/)
        const page = await signIn(visitor, login, person)
        const consent = filledIn(page, 'Allow', { place: inOrg() })
        change(consent)
        assertPage(await visitor.send(page.url, consent, headers), 403, /not sent from its page/)
        assert.deepEqual(await sessionsOf(person.id), [])
      })
    }

    test('sent from the page itself, as browsers say, is taken', async () => {
      const page = await ask()
      const form = filledIn(page, 'Allow', { place: inOrg() })
      assertLeft(await visitor.send(page.url, form, { 'sec-fetch-site': 'same-origin' }), { error: undefined })
    })

    test('of another interaction does nothing', async () => {
      const [first, second] = [await ask(), await begin()]
      const token = filledIn(second, 'Allow', {}).get('token')!
      const form = filledIn(first, 'Allow', { place: inOrg(), token })
      assertPage(await visitor.send(first.url, form), 403, /not sent from its page/)
    })

    test('without a browser’s cookies does nothing', async () => {
      const page = await ask()
      const other = createVisitor(app)
      assertPage(await other.open(page.url), 400, /no longer valid/)
      assertPage(await other.press(page, 'Allow', { place: inOrg() }), 400, /no longer valid/)
      await ask(other, client, await addPerson(app))
      assertPage(await other.press(page, 'Allow', { place: inOrg() }), 400, /no longer valid/)
      assert.deepEqual(await sessionsOf(person.id), [])
    })

    const unreadable: [why: string, type: string, body: string, status: number][] = [
      ['JSON', 'application/json', '{}', 415],
      ['another type', 'text/plain', 'decision=allow', 415],
      ['a NUL', 'application/x-www-form-urlencoded', 'decision=%00', 400],
      ['far too much', 'application/x-www-form-urlencoded', 'x'.repeat(1_100_000), 413],
    ]
    for (const [why, type, payload, status] of unreadable) {
      test(`of ${why} is answered with a page`, async () => {
        const page = await ask()
        const cookie = visitor.cookieHeader(page.url)
        const headers = { 'content-type': type, cookie }
        const answer = await app.server.inject({ method: 'POST', url: page.url.pathname, headers, payload })
        assert.equal(answer.statusCode, status)
        assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
        assert.match(answer.body, /<h1>This could not be read<\/h1>/)
      })
    }

    test('without a decision, or with an unknown one, does nothing', async () => {
      const page = await ask()
      const { token } = Object.fromEntries(filledIn(page, 'Allow', {}))
      for (const decision of [{}, { decision: 'maybe' }]) {
        const form = new URLSearchParams({ token: token!, place: inOrg(), ...decision })
        assertPage(await visitor.send(page.url, form), 400, /could not be read/)
      }
      assert.deepEqual(await sessionsOf(person.id), [])
    })
  })

  describe('an interaction', () => {
    test('that was answered is over', async () => {
      const page = await ask()
      await allow(page, inOrg())
      assertPage(await allow(page, inOrg()), 400, /no longer valid/)
      assertPage(await visitor.open(page.url), 400, /no longer valid/)
      assert.equal((await sessionsOf(person.id)).length, 1)
    })

    test('answered twice at once begins one session, and both answers lead back to the app', async () => {
      const page = await ask()
      const form = filledIn(page, 'Allow', { place: inOrg() }).toString()
      const cookie = visitor.cookieHeader(page.url)
      const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie }
      const send = () => app.server.inject({ method: 'POST', url: page.url.pathname, headers, payload: form })
      const answers = await Promise.all([send(), send(), send()])
      assert.equal(new Set(answers.map(nextOf)).size, 1)
      assert.equal((await sessionsOf(person.id)).length, 1)
      assert.equal((await installsOf(person.id)).length, 1)
      const left = await visitor.open(nextOf(answers[0]!))
      assertLeft(left, { error: undefined })
    })

    test('answered with yes, then with no before the browser went on, keeps the first answer', async () => {
      const page = await ask()
      const cookie = visitor.cookieHeader(page.url)
      const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie }
      const send = (form: URLSearchParams) =>
        app.server.inject({ method: 'POST', url: page.url.pathname, headers, payload: form.toString() })
      await send(filledIn(page, 'Allow', { place: inOrg() }))
      const answer = await send(filledIn(page, 'Refuse', {}))
      assertLeft(await visitor.open(nextOf(answer)), { error: undefined })
    })

    test('of two tabs at once leaves the places of one of them', async () => {
      const other = await app.addOrg()
      person = await addPerson(app, ...[app.orgId, other].map((orgId) => ({ permissions: scopes, orgId })))
      const [first, second] = [await ask(), await begin()]
      const send = (page: Shown, place: string) =>
        app.server.inject({
          method: 'POST',
          url: page.url.pathname,
          headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: visitor.cookieHeader(page.url) },
          payload: filledIn(page, 'Allow', { place }).toString(),
        })
      const answers = await Promise.all([send(first, inOrg()), send(second, inOrg(other))])
      for (const answer of answers) assertLeft(await visitor.open(nextOf(answer)), { error: undefined })
      assert.equal((await installsOf(person.id)).length, 1)
      assert.equal((await sessionsOf(person.id)).length, 2)
    })

    test('that has expired, or is unknown, is said to', async () => {
      const page = await ask()
      await app.parts.services.db.deleteFrom('oauth_records').where('model', '=', 'Interaction').execute()
      assertPage(await visitor.open(page.url), 400, /no longer valid/)
      assertPage(await allow(page, inOrg()), 400, /no longer valid/)
      assertPage(await visitor.open('/oauth2/interactions/nothing'), 400, /no longer valid/)
    })

    test('does not go on for another account that signed in with the browser', async () => {
      const page = await ask()
      const other = await addPerson(app, { permissions: scopes, orgId: app.orgId })
      const elsewhere = await visitor.press(await begin(), 'Not you? Use another account')
      await signIn(visitor, elsewhere, other)
      assertPage(await visitor.open(page.url), 400, /no longer valid|somebody else/i)
      await allow(page, inOrg())
      assert.deepEqual([await sessionsOf(person.id), await sessionsOf(other.id)], [[], []])
    })

    test('whose app was deleted meanwhile says so', async () => {
      const page = await ask()
      const gone = await app.call('DELETE', `/rest/orgs/${app.orgId}/apps/creations/${client.id}`)
      assert.equal(gone.statusCode, 204, gone.body)
      assertPage(await visitor.open(page.url), 410, /app no longer exists/)
      assertPage(await allow(page, inOrg()), 410, /app no longer exists/)
    })

    const refused: [why: string, change: (query: URLSearchParams) => void, title: RegExp][] = [
      ['an unknown app', (query) => query.set('client_id', randomUUID()), /not known here/],
      ['no app', (query) => query.delete('client_id'), /cannot be answered|not known here/],
      [
        'an address that is not the app’s',
        (query) => query.set('redirect_uri', 'https://evil.example/callback'),
        /wrong address/,
      ],
    ]
    for (const [why, change, title] of refused) {
      test(`for ${why} does not begin, and nobody is sent anywhere`, async () => {
        const url = new URL(authorizeUrl(), 'http://test')
        change(url.searchParams)
        const page = await visitor.open(`${url.pathname}${url.search}`)
        assert.equal(page.status, 400)
        assertPage(page, 400, title)
        assert.doesNotMatch(page.body, /href="https:\/\/evil/)
      })
    }

    test('shows names as text', async () => {
      client = await addApp(app, { scopes, name: '<img src=x onerror=alert(1)>' })
      const page = await ask()
      assertPage(page, 200, /^Let <img src=x onerror=alert\(1\)> in\?$/)
      assert.doesNotMatch(page.body, /<img src=x/)
    })
  })

  const targets: [redirectUri: string, formTargets: string, words: RegExp][] = [
    ['https://app.example/callback', "'self';", /app\.example/],
    ['https://app.example:8443/callback', "'self';", /app\.example:8443/],
    ['http://127.0.0.1:8080/callback', "'self';", /a program on this computer \(127\.0\.0\.1:8080\)/],
    ['http://[::1]:8080/callback', "'self';", /a program on this computer \(\[::1\]:8080\)/],
    ['com.example.app:/callback', "'self' com.example.app:;", /a program on this device \(com\.example\.app:\)/],
  ]
  for (const [redirectUri, formTargets, words] of targets) {
    test(`an app that gets its answer at ${redirectUri} gets it, and forms lead nowhere else`, async () => {
      client = await addApp(app, { scopes, redirectUris: [redirectUri] })
      const page = await ask()
      assert.ok(String(page.headers['content-security-policy']).includes(`form-action ${formTargets}`))
      assert.match(page.body, words)
      const { url } = await visitor.press(page, 'Refuse')
      assert.ok(url.href.startsWith(redirectUri), url.href)
    })
  }

  test('a program that has got its answer may send the browser to a page that says so', async () => {
    assertPage(await visitor.open('/authenticated?type=oauth'), 200, /^You can close this page$/)
  })

  test('neither passwords nor tokens reach the log', async () => {
    const page = await ask()
    await allow(page, inOrg())
    await visitor.press(await createVisitor(app).open(authorizeUrl()), 'Sign in', {
      email: 'x@y',
      password: 'secret-in-form',
    })
    for (const secret of [PASSWORD, 'secret-in-form', filledIn(page, 'Allow', {}).get('token')!]) {
      assert.ok(!app.log().includes(secret))
    }
  })

  describe('a consent beside a deletion leaves nothing behind', () => {
    const deletions: [what: string, path: (org: string) => string][] = [
      ['of the user', () => `/rest/groups/${app.groupId}/users/${person.id}`],
      ['of the app', (org) => `/rest/orgs/${org}/apps/creations/${client.id}`],
      ['of the organisation', (org) => `/v1/org/${org}`],
    ]
    for (const [what, path] of deletions) {
      test(what, async () => {
        const org = await app.addOrg()
        client = await addApp(app, { scopes, orgId: org })
        person = await addPerson(app, { permissions: scopes, orgId: org })
        const page = await ask()
        const [answer, gone] = await Promise.all([allow(page, inOrg(org)), app.call('DELETE', path(org))])
        assert.ok(gone.statusCode === 204 || gone.statusCode === 200, gone.body)
        assert.ok(
          answer.status < 500,
          `${answer.body} ${app
            .log()
            .split('\n')
            .filter((line) => line.includes('"err"'))
            .join('\n')}`,
        )
        assert.deepEqual(await installsOf(person.id), [])
        assert.deepEqual(await sessionsOf(person.id), [])
      })
    }
  })

  test('a password that the administrator set works on the page', async () => {
    const email = `${randomUUID()}@example.test`
    const body = { data: { type: 'user', attributes: { name: 'New', email, password: PASSWORD } } }
    assert.equal((await app.call('POST', `/rest/groups/${app.groupId}/users`, { body })).statusCode, 201)
    assertPage(await signIn(visitor, await begin(), { email }), 200, /^Let An app in\?$/)
    assert.ok(await hashPassword('x'))
  })
})
