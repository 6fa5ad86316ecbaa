import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorizeUrl } from '#test/access/authorization-pages.ts'
import { addPerson, signIn } from '#test/access/people.ts'
import { addApp } from '#test/access/tokens.ts'
import { createVisitor, decoded } from '#test/access/visitor.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

/** Builds markup with a character that reverses the direction of the text after it. */
const hostile = (what: string) => `<img src=x onerror=alert(1)>"'--></title></h1><script>${what}</script>\u202E${what}`

onAnyEngine('hostile names on the sign-in pages', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  test('hostile names: are shown as isolated text on every page', async () => {
    const { db } = app.parts.services
    const client = await addApp(app, { name: hostile('app') })
    const lesser = await app.addOrg()
    const person = await addPerson(
      app,
      { permissions: ['org.read'], orgId: app.orgId },
      { permissions: ['org.edit'], orgId: lesser },
    )
    await db
      .updateTable('orgs')
      .set({ name: hostile('org') })
      .execute()
    await db
      .updateTable('groups')
      .set({ name: hostile('group') })
      .execute()
    await db
      .updateTable('users')
      .set({ name: hostile('user') })
      .where('id', '=', person.id)
      .execute()

    const visitor = createVisitor(app)
    const login = await visitor.open(authorizeUrl(client, { login_hint: hostile('hint') }))
    const wrong = await visitor.press(login, 'Sign in', { email: hostile('email'), password: 'x' })
    const consent = await signIn(visitor, login, person)
    const search = await visitor.press(consent, 'Refuse', { decision: 'find', find: hostile('find') })
    const signOut = await visitor.open('/oauth2/sign-out')
    const pages = { login, wrong, consent, search, signOut }
    const shown = {
      login: ['app', 'hint'],
      wrong: ['email'],
      consent: ['app', 'org', 'group', 'user'],
      signOut: ['user'],
    }
    for (const [name, { body }] of Object.entries(pages)) {
      assert.doesNotMatch(body, /<script|<img src=x|<\/title><\/h1>/, name)
    }
    for (const [page, names] of Object.entries(shown)) {
      for (const name of names) {
        assert.ok(decoded(pages[page as keyof typeof shown].body).includes(hostile(name)), `${name} on ${page}`)
      }
    }
    // In running text, isolation keeps such a name from reversing what follows; choices have their own lines.
    for (const { body } of [login, consent]) {
      const paragraphs = body
        .match(/<(p|li)(?! class="choice)\b[^>]*>[\s\S]*?<\/\1>/g)!
        .filter((text) => text.includes('\u202E'))
      assert.ok(paragraphs.length > 0)
      for (const text of paragraphs) assert.doesNotMatch(text, /\u202E[^<]*<\/(?!bdi>)/, text)
    }
  })
})
