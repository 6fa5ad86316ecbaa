import assert from 'node:assert/strict'
import { UnsecuredJWT } from 'jose'
import { ASSERTION_TYPE, addSigningAccount, assertion, newKey, type SigningAccount } from '#test/client-keys.ts'
import { granted, refused, sendForm } from '#test/oauth.ts'
import { holdRules, type Level, type Rule, type Stage } from '#test/rules.ts'

type Try = (stage: Stage, account: SigningAccount) => Promise<void>

/** A rule that is tried with a service account that signs. */
function signing(section: string, level: Level, says: string, holds: Try): Rule {
  return [
    section,
    level,
    says,
    async (stage) => {
      await using account = await addSigningAccount(stage.app, await newKey())
      await holds(stage, account)
    },
  ]
}

const send = ({ app }: Stage, client_assertion: string, more: Record<string, string> = {}) =>
  sendForm(app, 'token', {
    grant_type: 'client_credentials',
    client_assertion_type: ASSERTION_TYPE,
    client_assertion,
    ...more,
  })

type Changes = { claims?: object; header?: object; audience?: string }

const sign = ({ baseUrl }: Stage, account: SigningAccount, changes: Changes = {}) =>
  assertion(account, { audience: `${baseUrl}/oauth2/token`, ...changes })

async function refuses(stage: Stage, account: SigningAccount, changes: Changes): Promise<void> {
  refused(await send(stage, await sign(stage, account, changes)), 401, 'invalid_client')
}

const seconds = () => Math.floor(Date.now() / 1000)

holdRules(
  'RFC 7523',
  [
    signing('§2.2', 'MUST', 'the type of the assertion is the one that is registered', async (stage, account) => {
      const text = await sign(stage, account)
      refused(await send(stage, text, { client_assertion_type: 'private_key_jwt' }), 400, 'invalid_request')
      granted(await send(stage, text))
    }),
    signing('§2.2', 'MUST', 'there is exactly one assertion', async (stage, account) => {
      const text = await sign(stage, account)
      const form = { grant_type: 'client_credentials', client_assertion_type: ASSERTION_TYPE, client_assertion: text }
      const twice: [string, string][] = [...Object.entries(form), ['client_assertion', text]]
      refused(await sendForm(stage.app, 'token', twice), 400, 'invalid_request')
    }),
    signing('§2.2', 'MUST', 'a client id beside it names the same client', async (stage, account) => {
      granted(await send(stage, await sign(stage, account), { client_id: account.clientId }))
      const other = { client_id: stage.client.clientId }
      refused(await send(stage, await sign(stage, account), other), 401, 'invalid_client')
    }),
    signing('§3', 'MUST', 'it has an issuer, which is the client', async (stage, account) => {
      await refuses(stage, account, { claims: { iss: undefined } })
      await refuses(stage, account, { claims: { iss: 'another' } })
    }),
    signing('§3', 'MUST', 'it has a subject, which is the client', async (stage, account) => {
      await refuses(stage, account, { claims: { sub: undefined } })
      await refuses(stage, account, { claims: { sub: stage.client.clientId } })
    }),
    signing('§3', 'MUST', 'it names this server as its audience', async (stage, account) => {
      await refuses(stage, account, { claims: { aud: undefined } })
      await refuses(stage, account, { audience: 'https://other.example/oauth2/token' })
      granted(await send(stage, await sign(stage, account, { audience: stage.baseUrl })))
    }),
    signing('§3', 'MUST', 'it has an end, which has not come', async (stage, account) => {
      await refuses(stage, account, { claims: { exp: undefined } })
      await refuses(stage, account, { claims: { exp: seconds() - 60 } })
    }),
    signing('§3', 'MAY', 'one whose end is unreasonably far away is refused', async (stage, account) =>
      refuses(stage, account, { claims: { exp: seconds() + 90_000 } }),
    ),
    signing('§3', 'MUST NOT', 'one is accepted before it begins', async (stage, account) =>
      refuses(stage, account, { claims: { nbf: seconds() + 60 } }),
    ),
    signing('§3', 'MAY', 'one that was used is refused', async (stage, account) => {
      const text = await sign(stage, account)
      granted(await send(stage, text))
      refused(await send(stage, text), 401, 'invalid_client')
    }),
    signing('§3', 'MUST', 'it is signed by the client', async (stage, account) => {
      const { clientId } = account
      const claims = { iss: clientId, sub: clientId, aud: stage.baseUrl, jti: 'x', exp: seconds() + 60 }
      refused(await send(stage, new UnsecuredJWT(claims).encode()), 401, 'invalid_client')
    }),
    signing('§3', 'MUST', 'one with a signature that does not fit is refused', async (stage, account) => {
      const text = await sign(stage, account)
      refused(await send(stage, `${text.slice(0, -4)}AAAA`), 401, 'invalid_client')
      const forged = { ...account, key: await newKey('RS256', account.key.kid) }
      refused(await send(stage, await sign(stage, forged)), 401, 'invalid_client')
    }),
    signing('§3.2', 'MUST', 'what is wrong with it is answered as invalid_client', async (stage, account) => {
      const answer = await send(stage, await sign(stage, account, { claims: { exp: seconds() - 60 } }))
      refused(answer, 401, 'invalid_client')
      assert.match(answer.json().error_description, /expired/)
    }),
    signing('§5', 'MUST', 'RS256 is understood', async (stage, account) => {
      assert.equal(account.key.alg, 'RS256')
      granted(await send(stage, await sign(stage, account)))
    }),
  ],
  { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' },
)
