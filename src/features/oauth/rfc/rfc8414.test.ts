import assert from 'node:assert/strict'
import { holdRules, type RuleContext } from '#test/access/rules.ts'

const PATH = '/.well-known/oauth-authorization-server'

const read = async ({ app }: RuleContext) => (await app.server.inject({ url: PATH })).json() as Record<string, unknown>

holdRules('RFC 8414', [
  [
    '§2',
    'MUST',
    'the issuer has no query and no fragment',
    async (context) => assert.match(String((await read(context))['issuer']), /^https?:\/\/[^?#]+$/),
  ],
  [
    '§2',
    'MUST',
    'the required members are present',
    async (context) => {
      const metadata = await read(context)
      for (const name of ['issuer', 'authorization_endpoint', 'token_endpoint', 'response_types_supported']) {
        assert.ok(metadata[name], name)
      }
    },
  ],
  [
    '§2',
    'MUST',
    'clients’ signing algorithms are named, without none',
    async (context) => {
      const metadata = await read(context)
      for (const endpoint of ['token', 'revocation', 'introspection']) {
        const methods = metadata[`${endpoint}_endpoint_auth_methods_supported`] as string[]
        assert.ok(methods.includes('private_key_jwt'))
        const algorithms = metadata[`${endpoint}_endpoint_auth_signing_alg_values_supported`] as string[]
        assert.ok(algorithms.includes('RS256') && !algorithms.includes('none'))
      }
    },
  ],
  [
    '§3',
    'MUST',
    'metadata is served as JSON at the well-known path, for GET, with status 200',
    async ({ app }) => {
      const answer = await app.server.inject({ url: PATH })
      assert.equal(answer.statusCode, 200)
      assert.match(String(answer.headers['content-type']), /^application\/json/)
    },
  ],
  [
    '§3.2',
    'MUST',
    'lists without an entry are left out',
    async (context) => {
      for (const value of Object.values(await read(context))) if (Array.isArray(value)) assert.ok(value.length > 0)
    },
  ],
  [
    '§3.3',
    'MUST',
    'the issuer is the base URL of the metadata and of the tokens',
    async (context) => assert.equal((await read(context))['issuer'], context.baseUrl),
  ],
])
