import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { html } from '#foundation/pages/html.ts'
import { renderGuide } from './guide-markdown.ts'

describe('a guide in Markdown', () => {
  test('gets the values of this server, and markup where a name is a paragraph', () => {
    const { html: page } = renderGuide('At `{{baseUrl}}`.\n\n{{table}}\n', {
      baseUrl: 'https://gate.example',
      table: html`<table></table>`,
    })
    assert.equal(page, '<p>At <code>https://gate.example</code>.</p>\n<table></table>\n')
  })

  test('shows code with its caption, escaped', () => {
    const { html: page } = renderGuide('```sh Ask <twice>\ncurl "a" < b\n```\n', {})
    assert.match(page, /<figcaption>Ask &lt;twice&gt;<\/figcaption>/)
    assert.match(page, /curl &quot;a&quot; &lt; b/)
  })

  test('is refused with a name that has no value', () => {
    assert.throws(() => renderGuide('{{nothing}}', {}), /\{\{nothing\}\}, which has no value/)
  })

  test('is refused with HTML', () => {
    assert.throws(() => renderGuide('a <b>word</b>', {}), /holds HTML/)
    assert.throws(() => renderGuide('<div>\n', {}), /holds HTML/)
  })
})
