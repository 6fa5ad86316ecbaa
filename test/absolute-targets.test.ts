import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { ADMIN_KEY, startApp, type TestApp } from '#test/servers/app.ts'

interface Answer {
  readonly response: IncomingMessage
  readonly body: { readonly links?: Readonly<Record<string, string>> }
}

describe('requests that name a whole URL', () => {
  let app: TestApp
  let port: number
  before(async () => {
    app = await startApp('sqlite', { GATEHOUSE_BASE_URL: 'https://gate.example/inner' })
    await app.server.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.server.address() as AddressInfo).port
  })
  after(() => app.close())

  async function send(method: string, path: string): Promise<Answer> {
    const headers = { authorization: `token ${ADMIN_KEY}` }
    const sent = request({ host: '127.0.0.1', port, method, path: `http://other.example${path}`, headers })
    const answered = once(sent.end(), 'response')
    const [response] = (await answered) as [IncomingMessage]
    return { response, body: (await json(response)) as Answer['body'] }
  }

  test('absolute target: links of a list do not name its host', async () => {
    const { response, body } = await send('GET', `/rest/orgs/${app.orgId}/service_accounts?version=2024-10-15`)
    assert.equal(response.statusCode, 200)
    const links = Object.values(body.links ?? {})
    assert.ok(links.length >= 3)
    for (const link of links) assert.ok(link.startsWith('/orgs/'), link)
  })

  test('absolute target: the link header of v1 names the base URL', async () => {
    const { response, body } = await send('POST', `/v1/org/${app.orgId}/dependencies?page=2&perPage=10`)
    assert.equal(response.statusCode, 200, JSON.stringify(body))
    assert.match(String(response.headers.link), /^<https:\/\/gate\.example\/inner\/v1\/org\//)
  })

  for (const path of ['/api/v1/user/me', '/self?version=2024-10-15', '/inner/rest/self?version=2024-10-15']) {
    test(`absolute target: ${path} is served`, async () => {
      assert.equal((await send('GET', path)).response.statusCode, 200)
    })
  }
})
