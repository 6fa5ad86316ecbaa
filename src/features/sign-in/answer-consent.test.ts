import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { AppRow } from '#features/apps/store.ts'
import {
  actionsIn,
  assertLeft,
  assertPage,
  authorizeUrl,
  offered,
  scopes,
  setScene,
  ticked,
} from '#test/access/authorization-pages.ts'
import { addPerson, PASSWORD, type Person, signIn } from '#test/access/people.ts'
import { addApp } from '#test/access/tokens.ts'
import { createVisitor, filledIn, type Visitor } from '#test/access/visitor.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('consent page', (engine) => {
  let app: TestApp
  let client: AppRow
  let person: Person
  let visitor: Visitor
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())
  beforeEach(async () => {
    ;({ client, person, visitor } = await setScene(app))
  })
  const { inOrg, begin, ask, allow, installsOf, sessionsOf, eventsOf } = actionsIn(
    () => app,
    () => ({ client, person, visitor }),
  )

  describe('consent by a user', () => {
    test('consent: sign-in, consent page and chosen place lead back to the app with a code', async () => {
      const login = await begin()
      assertPage(login, 200, /^Sign in$/)
      assert.match(login.body, /to continue to <strong><bdi>An app<\/bdi><\/strong>/)
      const page = await signIn(visitor, login, person)
      assertPage(page, 200, /^Authorize An app\?$/)
      assert.match(page.body, /registered by <strong><bdi>Default organization<\/bdi><\/strong>/)
      assert.match(page.body, /See projects and their issues <code>org\.project\.read<\/code>/)
      assert.match(page.body, /acts as itself/)
      assert.match(page.body, /return to <strong>app\.example<\/strong>/)
      assert.ok(page.body.includes(person.email))
      assert.deepEqual(offered(page), [inOrg()])
      assert.deepEqual(ticked(page), [inOrg()])
      const left = await visitor.press(page, 'Allow')
      assertLeft(left, { state: 'the state', iss: app.parts.services.baseUrl, error: undefined })
      assert.match(left.url.searchParams.get('code')!, /^gate_ac_/)
      assert.deepEqual((await installsOf(person.id)).map(({ place }) => place).sort(), [app.orgId])
      const [session] = await sessionsOf(person.id)
      assert.deepEqual(JSON.parse(session!.scopes), scopes)
      assert.equal(session!.bot_id, (await installsOf(person.id))[0]!.bot_id)
      assert.deepEqual((await eventsOf(person.id)).sort(), ['app_install.create', 'app_session.create', 'user.sign_in'])
    })

    test('consent page: preselects a single possible organization; with several, none', async () => {
      const [first, second, reader] = [app.orgId, await app.addOrg(), await app.addOrg()]
      const both = [first, second].map((orgId) => ({ permissions: scopes, orgId }))
      const lesser = { permissions: scopes.slice(0, 1), orgId: reader }
      person = await addPerson(app, ...both)
      const page = await ask()
      assert.deepEqual(offered(page).sort(), [inOrg(first), inOrg(second)].sort())
      assert.deepEqual(ticked(page), [])
      assert.equal((await visitor.press(page, 'Allow')).status, 400)
      visitor = createVisitor(app)
      person = await addPerson(app, both[1]!, lesser)
      assert.deepEqual(ticked(await ask()), [inOrg(second)])
      visitor = createVisitor(app)
      const groupId = await app.addGroup()
      const only = await app.addOrg({ groupId })
      client = await addApp(app, { scopes, groupId, orgId: only })
      person = await addPerson(app, { permissions: scopes, groupId })
      assert.deepEqual(offered(await ask()), [`group:${groupId}`, inOrg(only)])
      assert.deepEqual(ticked(await begin()), [inOrg(only)])
    })

    test('repeated consent: asks again without a password and preselects the former places', async () => {
      await allow(await ask(), inOrg())
      const page = await begin()
      assertPage(page, 200, /^Authorize An app\?$/)
      assert.deepEqual(ticked(page), [inOrg()])
      assertLeft(await visitor.press(page, 'Allow'), { error: undefined })
      assert.equal((await sessionsOf(person.id)).length, 2)
      assert.equal((await installsOf(person.id)).length, 1)
    })

    test('repeated consent: replaces the places; the app keeps its bot', async () => {
      const [first, second, third] = [app.orgId, await app.addOrg(), await app.addOrg()]
      person = await addPerson(app, ...[first, second, third].map((orgId) => ({ permissions: scopes, orgId })))
      await allow(await ask(), inOrg(first), inOrg(second))
      const [before] = await installsOf(person.id)
      const page = await begin()
      assert.deepEqual(ticked(page).sort(), [inOrg(first), inOrg(second)].sort())
      await allow(page, inOrg(second), inOrg(third))
      assert.deepEqual((await installsOf(person.id)).map(({ place }) => place).sort(), [second, third].sort())
      assert.ok((await installsOf(person.id)).every(({ bot_id }) => bot_id === before!.bot_id))
      const events = await eventsOf(person.id)
      assert.equal(events.filter((action: string) => action === 'app_install.delete').length, 1)
      assert.equal(events.filter((action: string) => action === 'app_install.create').length, 3)
    })

    test('consent for a group: replaces the places of its organizations', async () => {
      person = await addPerson(app, { permissions: scopes })
      const page = await ask()
      assert.deepEqual(offered(page).slice(0, 1), [`group:${app.groupId}`])
      await allow(page, inOrg(), `group:${app.groupId}`)
      assert.deepEqual((await installsOf(person.id)).map(({ place }) => place).sort(), [app.groupId])
      assert.deepEqual(ticked(await begin()), [`group:${app.groupId}`])
      await allow(await begin(), inOrg())
      assert.deepEqual((await installsOf(person.id)).map(({ place }) => place).sort(), [app.orgId])
    })

    test('consent page: says that an app with user context acts as the user', async () => {
      client = await addApp(app, { scopes, context: 'user' })
      assert.match((await ask()).body, /It acts as you/)
    })

    test('consent: grants requested scopes only and ignores unknown scope names', async () => {
      const login = await visitor.open(authorizeUrl(client, { scope: 'org.read offline_access openid' }))
      const page = await signIn(visitor, login, person)
      assert.doesNotMatch(page.body, /org\.project\.read|openid|offline_access/)
      await allow(page, inOrg())
      assert.deepEqual(JSON.parse((await sessionsOf(person.id))[0]!.scopes), ['org.read'])
    })

    test('consent for further places: revokes earlier sessions with more scopes', async () => {
      const [here, there] = [app.orgId, await app.addOrg()]
      person = await addPerson(app, ...[here, there].map((orgId) => ({ permissions: scopes, orgId })))
      const ask = async (scope: string) => {
        const page = await visitor.open(authorizeUrl(client, { scope }))
        return /^Sign in/.test(/<title>(.*?)<\/title>/.exec(page.body)![1]!) ? signIn(visitor, page, person) : page
      }
      const countScopes = async () => (await sessionsOf(person.id)).map((row) => JSON.parse(row.scopes).length).sort()
      const [narrow, wide] = ['org.read', scopes.join(' ')]
      await allow(await ask(wide), inOrg(here))
      await allow(await ask(narrow), inOrg(here))
      assert.deepEqual(await countScopes(), [1, 2])
      await allow(await ask(narrow), inOrg(here), inOrg(there))
      assert.deepEqual(await countScopes(), [1, 1])
      await allow(await ask(wide), inOrg(there))
      await allow(await ask(wide), inOrg(here), inOrg(there))
      assert.deepEqual(await countScopes(), [1, 1, 2, 2])
      const ended = (await eventsOf(person.id)).filter((action) => action === 'app_session.delete')
      assert.equal(ended.length, 1)
    })

    test('consent through another host name of the server: redirects stay on that host', async () => {
      const page = await visitor.open(authorizeUrl(client), { host: 'localhost:7331' })
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

    test('consent page: search finds one of 130 organizations and keeps ticked places', async () => {
      const ids = await Promise.all(Array.from({ length: 130 }, () => app.addOrg()))
      person = await addPerson(app, { permissions: scopes })
      let page = await ask()
      assert.equal(offered(page).length, 101)
      assert.match(page.body, /\d+ more organizations are not shown/)
      const names = new Map<string, string>()
      for (const { id, name } of await app.parts.services.db.selectFrom('orgs').select(['id', 'name']).execute()) {
        names.set(id, name)
      }
      const [one, other] = [ids[3]!, ids[97]!]
      page = await visitor.press(page, 'Search', { find: names.get(one)!.toUpperCase() })
      assert.deepEqual(offered(page), [`group:${app.groupId}`, inOrg(one)])
      page = await visitor.press(page, 'Search', { find: names.get(other)!, place: inOrg(one) })
      assert.deepEqual(ticked(page), [inOrg(one)])
      assert.deepEqual(offered(page).sort(), [`group:${app.groupId}`, inOrg(one), inOrg(other)].sort())
      assert.match(page.body, new RegExp(`id="find"[^>]*value="${names.get(other)}"`))
      page = await visitor.press(page, 'Search', { find: '<no such>', place: [inOrg(one), inOrg(other)] })
      assert.match(page.body, /value="&lt;no such&gt;"/)
      assertLeft(await visitor.press(page, 'Allow'), { error: undefined })
      assert.deepEqual((await installsOf(person.id)).map(({ place }) => place).sort(), [one, other].sort())
    })
  })

  describe('places of a consent', () => {
    test('places: those where the user lacks a permission are named with it and cannot be chosen', async () => {
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
        /Not possible in one organization[\s\S]*“See projects and their issues” \(<code>org\.project\.read<\/code>\)/,
      )
      assertPage(await allow(page, inOrg(lesser), inOrg()), 400, /^Authorize An app\?$/)
      assert.deepEqual(await installsOf(person.id), [])
      assert.deepEqual(await sessionsOf(person.id), [])
    })

    test('places: an organization adds up group and organization roles; the group needs its own', async () => {
      person = await addPerson(
        app,
        { permissions: ['org.read'] },
        { permissions: ['org.project.read'], orgId: app.orgId },
      )
      const page = await ask()
      assert.deepEqual(offered(page), [inOrg()])
      assertPage(await allow(page, `group:${app.groupId}`), 400, /^Authorize An app\?$/)
      assertLeft(await allow(page, inOrg()), { error: undefined })
    })

    const strangers: [why: string, isPublic: boolean, offers: boolean][] = [
      ['places of another group: not offered to a private app', false, false],
      ['places of another group: offered to a public app', true, true],
    ]
    for (const [why, isPublic, offers] of strangers) {
      test(why, async () => {
        const groupId = await app.addGroup()
        const orgId = await app.addOrg({ groupId })
        client = await addApp(app, { scopes, isPublic })
        person = await addPerson(
          app,
          { permissions: scopes, groupId, orgId },
          { permissions: scopes, orgId: app.orgId },
        )
        const page = await ask()
        assert.equal(offered(page).includes(inOrg(orgId)), offers)
        const answered = await allow(page, inOrg(orgId))
        if (offers) assertLeft(answered, { error: undefined })
        else assertPage(answered, 400, /^Authorize An app\?$/)
        assert.deepEqual((await installsOf(person.id)).map(({ place }) => place).sort(), offers ? [orgId] : [])
      })
    }

    test('places: without a possible place, the user can only refuse', async () => {
      person = await addPerson(app, { permissions: ['org.read'], orgId: app.orgId })
      const page = await ask()
      assert.match(page.body, /You cannot authorize this app in any organization/)
      assert.doesNotMatch(page.body, /value="allow"/)
      const token = filledIn(page, 'Refuse', {}).get('token')!
      const forced = new URLSearchParams({ token, decision: 'allow', place: inOrg() })
      assertPage(await visitor.send(page.url, forced), 400, /^Authorize An app\?$/)
      assertLeft(await visitor.press(page, 'Refuse'), { error: 'access_denied' })
    })

    const wrong: [why: string, places: () => string[]][] = [
      ['no place', () => []],
      ['an unknown organization', () => [inOrg(randomUUID())]],
      ['an organization that the user is no member of', () => [inOrg(), inOrg(elsewhere)]],
      ['a malformed place', () => ['everything']],
    ]
    let elsewhere: string
    for (const [why, places] of wrong) {
      test(`consent: refuses ${why} with 400 and stays open`, async () => {
        elsewhere = await app.addOrg()
        const page = await allow(await ask(), ...places())
        assertPage(page, 400, /^Authorize An app\?$/)
        assert.match(page.body, /role="alert"[\s\S]*<a href="#places">/)
        assert.deepEqual(await sessionsOf(person.id), [])
        assertLeft(await allow(page, inOrg()), { error: undefined })
      })
    }

    test('places: are checked again when the consent is sent', async () => {
      const page = await ask()
      await app.parts.services.db.deleteFrom('memberships').where('principal_id', '=', person.id).execute()
      const again = await allow(page, inOrg())
      assertPage(again, 400, /^Authorize An app\?$/)
      assert.deepEqual(await installsOf(person.id), [])
    })
  })

  describe('consent during a deletion', () => {
    const deletions: [what: string, path: (org: string) => string][] = [
      ['the user', () => `/rest/groups/${app.groupId}/users/${person.id}`],
      ['the app', (org) => `/rest/orgs/${org}/apps/creations/${client.id}`],
      ['the organization', (org) => `/v1/org/${org}`],
    ]
    for (const [what, path] of deletions) {
      test(`consent while ${what} is deleted: leaves no install and no session`, async () => {
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

  const targets: [redirectUri: string, formTargets: string, words: RegExp][] = [
    ['https://app.example/callback', "'self';", /app\.example/],
    ['https://app.example:8443/callback', "'self';", /app\.example:8443/],
    ['http://127.0.0.1:8080/callback', "'self';", /a program on this computer \(127\.0\.0\.1:8080\)/],
    ['http://[::1]:8080/callback', "'self';", /a program on this computer \(\[::1\]:8080\)/],
    ['com.example.app:/callback', "'self' com.example.app:;", /a program on this device \(com\.example\.app:\)/],
  ]
  for (const [redirectUri, formTargets, words] of targets) {
    test(`consent page of an app with ${redirectUri}: limits form targets and sends the answer there`, async () => {
      client = await addApp(app, { scopes, redirectUris: [redirectUri] })
      const page = await ask()
      assert.ok(String(page.headers['content-security-policy']).includes(`form-action ${formTargets}`))
      assert.match(page.body, words)
      const { url } = await visitor.press(page, 'Refuse')
      assert.ok(url.href.startsWith(redirectUri), url.href)
    })
  }
})
