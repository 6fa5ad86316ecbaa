import { describeScope, scopeNames } from '#foundation/access/scopes.ts'
import { html, sample } from '#foundation/pages/html.ts'
import type { Guide } from './guides.ts'

export const oauthGuide: Guide = {
  slug: 'oauth',
  title: 'Apps and access tokens',
  summary: 'Let users authorize an app, or let a program get tokens for itself.',
  content: ({ baseUrl }) => html`
    <p>Programs get access tokens from the OAuth 2.0 authorization server of this very server. Clients that discover find
    it at <code>${baseUrl}</code>; its description (RFC 8414) is at
    <code>/.well-known/oauth-authorization-server</code>.</p>
    <h2>An app that acts for users</h2>
    <p>Register the app once in an organisation. The client secret is shown in the answer, and never again.</p>
    ${sample(
      'Register an app',
      `curl -X POST "${baseUrl}/rest/orgs/$ORG/apps/creations?version=2024-10-15" \\
  -H "Authorization: token $KEY" \\
  -H "Content-Type: application/vnd.api+json" \\
  -d '{"data":{"type":"app","attributes":{"name":"My app",
       "redirect_uris":["https://app.example/callback"],"scopes":["org.read","org.project.read"]}}}'`,
    )}
    <p>Send the browser of a user to the server. The user signs in, sees what the app wants and chooses the organisations
    that it may enter. PKCE is required from public apps and advisable for all.</p>
    ${sample(
      'The address for the browser, in one line',
      `${baseUrl}/oauth2/authorize?response_type=code&client_id=$CLIENT_ID
  &redirect_uri=https://app.example/callback&state=$STATE
  &code_challenge=$CHALLENGE&code_challenge_method=S256`,
    )}
    <p>The browser comes back with <code>code</code>, your <code>state</code> and <code>iss</code>. Check the last two,
    then change the code for tokens within a minute.</p>
    ${sample(
      'Tokens for a code',
      `curl "${baseUrl}/oauth2/token" -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=authorization_code -d code="$CODE" \\
  -d redirect_uri=https://app.example/callback -d code_verifier="$VERIFIER"`,
    )}
    <p>The access token lives for an hour unless the app says otherwise, the refresh token for 180 days. A refresh token
    works once and brings the next one: keep it before you use the access token. Refresh in one place only; a refresh
    token that comes a second time was copied, and ends the session.</p>
    ${sample(
      'The next tokens',
      `curl "${baseUrl}/oauth2/token" -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=refresh_token -d refresh_token="$REFRESH_TOKEN"`,
    )}
    <h2>A program that acts for itself</h2>
    <p>Service accounts with <code>auth_type</code> <code>oauth_client_secret</code>, and installs of unattended apps, get
    tokens with their own id and secret. There is no refresh token; ask again.</p>
    ${sample(
      'A token for client credentials',
      `curl "${baseUrl}/oauth2/token" -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials`,
    )}
    <p>A service account with <code>auth_type</code> <code>oauth_private_key_jwt</code> has no secret. It signs a JWT
    (RS256, ES256 or EdDSA; <code>iss</code> and <code>sub</code> its client id, <code>aud</code>
    <code>${baseUrl}/oauth2/token</code>, a new <code>jti</code> each time, <code>exp</code> soon) with a key that it
    publishes at its <code>jwks_url</code>.</p>
    ${sample(
      'A token for a signed assertion',
      `curl "${baseUrl}/oauth2/token" -d grant_type=client_credentials \\
  -d client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer \\
  -d client_assertion="$JWT"`,
    )}
    <h2>What a token may do</h2>
    <p>What its scopes allow, where the app is installed, and never more than the user who let it in may do at that
    moment. <code>scope</code> narrows a token further. An access token is refused everywhere from the moment on at which
    it, its session, its install, its app or the secret that obtained it is ended.</p>
    <table>
      <caption>Scopes</caption>
      <thead><tr><th scope="col">Scope</th><th scope="col">Allows</th></tr></thead>
      <tbody>${scopeNames.map((scope) => html`<tr><td><code>${scope}</code></td><td>${describeScope(scope)}</td></tr>`)}</tbody>
    </table>
    <h2>Asking about tokens, and ending them</h2>
    ${sample(
      'What is it worth?',
      `curl "${baseUrl}/oauth2/introspect" -u "$CLIENT_ID:$CLIENT_SECRET" -d token="$TOKEN"`,
    )}
    ${sample('End it', `curl "${baseUrl}/oauth2/revoke" -u "$CLIENT_ID:$CLIENT_SECRET" -d token="$TOKEN"`)}
    <p>Refusals have <code>error</code> as RFC 6749 names it, a description, and the address of a page that explains it:
    <a href="/docs/errors/invalid-client">invalid_client</a>, <a href="/docs/errors/invalid-grant">invalid_grant</a>,
    <a href="/docs/errors/invalid-scope">invalid_scope</a>,
    <a href="/docs/errors/unauthorized-client">unauthorized_client</a>,
    <a href="/docs/errors/unsupported-grant-type">unsupported_grant_type</a>.</p>`,
}
