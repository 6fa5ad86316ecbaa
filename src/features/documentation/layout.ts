import { version } from '#foundation/product.ts'
import { type Html, html } from './html.ts'

export interface Page {
  readonly title: string
  /** The path of the entry in the navigation that this page belongs to. */
  readonly section: string
  readonly content: Html
  /** For pages that need more than the style sheet. */
  readonly head?: Html
  readonly isWide?: true
}

const sections = [
  { path: '/docs', name: 'API' },
  { path: '/docs/authentication', name: 'Authentication' },
  { path: '/docs/versions', name: 'Versions' },
  { path: '/docs/pages', name: 'Pages' },
  { path: '/docs/idempotency', name: 'Idempotency' },
  { path: '/docs/limits', name: 'Limits' },
  { path: '/docs/errors', name: 'Errors' },
]

export function renderPage({ title, section, content, head, isWide }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title === 'Gatehouse' ? title : `${title} · Gatehouse`}</title>
  <link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/docs/assets/docs.css">
  ${head ?? html``}
</head>
<body>
  <a class="skip" href="#content">Skip to the content</a>
  <header>
    <a class="brand" href="/docs">Gatehouse</a>
    <nav aria-label="Documentation">
      <ul>${sections.map((entry) => toEntry(entry, section))}</ul>
    </nav>
  </header>
  <main id="content" class="${isWide ? 'wide' : 'narrow'}">
  ${content}
  </main>
  <footer>Gatehouse ${version} · <a href="/docs/openapi.json" download>openapi.json</a></footer>
</body>
</html>
`.html
}

function toEntry({ path, name }: (typeof sections)[number], current: string): Html {
  if (path === current) return html`<li><a href="${path}" aria-current="page">${name}</a></li>`
  return html`<li><a href="${path}">${name}</a></li>`
}
