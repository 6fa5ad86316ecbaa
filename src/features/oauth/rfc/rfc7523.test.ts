import assert from 'node:assert/strict'
import { UnsecuredJWT } from 'jose'
import { ASSERTION_TYPE, addSigningAccount, assertion, newKey, type SigningAccount } from '#test/access/client-keys.ts'
import { granted, refused, sendForm } from '#test/access/oauth.ts'
import { holdRules, type Level, type Rule, type RuleContext } from '#test/access/rules.ts'

type Try = (context: RuleContext, account: SigningAccount) => Promise<void>

/** A rule that is tried with a service account that signs. */
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
    signing('§2.2', 'MUST', 'the type of the assertion is the one that is registered', async (context, account) => {
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
    signing('§2.2', 'MUST', 'a client id beside it names the same client', async (context, account) => {
      granted(await send(context, await sign(context, account), { client_id: account.clientId }))
      const other = { client_id: context.client.clientId }
      refused(await send(context, await sign(context, account), other), 401, 'invalid_client')
    }),
    signing('§3', 'MUST', 'it has an issuer, which is the client', async (context, account) => {
      await refuses(context, account, { claims: { iss: undefined } })
      await refuses(context, account, { claims: { iss: 'another' } })
    }),
    signing('§3', 'MUST', 'it has a subject, which is the client', async (context, account) => {
      await refuses(context, account, { claims: { sub: undefined } })
      await refuses(context, account, { claims: { sub: context.client.clientId } })
    }),
    signing('§3', 'MUST', 'it names this server as its audience', async (context, account) => {
      await refuses(context, account, { claims: { aud: undefined } })
      await refuses(context, account, { audience: 'https://other.example/oauth2/token' })
      granted(await send(context, await sign(context, account, { audience: context.baseUrl })))
    }),
    signing('§3', 'MUST', 'it has an end, which has not come', async (context, account) => {
      await refuses(context, account, { claims: { exp: undefined } })
      await refuses(context, account, { claims: { exp: seconds() - 60 } })
    }),
    signing('§3', 'MAY', 'one whose end is unreasonably far away is refused', async (context, account) =>
      refuses(context, account, { claims: { exp: seconds() + 90_000 } }),
    ),
    signing('§3', 'MUST NOT', 'one is accepted before it begins', async (context, account) =>
      refuses(context, account, { claims: { nbf: seconds() + 60 } }),
    ),
    signing('§3', 'MAY', 'one that was used is refused', async (context, account) => {
      const text = await sign(context, account)
      granted(await send(context, text))
      refused(await send(context, text), 401, 'invalid_client')
    }),
    signing('§3', 'MUST', 'it is signed by the client', async (context, account) => {
      const { clientId } = account
      const claims = { iss: clientId, sub: clientId, aud: context.baseUrl, jti: 'x', exp: seconds() + 60 }
      refused(await send(context, new UnsecuredJWT(claims).encode()), 401, 'invalid_client')
    }),
    signing('§3', 'MUST', 'one with a signature that does not fit is refused', async (context, account) => {
      const text = await sign(context, account)
      refused(await send(context, `${text.slice(0, -4)}AAAA`), 401, 'invalid_client')
      const forged = { ...account, key: await newKey('RS256', account.key.kid) }
      refused(await send(context, await sign(context, forged)), 401, 'invalid_client')
    }),
    signing('§3.2', 'MUST', 'what is wrong with it is answered as invalid_client', async (context, account) => {
      const answer = await send(context, await sign(context, account, { claims: { exp: seconds() - 60 } }))
      refused(answer, 401, 'invalid_client')
      assert.match(answer.json().error_description, /expired/)
    }),
    signing('§5', 'MUST', 'RS256 is understood', async (context, account) => {
      assert.equal(account.key.alg, 'RS256')
      granted(await send(context, await sign(context, account)))
    }),
  ],
  { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' },
)
