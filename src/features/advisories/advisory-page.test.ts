import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { publishRecords } from '#test/manifests/published-advisories.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'

describe('the page of an advisory', () => {
  let app: TestApp
  before(async () => {
    app = await startApp('sqlite')
  })
  after(() => app.close())
  const open = (id: string) => app.server.inject({ url: `/vuln/${id}` })

  test('advisory page: shows severity, packages, ranges, fixes and aliases', async () => {
    const answer = await open('GHSA-jf85-cpcp-j695')
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-type']), /^text\/html/)
    for (const said of [
      '<span class="badge critical">critical</span>',
      '9.1<small>CVSS 3.1',
      'CVE-2019-10744',
      'lodash',
      '&lt;4.17.12',
      '4.17.12',
    ])
      assert.ok(answer.body.includes(said), said)
  })

  test('advisory page: has no scripts and loads nothing from other origins', async () => {
    const answer = await open('GHSA-jf85-cpcp-j695')
    assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'; style-src 'self'/)
    assert.doesNotMatch(answer.body, /<script|<img(?! src="\/assets\/icon.svg")/i)
  })

  test('advisory page: returns 404 or 414 for an unknown or hostile id', async () => {
    for (const id of ['GHSA-0000-0000-0000', '%3Cscript%3E', '..%2F..%2Fetc%2Fpasswd', 'x'.repeat(2000)]) {
      const answer = await open(id)
      assert.ok([404, 414].includes(answer.statusCode), `${id.slice(0, 40)} ${answer.statusCode}`)
      assert.doesNotMatch(answer.body, /<script>|passwd/)
    }
  })

  test('advisory page: the description is rendered, its HTML is text', async () => {
    const details = '### Impact\n\n- calls of `merge`\n\n<img src=x onerror=alert(1)>'
    const events = [{ introduced: '0' }, { fixed: '2.0.0' }]
    const affected = [{ package: { ecosystem: 'npm', name: 'left' }, ranges: [{ type: 'SEMVER' as const, events }] }]
    await publishRecords(app.parts, [{ id: 'TEST-1', modified: '2026-01-01T00:00:00Z', details, affected }])
    const { body } = await open('TEST-1')
    assert.match(body, /<h3>Impact<\/h3>\s*<ul><li>calls of <code>merge<\/code><\/li><\/ul>/)
    assert.ok(body.includes('<p>&lt;img src=x onerror=alert(1)&gt;</p>'))
  })
})
