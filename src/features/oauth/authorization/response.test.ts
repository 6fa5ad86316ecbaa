import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toResponseUrl } from './response.ts'

test('redirect to an app: the query of its redirect URI stays byte for byte (RFC 6749 §3.1.2)', () => {
  const parameters = 'code=c&state=s+1&iss=https%3A%2F%2Fgate.example'
  const cases: [uri: string, expected: string][] = [
    ['https://app.example/cb', `https://app.example/cb?${parameters}`],
    ['https://app.example/cb?', `https://app.example/cb?${parameters}`],
    ['https://app.example/cb?a=b&', `https://app.example/cb?a=b&${parameters}`],
    ["https://app.example/cb?q='x'~%20+y&empty&z=%e4", `https://app.example/cb?q='x'~%20+y&empty&z=%e4&${parameters}`],
    ['https://app.example/cb?next=/a?b&state=own', `https://app.example/cb?next=/a?b&state=own&${parameters}`],
    ['com.example.app:/cb?a', `com.example.app:/cb?a&${parameters}`],
    ['https://app.example/ü?a=ü', `https://app.example/%C3%BC?a=%C3%BC&${parameters}`],
  ]
  for (const [redirect_uri, expected] of cases) {
    const recipient = { redirect_uri, state: 's 1' } as Parameters<typeof toResponseUrl>[0]
    assert.equal(toResponseUrl(recipient, { code: 'c' }, 'https://gate.example'), expected)
  }
  const implicit = { redirect_uri: "https://app.example/cb?q='x'", response_type: 'token' } as never
  assert.equal(toResponseUrl(implicit, { code: 'c' }, 'i'), "https://app.example/cb?q='x'#code=c&iss=i")
})
