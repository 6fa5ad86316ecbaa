import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, prose } from './html.ts'

test('html and prose: interpolated texts are escaped, nested pieces are not', () => {
  const piece = html`<b>${'<&>"\''}</b>`
  assert.equal(html`<p title="${'"'}">${piece}${2}</p>`.html, '<p title="&quot;"><b>&lt;&amp;&gt;&quot;&#39;</b>2</p>')
  assert.equal(html`<ul>${[html`<li>a</li>`, html`<li>b</li>`]}</ul>`.html, '<ul><li>a</li>\n<li>b</li></ul>')
  assert.equal(prose('say `<p>`').html, 'say <code>&lt;p&gt;</code>')
})
