import assert from 'node:assert/strict'
import { UnsecuredJWT } from 'jose'
import { ASSERTION_TYPE, addSigningAccount, assertion, newKey, type SigningAccount } from '#test/access/client-keys.ts'
import { granted, refused, sendForm } from '#test/access/oauth.ts'
import { holdRules, type Level, type Rule, type RuleContext } from '#test/access/rules.ts'

type Try = (context: RuleContext, account: SigningAccount) => Promise<void>

/** Returns a rule that is tested with a service account that signs. */
function signing(section: string, level: Level, says: string, holds: Try): Rule {
  return [
    section,
    level,
    says,
    async (context) => {
      await using account = await addSigningAccount(context.app, await newKey())
      await holds(context, account)
    },
  ]
}

const send = ({ app }: RuleContext, client_assertion: string, more: Record<string, string> = {}) =>
  sendForm(app, 'token', {
    grant_type: 'client_credentials',
    client_assertion_type: ASSERTION_TYPE,
    client_assertion,
    ...more,
  })

type Changes = { claims?: object; header?: object; audience?: string }

const sign = ({ baseUrl }: RuleContext, account: SigningAccount, changes: Changes = {}) =>
  assertion(account, { audience: `${baseUrl}/oauth2/token`, ...changes })

async function refuses(context: RuleContext, account: SigningAccount, changes: Changes): Promise<void> {
  refused(await send(context, await sign(context, account, changes)), 401, 'invalid_client')
}

const seconds = () => Math.floor(Date.now() / 1000)

holdRules(
  'RFC 7523',
  [
    signing('§2.2', 'MUST', 'the type of the assertion is the registered one', async (context, account) => {
      const text = await sign(context, account)
      refused(await send(context, text, { client_assertion_type: 'private_key_jwt' }), 400, 'invalid_request')
      granted(await send(context, text))
    }),
    signing('§2.2', 'MUST', 'there is exactly one assertion', async (context, account) => {
      const text = await sign(context, account)
      const form = { grant_type: 'client_credentials', client_assertion_type: ASSERTION_TYPE, client_assertion: text }
      const twice: [string, string][] = [...Object.entries(form), ['client_assertion', text]]
      refused(await sendForm(context.app, 'token', twice), 400, 'invalid_request')
    }),
    signing('§2.2', 'MUST', 'a client id beside the assertion names the same client', async (context, account) => {
      granted(await send(context, await sign(context, account), { client_id: account.clientId }))
      const other = { client_id: context.client.clientId }
      refused(await send(context, await sign(context, account), other), 401, 'invalid_client')
    }),
    signing('§3', 'MUST', 'the assertion has an issuer, which is the client', async (context, account) => {
      await refuses(context, account, { claims: { iss: undefined } })
      await refuses(context, account, { claims: { iss: 'another' } })
    }),
    signing('§3', 'MUST', 'the assertion has a subject, which is the client', async (context, account) => {
      await refuses(context, account, { claims: { sub: undefined } })
      await refuses(context, account, { claims: { sub: context.client.clientId } })
    }),
    signing('§3', 'MUST', 'the assertion names this server as its audience', async (context, account) => {
      await refuses(context, account, { claims: { aud: undefined } })
      await refuses(context, account, { audience: 'https://other.example/oauth2/token' })
      granted(await send(context, await sign(context, account, { audience: context.baseUrl })))
    }),
    signing('§3', 'MUST', 'the assertion has an expiry, which has not passed', async (context, account) => {
      await refuses(context, account, { claims: { exp: undefined } })
      await refuses(context, account, { claims: { exp: seconds() - 60 } })
    }),
    signing('§3', 'MAY', 'an assertion with an unreasonably late expiry is refused', async (context, account) =>
      refuses(context, account, { claims: { exp: seconds() + 90_000 } }),
    ),
    signing('§3', 'MUST NOT', 'an assertion is accepted before its nbf', async (context, account) =>
      refuses(context, account, { claims: { nbf: seconds() + 60 } }),
    ),
    signing('§3', 'MAY', 'a used assertion is refused', async (context, account) => {
      const text = await sign(context, account)
      granted(await send(context, text))
      refused(await send(context, text), 401, 'invalid_client')
    }),
    signing('§3', 'MUST', 'the assertion is signed by the client', async (context, account) => {
      const { clientId } = account
      const claims = { iss: clientId, sub: clientId, aud: context.baseUrl, jti: 'x', exp: seconds() + 60 }
      refused(await send(context, new UnsecuredJWT(claims).encode()), 401, 'invalid_client')
    }),
    signing('§3', 'MUST', 'an assertion with a wrong signature is refused', async (context, account) => {
      const text = await sign(context, account)
      refused(await send(context, `${text.slice(0, -4)}AAAA`), 401, 'invalid_client')
      const forged = { ...account, key: await newKey('RS256', account.key.kid) }
      refused(await send(context, await sign(context, forged)), 401, 'invalid_client')
    }),
    signing('§3.2', 'MUST', 'an invalid assertion gets invalid_client', async (context, account) => {
      const answer = await send(context, await sign(context, account, { claims: { exp: seconds() - 60 } }))
      refused(answer, 401, 'invalid_client')
      assert.match(answer.json().error_description, /expired/)
    }),
    signing('§5', 'MUST', 'RS256 is supported', async (context, account) => {
      assert.equal(account.key.alg, 'RS256')
      granted(await send(context, await sign(context, account)))
    }),
  ],
  { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' },
)
