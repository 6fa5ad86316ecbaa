import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type Config, HtmlBasePlugin, InputPathToUrlTransformPlugin } from '@11ty/eleventy'
import { type ProblemCode, problemCodes } from '#foundation/problem-codes.ts'
import { errorIndex, errorPage, missingPage } from './error-pages.ts'
import { guideValues } from './guide-values.ts'
import { homePage } from './home-page.ts'
import { type PageData, renderLayout } from './layout.ts'
import { amendMarkdown } from './markdown.ts'
import { referencePage } from './reference-page.ts'

const LAYOUT = 'page.11ty.js'

/** Files of the site, by their source. */
const copied = {
  'src/features/documentation/browser': 'assets',
  'docs/guides/images': 'assets',
  'src/foundation/pages/assets/pages.css': 'assets/pages.css',
  'src/foundation/pages/assets/icon.svg': 'assets/icon.svg',
  'node_modules/@fastify/swagger-ui/static/swagger-ui.css': 'assets/swagger-ui.css',
  'node_modules/@fastify/swagger-ui/static/swagger-ui-bundle.js': 'assets/swagger-ui-bundle.js',
}

/** The documentation site: `docs/guides`, `docs/choices`, and pages that are written from the program. */
export default function configure(config: Config): void {
  config.addPlugin(HtmlBasePlugin)
  config.addPlugin(InputPathToUrlTransformPlugin)
  config.amendLibrary('md', (markdown) => amendMarkdown(markdown, guideValues()))
  config.addPassthroughCopy(copied)
  config.addGlobalData('layout', LAYOUT)
  config.addTemplate(`_includes/${LAYOUT}`, { render: renderLayout })
  addPage(config, { permalink: '/index.html', title: 'Gatehouse' }, homePage)
  addPage(
    config,
    {
      permalink: '/api/index.html',
      title: 'API',
      summary: 'Every operation, to read and to try.',
      isWide: true,
      hasOperations: true,
    },
    referencePage,
  )
  addPage(
    config,
    { permalink: '/errors/index.html', title: 'Errors', summary: 'Every error code: its meaning and what to do.' },
    errorIndex,
  )
  addPage(config, { permalink: '/404.html', title: 'Page not found' }, missingPage)
  for (const code of Object.keys(problemCodes) as ProblemCode[]) {
    const permalink = `/errors/${code}/index.html`
    addPage(config, { permalink, title: code, section: '/errors/' }, () => errorPage(code))
  }
  for (const path of globSync('docs/choices/*.md')) {
    const text = readFileSync(path, 'utf8')
    const [, title] = /^# (.+)/.exec(text)!
    const name = basename(path).replace('README', 'index')
    config.addTemplate(`choices/${name}`, text, { isGenerated: true, isWide: true, title, section: '/choices/' })
  }
}

export const config = { markdownTemplateEngine: false, htmlTemplateEngine: false }

function addPage(
  config: Config,
  data: Partial<PageData> & { readonly permalink: string },
  content: (data: PageData) => { readonly html: string },
): void {
  const path = data.permalink.replace(/^\/|(?:\/index)?\.html$/g, '').replaceAll('/', '-') || 'index'
  config.addTemplate(`${path}.11ty.js`, {
    data: { ...data, isGenerated: true },
    render: (page: PageData) => content(page).html,
  })
}
