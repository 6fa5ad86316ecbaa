import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProxyChoice } from './proxy-choice.ts'

test('NO_PROXY: read like curl and Go read it', () => {
  const cases: [noProxy: string, url: string, isProxied: boolean][] = [
    ['', 'http://registry.example/', true],
    ['*', 'http://registry.example/', false],
    ['registry.example', 'http://registry.example/', false],
    ['registry.example', 'http://a.registry.example/', false],
    ['.registry.example', 'http://a.registry.example/', false],
    ['*.registry.example', 'http://a.registry.example/', false],
    ['registry.example', 'http://otherregistry.example/', true],
    ['registry.example:8080', 'http://registry.example:8080/', false],
    ['registry.example:8080', 'http://registry.example/', true],
    ['a.example, b.example', 'http://b.example/', false],
    ['a.example b.example', 'http://b.example/', false],
    ['10.0.0.0/8,::1', 'http://10.1.2.3/', false],
    ['10.0.0.0/8,::1', 'http://[::1]/', false],
    ['10.0.0.0/8,::1', 'http://11.1.2.3/', true],
  ]
  for (const [noProxy, url, isProxied] of cases) {
    const choose = createProxyChoice({ allow: [], httpProxy: 'http://proxy.example:3128', noProxy })
    assert.equal(choose(new URL(url)), isProxied ? 'http://proxy.example:3128' : undefined, `${noProxy} and ${url}`)
  }
})

test('proxies: each scheme has its own or none', () => {
  const choose = createProxyChoice({ allow: [], httpsProxy: 'http://proxy.example', httpProxy: '' })
  assert.equal(choose(new URL('https://registry.example/')), 'http://proxy.example')
  assert.equal(choose(new URL('http://registry.example/')), undefined)
})
