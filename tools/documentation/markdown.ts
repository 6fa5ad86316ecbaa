import { basename } from 'node:path'
import { isServerFact } from '#features/documentation/server-facts.ts'
import { type Html, html, sample } from '#foundation/pages/html.ts'

/** Text for `{{name}}` inside a guide, and markup for `{{name}}` that is a paragraph of its own. */
export type GuideValues = Readonly<Record<string, string | number | Html>>

interface Token {
  readonly info: string
  readonly content: string
  attrGet(name: string): string | null
}
type Rule = (tokens: readonly Token[], index: number) => string

/** The part of markdown-it that is changed. */
export interface Markdown {
  readonly renderer: { readonly rules: Record<string, Rule> }
  render(text: string, environment?: object): string
}

/**
 * Writes code blocks with a caption, which follows the language in the info string, and fills in values. Facts of the
 * server stay open until it sends the page. Throws on raw HTML, except comments, and on a name that has no value: guides
 * come with the product, so either is our mistake.
 */
export function amendMarkdown(markdown: Markdown, values: GuideValues): void {
  const render = markdown.render.bind(markdown)
  markdown.render = (text, environment) => fill(render(text, environment), values)
  Object.assign(markdown.renderer.rules, {
    fence: (tokens, index) => {
      const { info, content } = tokens[index]!
      return `${sample(info.slice(info.indexOf(' ') + 1), content.trimEnd()).html}\n`
    },
    // Settings break between their words.
    code_inline: (tokens, index) =>
      html`<code>${tokens[index]!.content}</code>`.html.replace(/(?<=[A-Z]_)(?=[A-Z])/g, '<wbr>'),
    // Pictures lie beside the guides, and among the assets of the site. All have the size of tools/screenshots.
    image: (tokens, index) => {
      const source = `/assets/${basename(tokens[index]!.attrGet('src')!)}`
      return html`<img src="${source}" alt="${tokens[index]!.content}" width="1120" height="640" loading="lazy">`.html
    },
    th_open: () => '<th scope="col">',
    html_block: refuseHtml,
    html_inline: refuseHtml,
  } satisfies Record<string, Rule>)
}

function refuseHtml(tokens: readonly Token[], index: number): string {
  const { content } = tokens[index]!
  if (/^<!--[^>]*-->\s*$/.test(content)) return ''
  throw new Error(`The guide holds HTML: ${content}`)
}

function fill(page: string, values: GuideValues): string {
  return page.replace(/<p>\{\{(\w+)\}\}<\/p>|\{\{(\w+)\}\}/g, (whole, alone?: string, inside?: string) => {
    const name = alone ?? inside!
    if (isServerFact(name)) return whole
    const value = values[name]
    if (value === undefined) throw new Error(`The guide names {{${name}}}, which has no value.`)
    if (typeof value === 'object') return value.html
    return alone === undefined ? html`${value}`.html : html`<p>${value}</p>`.html
  })
}
