import { type Html, html, sample } from '#foundation/pages/html.ts'
import type { PageData } from './layout.ts'
import { listSections, type SitePage } from './sections.ts'

/** The first page: all others by section, and a first request. */
export function homePage({ collections }: PageData): Html {
  return html`<h1>Gatehouse documentation</h1>
    <p class="lead">A self-hosted server for OAuth apps, service accounts and tests of dependencies for known
    vulnerabilities.</p>
    ${sample(
      'The first request',
      `curl "{{baseUrl}}/rest/self?version=2024-10-15" \\
  -H "Authorization: token $KEY"`,
    )}
    ${listSections(collections.all).map(({ name, pages }) => html`<h2>${name}</h2><ul class="cards">${pages.map(toCard)}</ul>`)}`
}

function toCard({ url, data: { title, summary = '' } }: SitePage): Html {
  return html`<li><a href="${url}"><strong>${title}</strong><span>${summary}</span></a></li>`
}
