import { type Html, html, sample } from '#foundation/pages/html.ts'
import type { ServerFacts } from './guide-values.ts'
import { guides } from './guides.ts'

export const referenceHead = html`<link rel="stylesheet" href="/docs/assets/reference.css">
  <script type="module" src="/docs/assets/reference.js"></script>`

/** The way in: what to read first, and every operation to try. */
export function referencePage({ baseUrl }: ServerFacts, operations: Html): Html {
  return html`<h1>Gatehouse API</h1>
    <p class="lead">Which programs may act on an account, and which packages may enter the code.</p>
    <ul class="cards">
      ${guides.map(
        ({ slug, title, summary }) =>
          html`<li><a href="/docs/${slug}"><strong>${title}</strong><span>${summary}</span></a></li>`,
      )}
      <li><a href="/docs/errors"><strong>Errors</strong><span>What each error code means and what to do.</span></a></li>
      <li><a href="/docs/openapi.json" download><strong>openapi.json</strong><span>The whole description, for generators
      and other tools.</span></a></li>
    </ul>
    ${sample(
      'The first request',
      `curl "${baseUrl}/rest/self?version=2024-10-15" \\
  -H "Authorization: token $KEY"`,
    )}
    <h2 id="operations">Operations</h2>
    <p>Open an operation to read its parameters and answers and to send a request.</p>
    <form id="reference-controls" hidden>
      <label>Filter <input name="filter" type="search" autocomplete="off"></label>
      <label>API key for requests from this page, kept in memory only
      <input name="key" type="password" autocomplete="off"></label>
    </form>
    <div id="reference">${operations}</div>
    <noscript><p>Sending requests from the browser needs JavaScript; <a href="/docs/openapi.json">openapi.json</a>
    describes parameters and answers.</p></noscript>`
}
