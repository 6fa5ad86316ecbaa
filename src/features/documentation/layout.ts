import { renderFrame } from '#foundation/pages/frame.ts'
import { type Html, html } from '#foundation/pages/html.ts'
import { version } from '#foundation/product.ts'

export interface Page {
  readonly title: string
  /** The path of the entry in the navigation that this page belongs to. */
  readonly section: string
  readonly content: Html
  /** For pages that need more than the style sheets. */
  readonly head?: Html
  readonly isWide?: true
}

const sections = [
  { path: '/docs', name: 'API' },
  { path: '/docs/authentication', name: 'Authentication' },
  { path: '/docs/sign-in', name: 'Sign-in' },
  { path: '/docs/oauth', name: 'Apps' },
  { path: '/docs/secrets', name: 'Secrets' },
  { path: '/docs/leaked-credentials', name: 'Leaks' },
  { path: '/docs/test-results', name: 'Results' },
  { path: '/docs/bills-of-materials', name: 'SBOMs' },
  { path: '/docs/policy-files', name: 'Policy files' },
  { path: '/docs/command-line', name: 'Command line' },
  { path: '/docs/ci', name: 'CI' },
  { path: '/docs/typescript-client', name: 'TypeScript' },
  { path: '/docs/webhooks', name: 'Webhooks' },
  { path: '/docs/versions', name: 'Versions' },
  { path: '/docs/pages', name: 'Pages' },
  { path: '/docs/idempotency', name: 'Idempotency' },
  { path: '/docs/limits', name: 'Limits' },
  { path: '/docs/errors', name: 'Errors' },
  { path: '/docs/settings', name: 'Settings' },
  { path: '/docs/operation', name: 'Operation' },
]

export function renderPage({ title, section, content, head, isWide }: Page): string {
  return renderFrame({
    title,
    head: html`<link rel="stylesheet" href="/docs/assets/docs.css">
  ${head ?? html``}`,
    body: html`  <a class="skip" href="#content">Skip to the content</a>
  <header>
    <a class="brand" href="/docs">Gatehouse</a>
    <nav aria-label="Documentation">
      <ul>${sections.map((entry) => toEntry(entry, section))}</ul>
    </nav>
  </header>
  <main id="content" class="${isWide ? 'wide' : 'narrow'}">
  ${content}
  </main>
  <footer>Gatehouse ${version} · <a href="/docs/openapi.json" download>openapi.json</a></footer>`,
  })
}

function toEntry({ path, name }: (typeof sections)[number], current: string): Html {
  if (path === current) return html`<li><a href="${path}" aria-current="page">${name}</a></li>`
  return html`<li><a href="${path}">${name}</a></li>`
}
