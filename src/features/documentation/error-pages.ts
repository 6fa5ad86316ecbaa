import { STATUS_CODES } from 'node:http'
import { isOAuthOnly, toOAuthError } from '#foundation/http/oauth-forms.ts'
import { type Html, html, prose, sample } from '#foundation/pages/html.ts'
import { Problem } from '#foundation/problem.ts'
import { type ProblemCode, problemCodes } from '#foundation/problem-codes.ts'

/** What each status tells a client, beyond what the code says. */
export const statusMeanings: Readonly<Record<number, string>> = {
  400: 'The request could not be read as it was sent. Sent again unchanged, it is refused again.',
  401: 'The server does not know who is asking. Nothing was changed.',
  403: 'The server knows who is asking, and the caller may see the thing but not do this. Nothing was changed.',
  404: 'Nothing answers the request as it was sent. Sent again unchanged, it finds nothing either, until what it names exists.',
  405: 'The address is right, the method is not.',
  406: 'The `Accept` header excludes every form in which the answer exists.',
  409: 'The request is well formed but contradicts the present state. Nothing was changed.',
  408: 'The body did not arrive in time. Nothing was changed.',
  413: 'The body was not read to its end. Nothing was changed.',
  415: 'The body was not read. Nothing was changed.',
  422: 'The request is well formed and was understood, but it asks for something that cannot be done.',
  429: 'The request was not looked at. The same request succeeds later.',
  499: 'The client closed the connection before the answer. No one receives this status; it is only logged.',
  500: 'The fault is on the server’s side, and was logged there with the request id.',
  502: 'The server works, but another one that it needed did not answer. The same request may succeed later.',
  503: 'The server is starting, stopping or overloaded. The same request succeeds later.',
}

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problemCodes, text)
}

export function errorIndex(baseUrl: string): Html {
  return html`<h1>Errors</h1>
    <p>Every refusal carries a code that does not change, so programs can compare it. Its page says what it means and
    what to do. Quote the request id (header <code>snyk-request-id</code>) when you ask the operator about one.</p>
    <table class="errors">
      <caption>All codes</caption>
      <thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
      <tbody>${Object.entries(problemCodes).map(
        ([code, { status, title }]) =>
          html`<tr><td>${status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${prose(title)}</td></tr>`,
      )}</tbody>
    </table>
    <h2>Where the code is</h2>
    <p>The interfaces spell the same refusal differently. Under <code>/rest</code> it is
    <code>errors[].code</code> of a JSON:API document; under <code>/v1</code> it is <code>errorCode</code>, because
    <code>code</code> there is the status. Under <code>/oauth2</code> it is the last part of <code>error_uri</code>, because
    <code>error</code> there is what RFC 6749 has for many of them.</p>
    ${samples('not-found', baseUrl)}`
}

export function errorPage(code: ProblemCode, baseUrl: string): Html {
  const { status, title, remedy } = problemCodes[code]
  return html`<p class="trail"><a href="/docs/errors">Errors</a></p>
    <h1>${prose(title)}</h1>
    <dl class="facts">
      <div><dt>Code</dt><dd><code>${code}</code></dd></div>
      <div><dt>Status</dt><dd>${status} ${STATUS_CODES[status] ?? ''}</dd></div>
    </dl>
    <h2>What it means</h2>
    <p>${prose(statusMeanings[status] ?? '')}</p>
    <h2>What to do</h2>
    <p>${prose(remedy)}</p>
    <h2>What it looks like</h2>
    ${samples(code, baseUrl)}`
}

function samples(code: ProblemCode, baseUrl: string): Html {
  const { status, title } = problemCodes[code]
  if (isOAuthOnly(code)) {
    const refusal = toOAuthError(baseUrl)(new Problem(code, 'What exactly is wrong with this request'), '')
    return sample('Under /oauth2', JSON.stringify(refusal, null, 2))
  }
  const id = '7d0d1b1e-6f5c-4d0a-9a43-3a1f0c2b5e77'
  const detail = 'What exactly is wrong with this request'
  const rest = { jsonapi: { version: '1.0' }, errors: [{ id, status: String(status), code, title, detail }] }
  const v1 = { code: status, message: detail, error: detail, errorRef: id, errorCode: code }
  return html`${sample('Under /rest', JSON.stringify(rest, null, 2))}${sample('Under /v1', JSON.stringify(v1, null, 2))}`
}

export function missingPage(path: string): Html {
  return html`<h1>There is no such page</h1>
    <p><code>${path}</code> is no page of this documentation. <a href="/docs">All topics</a> ·
    <a href="/docs/errors">All error codes</a></p>`
}
