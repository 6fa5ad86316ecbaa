import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { sealStoredUrls, urlOf } from './webhook-url.ts'

const SECRET = 'a-secret-of-the-receiver'

onAnyEngine('stored URLs of webhooks', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_OUTGOING_ALLOW: '203.0.113.0/24' })
  })
  after(() => app.close())

  const path = () => `/rest/orgs/${app.orgId}/webhooks`
  const stored = async (id: string) =>
    app.parts.services.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  async function create(url: string): Promise<string> {
    const body = { data: { type: 'webhook', attributes: { url, events: ['*'] } } }
    const answer = await app.call('POST', path(), { body })
    assert.equal(answer.statusCode, 201, answer.body)
    assert.equal(answer.json().data.attributes.url, url)
    return answer.json().data.id
  }

  test('webhook URL: encrypted in storage at creation and update, shown as sent', async () => {
    const id = await create(`https://203.0.113.5/${SECRET}`)
    assert.ok(!JSON.stringify(await stored(id)).includes(SECRET))
    const url = `https://203.0.113.6/other/${SECRET}`
    const body = { data: { id, type: 'webhook', attributes: { url } } }
    assert.equal((await app.call('PATCH', `${path()}/${id}`, { body })).json().data.attributes.url, url)
    assert.ok(!(await stored(id)).url.includes('other'))
    assert.equal((await app.call('GET', `${path()}/${id}`)).json().data.attributes.url, url)
  })

  test('webhook URL stored by an earlier version: readable, and encrypted at the next start', async () => {
    const { db, keyring } = app.parts.services
    const url = `https://203.0.113.7/${SECRET}`
    const row = await stored(await create(url))
    const ids = Array.from({ length: 3 }, () => randomUUID())
    await db
      .insertInto('webhooks')
      .values(ids.map((id) => ({ ...row, id, url })))
      .execute()
    assert.equal((await app.call('GET', `${path()}/${ids[0]}`)).json().data.attributes.url, url)
    await Promise.all([sealStoredUrls(app.parts.services), sealStoredUrls(app.parts.services)])
    for (const id of ids) {
      const sealed = await stored(id)
      assert.ok(!sealed.url.includes('203.0.113.7'))
      assert.equal(urlOf(keyring, sealed), url)
    }
  })
})
