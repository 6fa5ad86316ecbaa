import { type Html, html, sample } from '#foundation/pages/html.ts'
import type { ServerFacts } from './guide-values.ts'
import { guides } from './guides.ts'

export const referenceHead = html`<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
  <link rel="stylesheet" href="/docs/assets/reference.css">
  <script defer src="/docs/assets/swagger-ui-bundle.js"></script>
  <script type="module" src="/docs/assets/reference.js"></script>`

/** The way in: what to read first, and every operation to try. */
export function referencePage({ baseUrl }: ServerFacts): Html {
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
    <p>Choose <strong>Authorize</strong> and enter a key to send requests from this page. The page keeps the key in
    memory only.</p>
    <div id="reference"><p>Loading the operations …</p></div>
    <noscript><p>Trying operations in the browser needs JavaScript; <a href="/docs/openapi.json">openapi.json</a>
    describes the same.</p></noscript>`
}
