import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from './markdown.ts'

const render = (text: string) =>
  renderMarkdown(text)
    .map(({ html }) => html)
    .join('\n')

test('Markdown: headings, lists, fenced code, code, bold text and links become elements', () => {
  const text = [
    '### Impact',
    'Calls of `merge` are **unsafe**,',
    'see [the **report**](https://example.com/a?b=1&c=2) or https://example.com/x.',
    '',
    '1. Upgrade',
    '   to 2.0',
    '',
    '2) Restart',
    '- Wait',
    '```js',
    '# **no** heading',
    '',
    '- <b>',
    '```',
    'After it',
  ].join('\r\n')
  assert.equal(
    render(text),
    `<h3>Impact</h3>
<p>Calls of <code>merge</code> are <strong>unsafe</strong>,
see <a href="https://example.com/a?b=1&amp;c=2" rel="noreferrer nofollow">the **report**</a> or <a href="https://example.com/x" rel="noreferrer nofollow">https://example.com/x</a>.</p>
<ol><li>Upgrade
   to 2.0</li>
<li>Restart</li></ol>
<ul><li>Wait</li></ul>
<pre tabindex="0"><code># **no** heading

- &lt;b&gt;</code></pre>
<p>After it</p>`,
  )
})

test('Markdown: HTML, images, other schemes and broken marks remain text', () => {
  for (const text of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](https://example.com/"onclick=alert(1)',
    '**a `b [c](',
    '"><svg onload=alert(1)>',
  ]) {
    const markup = render(text)
    assert.deepEqual(markup.match(/<(?!\/?p>|a href="https:\/\/example\.com\/" |\/a>)[^>]*>/g), null, markup)
  }
  assert.equal(render('**`<i>`**'), '<p><strong><code>&lt;i&gt;</code></strong></p>')
  assert.equal(render(''), '')
})
