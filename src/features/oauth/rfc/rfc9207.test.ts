import assert from 'node:assert/strict'
import { authorizationPath, authorize } from '#test/access/oauth.ts'
import { holdRules } from '#test/access/rules.ts'

holdRules('RFC 9207', [
  [
    '§2',
    'MUST',
    'answers with a code name the issuer',
    async ({ app, client, baseUrl }) => assert.equal((await authorize(app, client)).searchParams.get('iss'), baseUrl),
  ],
  [
    '§2',
    'MUST',
    'answers with an error name the issuer',
    async ({ app, client, baseUrl }) => {
      for (const change of [{ prompt: 'none' }, { scope: 'org.edit' }, { response_type: '' }] as Record<
        string,
        string
      >[]) {
        const request = {
          response_type: 'code',
          client_id: client.clientId,
          redirect_uri: client.redirectUri,
          ...change,
        }
        const answer = await app.server.inject({ url: authorizationPath(request) })
        const { searchParams } = new URL(String(answer.headers.location))
        assert.ok(searchParams.get('error'))
        assert.equal(searchParams.get('iss'), baseUrl)
      }
    },
  ],
  [
    '§3',
    'MUST',
    'the metadata announces the parameter and names the same issuer',
    async ({ app, baseUrl }) => {
      const metadata = (await app.server.inject({ url: '/.well-known/oauth-authorization-server' })).json()
      assert.equal(metadata.authorization_response_iss_parameter_supported, true)
      assert.equal(metadata.issuer, baseUrl)
    },
  ],
])
