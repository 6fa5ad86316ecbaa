import { readFileSync } from 'node:fs'
import type { OpenApi } from '#features/documentation/openapi-document.ts'
import { type Html, html } from '#foundation/pages/html.ts'
import type { PageData } from './layout.ts'
import { operationList } from './operation-list.ts'

/** Every operation, to read and to try. */
export function referencePage({ isStatic }: PageData): Html {
  return html`<h1>API</h1>
    <p class="lead">Open an operation to read its parameters and answers${isStatic ? '' : ' and to send a request'}.</p>
    <p>The whole description, for generators and other tools: <a href="/openapi.json" download>openapi.json</a>.</p>
    <form id="reference-controls" hidden>
      <label>Filter <input name="filter" type="search" autocomplete="off"></label>
      ${isStatic ? html`` : keyField}
    </form>
    <div id="reference"${isStatic ? html` data-static` : html``}>${operationList(describedInterface())}</div>
    <noscript><p>Sending requests from the browser needs JavaScript; <a href="/openapi.json">openapi.json</a>
    describes parameters and answers.</p></noscript>`
}

const keyField = html`<label>API key for requests from this page, kept in memory only
      <input name="key" type="password" autocomplete="off"></label>`

/** The interface as the repository has it; `npm run generate` writes it. */
export function describedInterface(): OpenApi {
  return JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as OpenApi
}
