import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPerson, PASSWORD, signIn } from '#test/access/people.ts'
import { addApp } from '#test/access/tokens.ts'
import { createVisitor, filledIn } from '#test/access/visitor.ts'
import { startApp } from '#test/servers/app.ts'

test('HTTPS behind a proxy: every cookie is Secure and the sign-in of an app works', async () => {
  const app = await startApp('sqlite', { GATEHOUSE_BASE_URL: 'https://gate.example' })
  try {
    const client = await addApp(app)
    const person = await addPerson(app, { permissions: ['org.read'], orgId: app.orgId })
    const visitor = createVisitor(app)
    const url = `/oauth2/authorize?response_type=code&client_id=${client.client_id}`
    const begun = await app.server.inject(url)
    const login = await visitor.open(url)
    const answer = await app.server.inject({
      method: 'POST',
      url: login.url.pathname,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: visitor.cookieHeader(login.url),
      },
      payload: filledIn(login, 'Sign in', { email: person.email, password: PASSWORD }).toString(),
    })
    const cookies = [begun, answer].flatMap(({ headers }) => [headers['set-cookie'] ?? []].flat())
    assert.ok(cookies.some((line) => line.startsWith('gatehouse_known=')))
    for (const line of cookies) assert.match(line, /; secure/i)
    const { url: left } = await visitor.press(await signIn(visitor, login, person), 'Allow', {
      place: `org:${app.orgId}`,
    })
    assert.equal(left.searchParams.get('iss'), 'https://gate.example')
    assert.ok(left.searchParams.get('code'))
    assert.match(visitor.cookieHeader(login.url), /__Host-gatehouse_session=/)
  } finally {
    await app.close()
  }
})
