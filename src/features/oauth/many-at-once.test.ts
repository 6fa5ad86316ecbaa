import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { issueAccessToken, TokenBasisGone } from '#features/access-tokens/issue-access-token.ts'
import { deleteCredentials } from '#features/credentials/store.ts'
import { deleteAccount } from '#features/service-accounts/store.ts'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { basic, claimsOf, granted, isAccepted, refused, sendForm } from '#test/access/oauth.ts'
import { isLockAwaited } from '#test/projects/lock-order.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const grant = { grant_type: 'client_credentials' }

onEveryEngine('concurrent requests for tokens', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  async function addAccount() {
    const account = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })
    const { client_id: clientId, client_secret: secret } = account.attributes
    return { id: account.id, clientId: String(clientId), credentials: basic(String(clientId), String(secret)) }
  }

  const requestToken = ({ credentials }: { credentials: Record<string, string> }, form: object = grant) =>
    sendForm(app, 'token', form as Record<string, string>, credentials)

  /** Issues a token for a missing account, as when it is deleted meanwhile. */
  const ofNobody = () =>
    issueAccessToken(app.parts.services, app.parts.services.db, {
      basis: { serviceAccountId: randomUUID() },
      clientId: randomUUID(),
      subject: randomUUID(),
      botId: randomUUID(),
      scopes: null,
      ttlSeconds: 3600,
    })

  test('90 concurrent token requests: each gets its own token, and failures affect no others', async () => {
    const accounts = await Promise.all([addAccount(), addAccount(), addAccount()])
    const stranger = { credentials: basic(accounts[0]!.clientId, 'wrong') }
    const requests = Array.from({ length: 90 }, (_, n) => {
      if (n % 10 === 3)
        return ofNobody().then(
          () => 'stored',
          (error) => error instanceof TokenBasisGone,
        )
      if (n % 10 === 5) return requestToken(stranger)
      if (n % 10 === 7) return requestToken(accounts[0]!, { ...grant, scope: 'org.delete' })
      return requestToken(accounts[n % 3]!)
    })
    const ids = new Set<unknown>()
    for (const [n, answer] of (await Promise.all(requests)).entries()) {
      if (typeof answer !== 'object') assert.equal(answer, true, 'the reason is known')
      else if (n % 10 === 5) refused(answer, 401, 'invalid_client')
      else if (n % 10 === 7) refused(answer, 400, 'invalid_scope')
      else {
        const { access_token, bot_id } = granted(answer)
        assert.equal(bot_id, accounts[n % 3]!.id)
        assert.ok(await isAccepted(app, access_token), 'it works as soon as it is answered')
        ids.add(claimsOf(access_token)['jti'])
      }
    }
    assert.equal(ids.size, 63)
  })

  test('tokens requested while their account is deleted: none outlives the account', async () => {
    const [doomed, other] = [await addAccount(), await addAccount()]
    const asking = Array.from({ length: 40 }, (_, n) => requestToken(n % 2 === 0 ? doomed : other))
    const deleting = app.call('DELETE', `${ofOrg.path(app)}/${doomed.id}`)
    const late = Array.from({ length: 40 }, () => requestToken(doomed))
    assert.equal((await deleting).statusCode, 204)
    for (const [n, answer] of (await Promise.all([...asking, ...late])).entries()) {
      if (n < 40 && n % 2 === 1) assert.ok(await isAccepted(app, granted(answer).access_token))
      else if (answer.statusCode === 200) assert.ok(!(await isAccepted(app, granted(answer).access_token)))
      else refused(answer, 401, 'invalid_client')
    }
  })

  const skip = engine === 'postgres' ? false : 'SQLite has one writer'

  test('token request that waits for the deletion of its account: refused (401 invalid_client)', {
    skip,
    timeout: 300_000,
  }, async () => {
    const { db } = app.parts.services
    const account = await addAccount()
    let asking: ReturnType<typeof requestToken> | undefined
    await db.transaction().execute(async (tx) => {
      // PostgreSQL ends the token, whose foreign keys lock the account before the secret.
      await sql`set local deadlock_timeout = '20s'`.execute(tx)
      await deleteCredentials(tx, account.id)
      asking = requestToken(account)
      while (!(await isLockAwaited(db))) await sleep(10)
      await deleteAccount(tx, account.id)
    })
    refused(await asking!, 401, 'invalid_client')
  })

  test('valid and invalid credentials in the same turn: each is judged separately', async () => {
    const [account, doomed] = [await addAccount(), await addAccount()]
    const tokenOf = async (one: typeof account) => granted(await requestToken(one)).access_token
    const [live, revoked, orphan] = [await tokenOf(account), await tokenOf(account), await tokenOf(doomed)]
    const [key, ended] = [await app.keyWith(['org.read']), await app.keyWith(['org.read'])]
    const { db } = app.parts.services
    assert.equal((await sendForm(app, 'revoke', { token: revoked }, account.credentials)).statusCode, 200)
    await app.call('DELETE', `${ofOrg.path(app)}/${doomed.id}`)
    const digest = app.parts.services.keyring.digest(ended)
    await db.updateTable('credentials').set({ expires_at: 1 }).where('digest', '=', digest).execute()
    const shown: [string, number][] = [
      [live, 200],
      [revoked, 401],
      [key, 200],
      [orphan, 401],
      [app.adminKey, 200],
      [ended, 401],
      [`${live}x`, 401],
      [randomUUID(), 401],
    ]
    for (const size of [8, 40, 200]) {
      const mixed = Array.from({ length: size }, (_, n) => shown[(n * 3) % shown.length]!)
      const answers = await Promise.all(mixed.map(([secret]) => app.call('GET', '/rest/self', { key: secret })))
      assert.deepEqual(
        answers.map(({ statusCode }) => statusCode),
        mixed.map(([, status]) => status),
      )
    }
  })

  test('revoked token: refused in every request sent after the revocation was answered', async () => {
    const account = await addAccount()
    for (let round = 0; round < 10; round++) {
      const { access_token: token } = granted(await requestToken(account))
      const show = () => Array.from({ length: 20 }, () => app.call('GET', '/rest/self', { key: token }))
      const [before, revoking] = [show(), sendForm(app, 'revoke', { token }, account.credentials)]
      assert.equal((await revoking).statusCode, 200)
      for (const { statusCode } of await Promise.all(show())) assert.equal(statusCode, 401)
      for (const { statusCode } of await Promise.all(before)) assert.ok(statusCode === 200 || statusCode === 401)
    }
  })
})
