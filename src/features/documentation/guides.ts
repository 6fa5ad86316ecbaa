import { IDEMPOTENCY_HOURS } from '#foundation/http/change.ts'
import { type Html, html, sample } from '#foundation/pages/html.ts'
import { oauthGuide } from './oauth-guide.ts'
import { resultGuide } from './result-guide.ts'
import { secretGuides } from './secret-guides.ts'
import { webhookGuide } from './webhook-guide.ts'

/** What the texts say about this very server. */
export interface ServerFacts {
  readonly baseUrl: string
  /** 0 when there is no limit. */
  readonly rateLimitPerMinute: number
  /** 0 when there is no limit. */
  readonly failedSecretsPerMinute: number
  readonly bodyLimitBytes: number
}

export interface Guide {
  readonly slug: string
  readonly title: string
  readonly summary: string
  content(server: ServerFacts): Html
}

export const guides: readonly Guide[] = [
  {
    slug: 'authentication',
    title: 'Authentication',
    summary: 'Send an API key or an access token in the Authorization header.',
    content: ({ baseUrl }) => html`
      <p>Every request carries one credential in the <code>Authorization</code> header. Three forms are taken, on both
      interfaces, with the scheme in any case:</p>
      <table>
        <thead><tr><th scope="col">Header</th><th scope="col">Credential</th></tr></thead>
        <tbody>
          <tr><td><code>Authorization: token KEY</code></td><td>API key of a user or a service account</td></tr>
          <tr><td><code>Authorization: Bearer TOKEN</code></td><td>OAuth access token, or an API key</td></tr>
          <tr><td><code>Authorization: KEY</code></td><td>the bare key, for older clients</td></tr>
        </tbody>
      </table>
      ${sample(
        'Who am I?',
        `curl "${baseUrl}/rest/self?version=2024-10-15" \\
  -H "Authorization: token $KEY"`,
      )}
      <h2>Which credential to take</h2>
      <p>Programs take a service account: it belongs to an organisation or a group, outlives the people who set it up,
      holds exactly one role, and dies at once when it is deleted. A key is shown once, when it is made; the server keeps
      only a digest.</p>
      <h2>What a credential may do</h2>
      <p>A role is a set of permissions such as <code>org.app.read</code>. Each operation names the permissions it needs.
      What the credential has nothing to do with answers <a href="/docs/errors/not-found">404</a>, as if it did not
      exist; what it may see but not do answers <a href="/docs/errors/forbidden">403</a> and names the missing
      permission. A missing, unknown or expired credential answers <a href="/docs/errors/unauthenticated">401</a>.</p>`,
  },
  oauthGuide,
  resultGuide,
  ...secretGuides,
  webhookGuide,
  {
    slug: 'versions',
    title: 'Versions',
    summary: 'REST operations take the date your client was written for.',
    content: ({ baseUrl }) => html`
      <p>Operations under <code>/rest</code> need the parameter <code>version</code>: the date of the interface that the
      client was written for. Send one date everywhere and change it when you change the client. Operations under
      <code>/v1</code> take none.</p>
      ${sample(
        'A list at a version',
        `curl "${baseUrl}/rest/orgs?version=2024-10-15" \\
  -H "Authorization: token $KEY"`,
      )}
      <h2>What answers</h2>
      <p>Each operation was released on certain days, each time with a stability. The newest release that is not later
      than the date answers. Before 2024-10-15 a suffix lowers what is accepted: <code>2023-06-20~beta</code> takes
      releases of at least beta, <code>~experimental</code> also experimental ones; without a suffix only stable ones
      answer. From 2024-10-15 on a suffix changes nothing: the newest stable release answers, else the newest beta.</p>
      <table>
        <thead><tr><th scope="col">Header of the answer</th><th scope="col">Says</th></tr></thead>
        <tbody>
          <tr><td><code>snyk-version-requested</code></td><td>the parameter as it was sent</td></tr>
          <tr><td><code>snyk-version-served</code></td><td>the release that answered</td></tr>
          <tr><td><code>snyk-version-lifecycle-stage</code></td><td>its stability, or <code>deprecated</code></td></tr>
          <tr><td><code>deprecation</code>, <code>sunset</code></td><td>since when deprecated, until when served at least</td></tr>
        </tbody>
      </table>
      <p>Refusals: <a href="/docs/errors/version-missing">missing</a>,
      <a href="/docs/errors/version-invalid">unreadable</a>, <a href="/docs/errors/version-in-future">later than today</a>,
      <a href="/docs/errors/version-not-found">before the first release</a>.</p>
      <h2>The description of a version</h2>
      <p><a href="/rest/openapi">/rest/openapi</a> lists all releases, and <code>/rest/openapi/{version}</code> describes
      the operations that a version serves, as OpenAPI 3.1. Neither needs a credential.</p>
      ${sample('What my client can call', `curl "${baseUrl}/rest/openapi/2024-10-15"`)}`,
  },
  {
    slug: 'pages',
    title: 'Pages',
    summary: 'Lists come in pages; follow the links.',
    content: ({ baseUrl }) => html`
      <p>REST lists come in pages of <code>limit</code> items: 10 to 100, 10 when nothing is said. Follow
      <code>links.next</code> until an answer has none, or <code>links.prev</code> to go back.</p>
      ${sample(
        'The links of a page',
        `{
  "links": {
    "self":  "/orgs/…/service_accounts?version=2024-10-15&limit=10",
    "first": "/orgs/…/service_accounts?version=2024-10-15&limit=10&starting_after=v1.…",
    "last":  "/orgs/…/service_accounts?version=2024-10-15&limit=10&ending_before=v1.…",
    "next":  "/orgs/…/service_accounts?version=2024-10-15&limit=10&starting_after=v1.…"
  }
}`,
      )}
      <p>Links are paths that repeat every parameter of the request. Put <code>${baseUrl}/rest</code> in front; a client
      that puts only the host in front is understood too.</p>
      <h2>Cursors</h2>
      <p>The values of <code>starting_after</code> and <code>ending_before</code> are opaque and belong to one list with
      its filters. A page begins right after (or ends right before) the item it names, also when that item is gone by
      then, so nothing is skipped or repeated while others add and remove items. Sending both, or a cursor of another
      list, is <a href="/docs/errors/cursor-invalid">refused</a>.</p>`,
  },
  {
    slug: 'idempotency',
    title: 'Idempotency',
    summary: 'An Idempotency-Key makes a POST safe to send again.',
    content: ({ baseUrl }) => html`
      <p>A client that loses the connection cannot know whether its POST was carried out. Send an
      <code>Idempotency-Key</code> of your own, for example a UUID, and send the same request again until an answer
      arrives: the change is made once.</p>
      ${sample(
        'Create once, however often it is sent',
        `curl -X POST "${baseUrl}/rest/orgs/$ORG/service_accounts?version=2024-10-15" \\
  -H "Authorization: token $KEY" \\
  -H "Content-Type: application/vnd.api+json" \\
  -H "Idempotency-Key: 5f0c6d3e-2b1a-4c7e-9a55-0d8f3c2b7a10" \\
  -d '{"data":{"type":"service_account","attributes":{"name":"ci","auth_type":"api_key","role_id":"…"}}}'`,
      )}
      <ul>
        <li>For ${IDEMPOTENCY_HOURS} hours the same key with the same request answers the same, secrets included, with the
        header <code>idempotency-replayed: true</code>. The stored answer is encrypted.</li>
        <li>The same key with another method, URL or body is <a href="/docs/errors/idempotency-key-reused">refused</a>.</li>
        <li>A refused request does not use up its key.</li>
        <li>Keys belong to the caller; another caller’s keys never collide with yours.</li>
      </ul>
      <p>GET, PATCH, PUT and DELETE can be repeated as they are. Package tests store nothing and need no key.</p>`,
  },
  {
    slug: 'limits',
    title: 'Limits',
    summary: 'How much one credential may ask for, and how large a body may be.',
    content: ({ rateLimitPerMinute, failedSecretsPerMinute, bodyLimitBytes }) => html`
      <h2>Requests</h2>
      ${
        rateLimitPerMinute === 0
          ? html`<p>This server does not limit the number of requests. An operator can set a limit; it then counts per
            credential, per minute, in each server process.</p>`
          : html`<p>This server takes <strong>${rateLimitPerMinute} requests a minute</strong> of each credential, in each
            server process. Without a valid credential the client’s address counts instead (an IPv6 network of 64 bits as one).
            Health checks, measurements, these pages and the console are not counted.</p>`
      }
      <table>
        <thead><tr><th scope="col">Header of the answer</th><th scope="col">Says</th></tr></thead>
        <tbody>
          <tr><td><code>ratelimit-limit</code></td><td>requests per minute</td></tr>
          <tr><td><code>ratelimit-remaining</code></td><td>how many are left</td></tr>
          <tr><td><code>ratelimit-reset</code></td><td>seconds until all are there again</td></tr>
          <tr><td><code>retry-after</code></td><td>only with <a href="/docs/errors/rate-limited">429</a>: seconds to wait</td></tr>
        </tbody>
      </table>
      <p>Wait for <code>retry-after</code> and send the same request again. The <code>ratelimit</code> headers are absent
      where there is no limit. Operations that anybody may call can have a limit of their own, by address: 600
      authorizations that are begun a minute, and reports of <a href="/docs/leaked-credentials">leaked credentials</a>.</p>
      <p>API keys and client secrets that do not work are limited too, by address${
        failedSecretsPerMinute === 0
          ? html`, where an operator wants it`
          : html`: after ${failedSecretsPerMinute} of them in a minute, or ${Math.ceil(failedSecretsPerMinute / 5)} of one
            client, others from there are answered 429 without being checked. Those that worked from there before go on`
      }.</p>
      <h2>Bodies</h2>
      <p>A body may have ${formatBytes(bodyLimitBytes)} after decompression; more answers
      <a href="/docs/errors/too-large">413</a>. Bodies may be sent with <code>content-encoding: gzip</code>.</p>`,
  },
]

function formatBytes(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024)
  return mebibytes >= 1 ? `${Math.round(mebibytes * 10) / 10} MiB` : `${Math.round(bytes / 102.4) / 10} KiB`
}
