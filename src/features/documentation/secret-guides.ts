import { type Html, html, sample } from '#foundation/pages/html.ts'
import { accessTokenPattern, apiKeyPattern } from '#foundation/secrets/find-secrets.ts'
import { secretPattern } from '#foundation/secrets/typed-secret.ts'
import type { Guide } from './guides.ts'

/** What scanners look for, by kind of credential. */
export const detectionPatterns: readonly (readonly [kind: string, pattern: string])[] = [
  ['client secret', secretPattern('client_secret')],
  ['refresh token', secretPattern('refresh_token')],
  ['authorization code', secretPattern('authorization_code')],
  ['access token', accessTokenPattern()],
  ['API key, by the words before it', apiKeyPattern],
]

export const secretGuides: readonly Guide[] = [
  {
    slug: 'secrets',
    title: 'Secrets',
    summary: 'Change client secrets without an interruption, and bind them in time and place.',
    content: ({ baseUrl }) => html`
      <p>Service accounts, apps and unattended installs prove themselves with client secrets. Each has two that work at
      most, and at least one. A secret is shown once, in the answer that made it; the server keeps only a digest.</p>
      <h2>Change one without an interruption</h2>
      <p>Replace it with a time of grace, up to a week. The old secret works on for that long, then ends by itself, with
      every token it obtained. What an app obtained for people stands on their session instead, and stays.</p>
      ${sample(
        'A new secret; the old one works for another day',
        `curl -X POST "${baseUrl}/rest/orgs/$ORG/service_accounts/$ID/secrets?version=2024-10-15" \\
  -H "Authorization: token $KEY" \\
  -H "Content-Type: application/vnd.api+json" \\
  -d '{"data":{"type":"service_account","attributes":{"mode":"replace","grace_seconds":86400}}}'`,
      )}
      <p>Then see whether a program still has the old one:</p>
      ${sample(
        'What is kept of the secrets',
        `curl "${baseUrl}/rest/orgs/$ORG/service_accounts/$ID/secrets?version=2024-10-15" \\
  -H "Authorization: token $KEY"`,
      )}
      <table>
        <thead><tr><th scope="col">Attribute</th><th scope="col">Says</th></tr></thead>
        <tbody>
          <tr><td><code>hint</code></td><td>four characters, to tell secrets apart: the last before <code>_v1</code></td></tr>
          <tr><td><code>state</code></td><td><code>active</code>, <code>retiring</code> (replaced, works until
          <code>retires_at</code>), <code>ended</code> (shown for a week)</td></tr>
          <tr><td><code>last_used_at</code></td><td>when it was last used, itself or a token it obtained; up to 15 seconds
          late</td></tr>
          <tr><td><code>used_since_replaced</code></td><td>true while a program has not moved to the new one</td></tr>
          <tr><td><code>expires_at</code>, <code>allowed_networks</code></td><td>its limits, if it has any</td></tr>
        </tbody>
      </table>
      <p>Apps and installs have the same operations below their own paths. <code>DELETE …/secrets/{secret_id}</code> ends
      a secret that you no longer have.</p>
      <h2>What may happen in which order</h2>
      <ul>
        <li>Two secrets work at most, the retiring one among them. While one retires, <code>create</code> and another
        <code>replace</code> with a time of grace are refused; wait, or delete the retiring one.</li>
        <li><code>replace</code> without a time of grace ends everything at once, also what retires.</li>
        <li>A secret that retires can be deleted at any time. The last one that does not retire stays.</li>
        <li>To change secrets by a timer, take a time of grace that is shorter than the time between two changes.</li>
      </ul>
      <h2>Limits in time and place</h2>
      <p>Requests that make a key or a secret take <code>expires_at</code> and <code>allowed_networks</code> (CIDR): the
      creation of an API key, service account, app or install, and <code>create</code> and <code>replace</code>. They hold
      on every use: at the API, at the token endpoint, at introspection and revocation, and for the tokens that the secret
      obtained. A token never lives longer than its secret.</p>`,
  },
  {
    slug: 'leaked-credentials',
    title: 'Leaked credentials',
    summary: 'Tell what was found, and end it at once.',
    content: ({ baseUrl }) => html`
      <h2>End it at once</h2>
      <p>Whoever finds a credential of this server can end it, without having one. Every value in the report that is a
      credential of this server is refused from the answer on; its owner reads of it in the audit log
      (<code>exposed_credential.revoke</code>), with what the report says about where it was found. The answer is the same
      whether a value was a credential or not.</p>
      ${sample(
        'Report what was found',
        `curl -X POST "${baseUrl}/rest/exposed_credentials?version=2024-10-15" \\
  -H "Content-Type: application/vnd.api+json" \\
  -d '{"data":{"type":"exposure_report","attributes":{"credentials":["…"],"found_at":"https://git.example/a/b","reporter":"security@example.org"}}}'`,
      )}
      <table>
        <thead><tr><th scope="col">Value</th><th scope="col">Ends</th><th scope="col">What its owner does then</th></tr></thead>
        <tbody>
          <tr><td>API key</td><td>the key</td><td>a person makes another one; for a service account, make another
          account</td></tr>
          <tr><td>client secret</td><td>the secret and the tokens it obtained, also if it is the last one; what an app
          obtained for people stays</td>
          <td><code>create</code> or <code>replace</code> makes a new one</td></tr>
          <tr><td>refresh token, authorization code</td><td>the session with all of its tokens</td><td>the person lets
          the app in again</td></tr>
          <tr><td>access token</td><td>the token</td><td>the program gets another one</td></tr>
        </tbody>
      </table>
      <p>A report holds up to 100 values; one address may send 20 reports a minute.</p>
      <h2>What is it?</h2>
      <p>Everything but API keys carries its kind and a checksum, so this can be told without asking any server:</p>
      ${sample('Tell what was found', 'gatehouse credentials check < found.txt')}
      <p>It never prints what it found, and exits with 0 when something is a credential of Gatehouse, with 1 when nothing
      is, with 3 when something could be: an API key, which is a UUID like any other, or an access token, of which only
      its signature tells. <code>--keys</code> takes a file with the public keys of this server (<a
      href="/oauth2/jwks">/oauth2/jwks</a>) to verify it. <code>--stored</code> asks the database of the server too, for
      keys and for whether it still works; <code>--json</code> is for programs.</p>
      <h2>Patterns for scanners</h2>
      <p>Regular expressions without lookaround, as all scanners read them. What they find is confirmed by the checksum:
      hand it to the command above.</p>
      <table>
        <thead><tr><th scope="col">Credential</th><th scope="col">Pattern</th></tr></thead>
        <tbody>${detectionPatterns.map(toRow)}</tbody>
      </table>`,
  },
]

function toRow([kind, pattern]: readonly [string, string]): Html {
  return html`<tr><td>${kind}</td><td><code>${pattern}</code></td></tr>`
}
