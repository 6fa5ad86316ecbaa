import { STATUS_CODES } from 'node:http'
import { isOAuthOnly, toOAuthError } from '#foundation/http/oauth-forms.ts'
import { type Html, html, prose, sample } from '#foundation/pages/html.ts'
import { Problem } from '#foundation/problem.ts'
import { type ProblemCode, problemCodes } from '#foundation/problem-codes.ts'

/** The meaning of each status for clients. */
export const statusMeanings: Readonly<Record<number, string>> = {
  400: 'The request is invalid. Repeating it unchanged fails again.',
  401: 'The request is not authenticated. Nothing was changed.',
  403: 'The caller may see the resource but lacks the permission. Nothing was changed.',
  404: 'Not found. Repeating the request fails until the resource exists.',
  405: 'The path does not support the method.',
  406: 'The `Accept` header names no supported media type.',
  409: 'The request conflicts with the current state. Nothing was changed.',
  408: 'The body did not arrive in time. Nothing was changed.',
  413: 'The body was not read to its end. Nothing was changed.',
  415: 'The body was not read. Nothing was changed.',
  422: 'The request is valid but cannot be processed.',
  429: 'The request was not processed. Repeat it later.',
  499: 'The client closed the connection before the answer. No one receives this status; it is only logged.',
  500: 'A server error, logged with the request id.',
  502: 'An upstream server did not respond. Repeat the request later.',
  503: 'The server is starting, stopping or overloaded. Repeat the request later.',
}

export function errorIndex(): Html {
  return html`<h1>Errors</h1>
    <p>Every refusal carries a code that does not change, so programs can compare it. Its page says what it means and
    what to do. Quote the request id (header <code>snyk-request-id</code>) when you ask the operator about one.</p>
    <table class="errors">
      <caption>All codes</caption>
      <thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
      <tbody>${Object.entries(problemCodes).map(
        ([code, { status, title }]) =>
          html`<tr><td>${status}</td><td><a href="/errors/${code}/"><code>${code}</code></a></td><td>${prose(title)}</td></tr>`,
      )}</tbody>
    </table>
    <h2>Where the code is</h2>
    <p>The interfaces spell the same refusal differently. Under <code>/rest</code> it is
    <code>errors[].code</code> of a JSON:API document; under <code>/v1</code> it is <code>errorCode</code>, because
    <code>code</code> there is the status. Under <code>/oauth2</code> it is the last part of <code>error_uri</code>, because
    <code>error</code> there is what RFC 6749 has for many of them.</p>
    ${samples('not-found')}`
}

export function errorPage(code: ProblemCode): Html {
  const { status, title, remedy } = problemCodes[code]
  return html`<p class="trail"><a href="/errors/">Errors</a></p>
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
    ${samples(code)}`
}

function samples(code: ProblemCode): Html {
  const { status, title } = problemCodes[code]
  if (isOAuthOnly(code)) {
    const refusal = toOAuthError('{{baseUrl}}')(new Problem(code, 'The fault of this request'), '')
    return sample('Under /oauth2', JSON.stringify(refusal, null, 2))
  }
  const id = '7d0d1b1e-6f5c-4d0a-9a43-3a1f0c2b5e77'
  const detail = 'The fault of this request'
  const rest = { jsonapi: { version: '1.0' }, errors: [{ id, status: String(status), code, title, detail }] }
  const v1 = { code: status, message: detail, error: detail, errorRef: id, errorCode: code }
  return html`${sample('Under /rest', JSON.stringify(rest, null, 2))}${sample('Under /v1', JSON.stringify(v1, null, 2))}`
}

export function missingPage(): Html {
  return html`<h1>Page not found</h1> <p>The address is not a page of this documentation. <a href="/">All topics</a> ·
    <a href="/errors/">All error codes</a></p>`
}
