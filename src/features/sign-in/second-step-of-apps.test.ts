import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Authenticator } from '#test/access/authenticator.ts'
import {
  actionsIn,
  assertLeft,
  assertPage,
  authorizeUrl,
  type Scene,
  setScene,
} from '#test/access/authorization-pages.ts'
import { createConsoleBrowser } from '#test/access/console-browser.ts'
import { addApp, addPasskey, codeOf, PASSKEY_SERVER } from '#test/access/factors.ts'
import { addPerson, signIn } from '#test/access/people.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('second step of a sign-in for an app', (engine) => {
  let app: TestApp
  let scene: Scene
  let secret: string
  let authenticator: Authenticator
  const { begin, allow, inOrg } = actionsIn(
    () => app,
    () => scene,
  )
  before(async () => {
    app = await startApp(engine, PASSKEY_SERVER)
  })
  after(() => app.close())
  beforeEach(async () => {
    scene = await setScene(app)
    const browser = createConsoleBrowser(app)
    await browser.signIn(scene.person)
    ;({ secret } = await addApp(browser))
    authenticator = await addPasskey(app, browser)
  })

  const post = async (path: string, body: object = {}) => scene.visitor.post(`/console/${path}`, body)

  /** Gives the right password on the page of the app. */
  async function reachSecondStep(parameters: Record<string, string> = {}) {
    const page = await scene.visitor.open(authorizeUrl(scene.client, parameters))
    const next = await signIn(scene.visitor, page, scene.person)
    assert.equal(next.url.pathname, '/console/second-step')
    return { page, back: `/oauth2/interactions/${next.url.searchParams.get('interaction')}` }
  }

  test('sign-in for an app: a right password alone leads to no consent', async () => {
    const { back } = await reachSecondStep()
    assertPage(await scene.visitor.open(back), 200, /^Sign in$/)
    assert.ok(!scene.visitor.cookieHeader(new URL(back, 'http://localhost:7331')).includes('gatehouse_session'))
  })

  test('sign-in for an app: the code leads to the consent', async () => {
    const { back } = await reachSecondStep()
    assert.equal((await post('sign-in/code', { code: codeOf(secret, 1) })).status, 200)
    const consent = await scene.visitor.open(back)
    assertPage(consent, 200, /^Authorize An app\?$/)
    assertLeft(await allow(consent, inOrg()), { error: undefined, state: 'the state' })
  })

  test('sign-in for an app: a passkey alone leads to the consent', async () => {
    const page = await scene.visitor.press(await begin(), 'Use a passkey', { email: '', password: '' })
    assert.equal(page.url.searchParams.get('way'), 'passkey')
    const options = JSON.parse((await post('passkey-session/challenge')).body)
    assert.equal((await post('passkey-session', { credential: authenticator.use(options) })).status, 200)
    const back = `/oauth2/interactions/${page.url.searchParams.get('interaction')}`
    assertPage(await scene.visitor.open(back), 200, /^Authorize An app\?$/)
  })

  test('sign-in for an app: prompt=login requires a new second step', async () => {
    await reachSecondStep()
    await post('sign-in/code', { code: codeOf(secret, 1) })
    const { db, now } = app.parts.services
    const set = { signed_in_at: now() - 60_000 }
    await db.updateTable('user_sessions').set(set).where('user_id', '=', scene.person.id).execute()
    const { back } = await reachSecondStep({ prompt: 'login' })
    assertPage(await scene.visitor.open(back), 200, /^Sign in$/)
    const options = JSON.parse((await post('sign-in/passkey/challenge')).body)
    assert.equal((await post('sign-in/passkey', { credential: authenticator.use(options) })).status, 200)
    assertPage(await scene.visitor.open(back), 200, /^Authorize An app\?$/)
  })

  test('sign-in for an app: the sign-in of another user does not complete the second step', async () => {
    const { back } = await reachSecondStep()
    const other = await addPerson(app)
    const password = 'a password for people'
    assert.equal((await post('session', { email: other.email, password })).status, 200)
    assertPage(await scene.visitor.open(back), 200, /^Sign in$/)
  })

  test('sign-in for an app: members of a group that requires a factor set one up first', async () => {
    const groupId = await app.addGroup()
    const orgId = await app.addOrg({ groupId })
    const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], groupId, orgId })
    const { db } = app.parts.services
    await db.updateTable('groups').set({ second_factor: 'required' }).where('id', '=', groupId).execute()
    const next = await signIn(scene.visitor, await begin(), person)
    const back = `/oauth2/interactions/${next.url.searchParams.get('interaction')}`
    const offer = JSON.parse((await post('sign-in/factors/app/challenge')).body)
    assertPage(await scene.visitor.open(back), 200, /^Sign in$/)
    const body = { id: offer.id, name: 'Phone', code: codeOf(offer.secret) }
    assert.equal((await post('sign-in/factors/app', body)).status, 200)
    assertPage(await scene.visitor.open(back), 200, /^Authorize An app\?$/)
  })
})
