import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
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
    for (const said of ['critical (CVSS 9.1)', 'CVE-2019-10744', 'lodash', '&lt;4.17.12', '4.17.12'])
      assert.ok(answer.body.includes(said), said)
  })

  test('advisory page: has no scripts and loads nothing from other origins', async () => {
    const answer = await open('GHSA-jf85-cpcp-j695')
    assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'; style-src 'self'/)
    assert.doesNotMatch(answer.body, /<script/i)
  })

  test('advisory page: returns 404 or 414 for an unknown or hostile id', async () => {
    for (const id of ['GHSA-0000-0000-0000', '%3Cscript%3E', '..%2F..%2Fetc%2Fpasswd', 'x'.repeat(2000)]) {
      const answer = await open(id)
      assert.ok([404, 414].includes(answer.statusCode), `${id.slice(0, 40)} ${answer.statusCode}`)
      assert.doesNotMatch(answer.body, /<script>|passwd/)
    }
  })
})
