import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { isUuid } from '#foundation/http/access.ts'
import { createKeyring } from '#foundation/secrets/keyring.ts'
import { hintOf, secretKindOf } from '#foundation/secrets/typed-secret.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type FreshDatabase, freshDatabase } from '#test/servers/fresh-database.ts'
import { issueCredential } from './issue-credential.ts'

const keyring = createKeyring(Buffer.alloc(32, 1))
const owner = { kind: 'service_account', id: 'an account' } as const

onEveryEngine('a new credential', (engine) => {
  let database: FreshDatabase
  before(async () => {
    database = await freshDatabase(engine)
  })
  after(() => database[Symbol.asyncDispose]())
  const issue = (kind: 'api_key' | 'client_secret', secret?: string) =>
    issueCredential({ keyring, now: () => 7 }, database.db, { kind, owner, name: 'First', secret })

  test('issued secrets: an API key is a UUID, a client secret has its own format; only digest and hint are stored', async () => {
    const [key, secret] = [await issue('api_key'), await issue('client_secret')]
    assert.ok(isUuid(key.secret))
    assert.equal(secretKindOf(secret.secret), 'client_secret')
    for (const { row, secret: text } of [key, secret]) {
      const stored = [row.owner_kind, row.owner_id, row.name, row.created_at, row.digest, row.hint]
      const { kind, id } = owner
      assert.deepEqual(stored, [kind, id, 'First', 7, keyring.digest(text), hintOf(text)])
      assert.ok(!JSON.stringify(row).includes(text))
    }
  })

  test('a given secret is returned unchanged; its digest ignores the case of a UUID', async () => {
    const value = randomUUID().toUpperCase()
    const { row, secret } = await issue('api_key', value)
    assert.equal(secret, value)
    assert.equal(row.digest, keyring.digest(value.toLowerCase()))
  })
})
