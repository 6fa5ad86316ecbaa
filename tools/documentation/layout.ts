import { renderFrame } from '#foundation/pages/frame.ts'
import { type Html, html } from '#foundation/pages/html.ts'
import { version } from '#foundation/product.ts'
import { addHeadingIds, contentsList } from './page-contents.ts'
import { listSections, type SitePage } from './sections.ts'

/** The data of a page, which Eleventy gives to its template and to the layout. */
export interface PageData {
  readonly title: string
  readonly summary?: string
  readonly content: string
  readonly page: { readonly url: string }
  readonly collections: { readonly all: readonly SitePage[] }
  /** The page of the navigation to which this one belongs, if it is not there itself. */
  readonly section?: string
  /** True for pages that are written from the program and bring their own heading. */
  readonly isGenerated?: true
  readonly isWide?: true
  readonly hasOperations?: true
  /** True if the site is for a web server other than Gatehouse. */
  readonly isStatic?: true
}

const operationsHead = html`<link rel="stylesheet" href="/assets/reference.css">
  <script type="module" src="/assets/reference.js"></script>`

/** Puts a page into the frame that all pages have, with the navigation. */
export function renderLayout(data: PageData): string {
  const { title, summary, isGenerated, isWide, hasOperations, isStatic } = data
  const heading = isGenerated ? html`` : html`<h1>${title}</h1><p class="lead">${summary ?? ''}</p>`
  const { content, headings } = addHeadingIds(data.content)
  return renderFrame({
    title,
    head: html`<link rel="stylesheet" href="/assets/docs.css">
  ${summary === undefined ? html`` : html`<meta name="description" content="${summary}">`}
  <script type="module" src="/assets/site.js"></script>
  ${hasOperations ? operationsHead : html``}`,
    body: html`  <a class="skip" href="#content">Skip to the content</a>
  <header>
    <a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="24" height="24">Gatehouse documentation</a>
    <search id="site-search" hidden>
      <input type="search" aria-label="Search the documentation" placeholder="Search (press /)" autocomplete="off" spellcheck="false" maxlength="100">
      <div class="hits" hidden><p role="status"></p><ul></ul></div>
    </search>
    <a class="to-pages" href="#pages">All pages</a>
    ${isStatic ? html`` : html`<a href="{{consolePath}}">Console</a>`}
  </header>
  <div class="site">
    <main id="content" class="${isWide ? 'wide' : 'narrow'}">
    ${contentsList(headings)}${heading}${{ html: content }}
    </main>
    <nav id="pages" aria-label="Documentation">${listSections(data.collections.all).map((section) => toSection(section, data))}</nav>
  </div>
  <footer>Gatehouse ${version} · <a href="/openapi.json" download>openapi.json</a></footer>`,
  })
}

function toSection({ name, pages }: ReturnType<typeof listSections>[number], { page, section }: PageData): Html {
  return html`<h2>${name}</h2>
      <ul>${pages.map((sitePage) => toEntry(sitePage, section ?? page.url))}</ul>`
}

function toEntry({ url, data }: SitePage, current: string): Html {
  if (url === current) return html`<li><a href="${url}" aria-current="page">${data.title}</a></li>`
  return html`<li><a href="${url}">${data.title}</a></li>`
}
