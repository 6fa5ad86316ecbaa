import { Marked, type Tokens } from 'marked'
import { type Html, html, sample } from '#foundation/pages/html.ts'

/** Text for `{{name}}` inside a guide, and markup for `{{name}}` that is a paragraph of its own. */
export type GuideValues = Readonly<Record<string, string | number | Html>>

/**
 * Renders the Markdown of a guide. The info string of a code block is its language and its caption. Throws on raw HTML,
 * except comments, and on a name that has no value: guides come with the product, so either is our mistake.
 */
export function renderGuide(markdown: string, values: GuideValues): Html {
  const text = markdown.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The guide names ${whole}, which has no value.`)
    return typeof value === 'object' ? whole : String(value)
  })
  const rendered = marked.parse(text, { async: false })
  return { html: rendered.replace(/<p>\{\{(\w+)\}\}<\/p>/g, (_, name: string) => (values[name] as Html).html) }
}

const marked = new Marked({
  // Addresses in running text are examples; links are written as such.
  tokenizer: { url: () => undefined },
  renderer: {
    code({ text, lang = '' }: Tokens.Code) {
      const caption = lang.slice(lang.indexOf(' ') + 1)
      return `${sample(caption, text).html}\n`
    },
    tablecell({ header, tokens }: Tokens.TableCell) {
      const content = { html: this.parser.parseInline(tokens) }
      return (header ? html`<th scope="col">${content}</th>` : html`<td>${content}</td>`).html
    },
    html({ text }: Tokens.HTML | Tokens.Tag) {
      if (/^<!--[^>]*-->\s*$/.test(text)) return ''
      throw new Error(`The guide holds HTML: ${text}`)
    },
  },
})
