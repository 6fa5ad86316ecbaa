import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Database, openDatabase } from '#foundation/db/open-database.ts'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('cached pages of service accounts', (engine) => {
  let app: TestApp
  /** A second connection, as another process would open it. */
  let other: Database
  let path: string
  let id: string
  before(async () => {
    app = await startApp(engine)
    const { config } = app.parts.services
    other = openDatabase({ url: app.databaseUrl, dataDir: config.dataDir, maxConnections: 1, onError: () => {} })
    path = ofOrg.path(app)
    id = (await createAccount(app, path)).id
  })
  after(async () => {
    await other.close()
    await app.close()
  })

  const names = async () => {
    const answer = await app.call('GET', path)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)
  }

  test('cached page: identical bytes on each request', async () => {
    const first = await app.call('GET', path)
    for (let n = 0; n < 3; n++) assert.equal((await app.call('GET', path)).body, first.body)
  })

  test('cached page: shows changes of any process at once', async () => {
    await names()
    for (let n = 0; n < 20; n++) {
      const { db } = n % 2 === 0 ? other : app.parts.services
      await db
        .updateTable('service_accounts')
        .set({ name: `name ${n}` })
        .where('id', '=', id)
        .execute()
      assert.deepEqual(await names(), [`name ${n}`])
      assert.deepEqual(await names(), [`name ${n}`])
    }
  })

  test('cached page: its links use the version and limit of the request', async () => {
    for (let n = 0; n < 2; n++) {
      for (const query of ['version=2024-10-15', 'version=2023-11-06', 'version=2024-10-15&limit=10']) {
        const { links } = (await app.call('GET', `${path}?${query}`)).json()
        const [version] = new URLSearchParams(links.self.split('?')[1]).getAll('version')
        assert.equal(version, query.slice('version='.length, 'version=2024-10-15'.length))
      }
    }
  })

  test('cached page: refused without the permission and with a deleted key', async () => {
    const [reader, stranger] = [await app.keyWith(['org.service_account.read']), await app.keyWith(['org.read'])]
    const elsewhere = await app.keyWith(['org.service_account.read'], { orgId: await app.addOrg() })
    for (let n = 0; n < 2; n++) {
      for (const [key, status] of [
        [reader, 200],
        [stranger, 403],
        [elsewhere, 404],
        [null, 401],
      ] as const)
        assert.equal((await app.call('GET', path, { key })).statusCode, status)
    }
    const { digest } = app.parts.services.keyring
    await other.db.deleteFrom('credentials').where('digest', '=', digest(reader)).execute()
    assert.equal((await app.call('GET', path, { key: reader })).statusCode, 401)
  })
})
