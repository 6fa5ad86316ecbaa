import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import { html } from '#foundation/pages/html.ts'
import { amendMarkdown, type GuideValues, type Markdown } from './markdown.ts'

/** The library that Eleventy itself uses, with its options. */
const library = createRequire(import.meta.resolve('@11ty/eleventy'))('markdown-it') as (options: object) => Markdown

function render(text: string, values: GuideValues): string {
  const markdown = library({ html: true })
  amendMarkdown(markdown, values)
  return markdown.render(text)
}

describe('guides in Markdown', () => {
  test('guide: names are replaced by values or markup; values of the server stay as placeholders', () => {
    const page = render('At `{{baseUrl}}` for {{hours}} hours.\n\n{{table}}\n', {
      hours: 24,
      table: html`<table></table>`,
    })
    assert.equal(page, '<p>At <code>{{baseUrl}}</code> for 24 hours.</p>\n<table></table>\n')
  })

  test('guide: code has its caption and is escaped', () => {
    const page = render('```sh Ask <twice>\ncurl "a" < b\n```\n', {})
    assert.match(page, /<figcaption>Ask &lt;twice&gt;<\/figcaption>/)
    assert.match(page, /<code>curl &quot;a&quot; &lt; b<\/code>/)
  })

  test('guide: a picture beside it becomes one of the site, with its description', () => {
    const page = render('![A "list"](images/issues.webp)\n', {})
    assert.match(page, /<img src="\/assets\/issues\.webp" alt="A &quot;list&quot;" width="1120"/)
  })

  test('guide: refused with a name without a value', () => {
    assert.throws(() => render('{{nothing}}', {}), /\{\{nothing\}\}, which has no value/)
    assert.throws(() => render('Some `{{nothing}}`.', {}), /\{\{nothing\}\}, which has no value/)
  })

  test('guide: refused with HTML', () => {
    assert.throws(() => render('a <b>word</b>', {}), /holds HTML/)
    assert.throws(() => render('<div>\n', {}), /holds HTML/)
    assert.equal(render('<!-- settings -->\n', {}), '')
  })
})
