import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkIdentities } from '#features/single-sign-on/check-identities.job.ts'
import { type CertifiedProvider, startCertifiedProvider } from '#test/access/certified-provider.ts'
import { createConsoleBrowser } from '#test/access/console-browser.ts'
import { addProvider, type Configured, comeBack, PROVIDER_SERVER, startSignOn } from '#test/access/sign-on.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

onAnyEngine('single sign-on with oidc-provider', (engine) => {
  let app: TestApp
  let provider: CertifiedProvider
  let configured: Configured
  before(async () => {
    app = await startApp(engine, PROVIDER_SERVER)
    provider = await startCertifiedProvider()
    configured = await addProvider(app, provider)
    const path = `/oauth2/single-sign-on/${configured.id}`
    // The provider sends logout tokens to the listening test server.
    const own = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const redirectUri = `${app.parts.services.baseUrl}${path}/callback`
    provider.register({ redirectUri, logoutUri: `${own}${path}/logout` })
  })
  after(async () => {
    await provider[Symbol.asyncDispose]()
    await app.close()
  })

  test('oidc-provider: sign-in, logout at the provider, new sign-in and removal of the user take effect', async () => {
    assert.deepEqual((await app.call('POST', `${configured.path}/test`, { query: { version: '-' } })).json(), {
      ok: true,
    })
    const [browser, there] = [createConsoleBrowser(app), provider.browser()]
    const email = `ada@${configured.domain}`
    provider.users.set('ada', { email })
    const signOn = async () => comeBack(browser, await there.signIn(await startSignOn(browser, email), 'ada'))
    const self = async () => browser.ask('GET', '/rest/self')

    assert.equal((await signOn()).statusCode, 303)
    assert.equal((await self()).json().data.attributes.email, email)
    await there.signOut()
    assert.equal((await self()).statusCode, 401)

    assert.equal((await signOn()).statusCode, 303)
    const { services, providers } = app.parts
    const context = { log: services.log, attempt: 1, signal: new AbortController().signal }
    const check = async (minutesLater: number) =>
      checkIdentities({ ...services, providers, now: () => Date.now() + minutesLater * 60_000 }).run({}, context)
    await check(16)
    assert.equal((await self()).statusCode, 200)
    provider.users.delete('ada')
    await check(40)
    assert.equal((await self()).statusCode, 401)
  })
})
