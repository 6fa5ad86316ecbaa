import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { addPerson, signIn } from '#test/access/people.ts'
import { addApp } from '#test/access/tokens.ts'
import { createVisitor, filledIn, type Shown, type Visitor } from '#test/access/visitor.ts'
import { hostileText } from '#test/documents/hostile-values.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { volume } from '#test/volume.ts'

const RUNS = volume(150)

const value = fc.oneof(hostileText, fc.constantFrom('allow', 'find', 'sign-in', 'org:', 'group:', 'org:x', '%'))
const forms = fc.array(
  fc.tuple(fc.constantFrom('token', 'decision', 'place', 'find', 'email', 'password', '__proto__', ''), value),
  { maxLength: 8 },
)

onAnyEngine('random forms of the sign-in pages', (engine) => {
  let app: TestApp
  const shown = new Map<string, { page: Shown; visitor: Visitor }>()
  before(async () => {
    app = await startApp(engine)
    const client = await addApp(app)
    const person = await addPerson(app, { permissions: ['org.read'], orgId: app.orgId })
    const url = `/oauth2/authorize?response_type=code&client_id=${client.client_id}`
    const [stranger, visitor] = [createVisitor(app), createVisitor(app)]
    shown.set('Sign in', { page: await stranger.open(url), visitor: stranger })
    shown.set('Allow', { page: await signIn(visitor, await visitor.open(url), person), visitor })
  })
  after(() => app.close())

  for (const button of ['Sign in', 'Allow']) {
    test(`random forms on the page with “${button}”: get a page below status 500 and begin no session`, async () => {
      const { page, visitor } = shown.get(button)!
      const token = filledIn(page, button, {}).get('token')!
      for (const [index, fields] of fc.sample(forms, { seed: 20_260_701, numRuns: RUNS }).entries()) {
        const form = new URLSearchParams(fields.filter(([field]) => field !== 'password'))
        // The page's own token gets a form further; a final decision would end the interaction.
        if (index % 2 === 0) form.set('token', token)
        if (['refuse', 'cancel', 'switch'].includes(form.get('decision') ?? '')) continue
        const { status, headers, body } = await visitor.send(page.url, form)
        assert.ok(status < 500, `${form}: ${status} ${body}`)
        assert.equal(headers['content-type'], 'text/html; charset=utf-8')
        assert.match(body, /<h1>/)
      }
      const { db } = app.parts.services
      assert.deepEqual(await db.selectFrom('app_sessions').select('id').execute(), [])
      assert.doesNotMatch(app.log(), /"level":(50|60)/)
    })
  }
})
