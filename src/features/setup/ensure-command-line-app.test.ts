import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandLineClientId, commandLineScopes } from '#foundation/product.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { ensureCommandLineApp } from './ensure-command-line-app.ts'

onEveryEngine('command-line app', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const list = async () => (await app.call('GET', `/rest/orgs/${app.orgId}/apps/creations`)).json().data
  const find = () => app.call('GET', `/rest/orgs/${app.orgId}/apps/${commandLineClientId}`)
  const count = async () => (await app.parts.services.db.selectFrom('apps').select('id').execute()).length

  test('command-line app: servers that start together register it once, as a public client', async () => {
    await Promise.all([1, 2, 3].map(() => ensureCommandLineApp(app.parts.services)))
    assert.equal(await count(), 1)
    const { attributes } = (await find()).json().data
    assert.deepEqual(
      [attributes.client_id, attributes.is_confidential, attributes.is_public, attributes.client_secret],
      [commandLineClientId, false, true, undefined],
    )
    assert.deepEqual(attributes.redirect_uris, ['http://127.0.0.1/callback'])
    assert.deepEqual(attributes.scopes, commandLineScopes.import)
  })

  test('command-line app: not listed among the apps of an organization', async () => assert.deepEqual(await list(), []))

  test('command-line app: not registered again after an administrator deleted it', async () => {
    const { id } = (await find()).json().data
    assert.equal((await app.call('DELETE', `/rest/orgs/${app.orgId}/apps/creations/${id}`)).statusCode, 204)
    await ensureCommandLineApp(app.parts.services)
    assert.equal((await find()).statusCode, 404)
  })
})
