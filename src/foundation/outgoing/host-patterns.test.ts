import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesAddress, matchesName, parseHostPattern, toEndpoint, toHostPattern } from './host-patterns.ts'

test('host pattern: matches the hosts it names and no others', () => {
  const cases: [pattern: string, url: string, matches: boolean][] = [
    ['registry.example', 'http://registry.example/', true],
    ['registry.example', 'https://REGISTRY.example.:8443/', true],
    ['Registry.Example.', 'http://registry.example/', true],
    ['registry.example', 'http://registry%2Eexample/', true],
    ['registry.example', 'http://ｒegistry。example/', true],
    ['bücher.example', 'http://xn--bcher-kva.example/', true],
    ['BÜCHER.example.', 'http://B%C3%BCcher.example./', true],
    ['xn--bcher-kva.example', 'http://bücher.example/', true],
    ['*.bücher.example', 'http://a.xn--bcher-kva.example/', true],
    ['127.0.0.1.', 'http://127.0.0.1/', true],
    ['0x7f.1', 'http://127.0.0.1/', true],
    ['registry.example', 'http://a.registry.example/', false],
    ['registry.example', 'http://registry.example.evil.example/', false],
    ['registry.example:4873', 'http://registry.example:4873/', true],
    ['registry.example:4873', 'http://registry.example/', false],
    ['registry.example:443', 'https://registry.example/', true],
    ['*.corp.example', 'http://a.b.corp.example/', true],
    ['.corp.example', 'http://a.corp.example/', true],
    ['*.corp.example', 'http://corp.example/', false],
    ['*.corp.example', 'http://notcorp.example/', false],
    ['build_cache', 'http://build_cache/', true],
    ['10.0.0.0/8', 'http://10.9.8.7:8081/', true],
    ['10.0.0.0/8', 'http://11.0.0.1/', false],
    ['10.1.2.3', 'http://10.1.2.3/', true],
    ['10.1.2.3:8081', 'http://10.1.2.3/', false],
    ['10.1.2.3:8081', 'http://10.1.2.3:8081/', true],
    ['0.0.0.0/0', 'http://[::ffff:10.0.0.1]/', false],
    ['fd00::/8', 'http://[fd12::1]/', true],
    ['[fd12::1]:4873', 'http://[fd12::1]:4873/', true],
    ['[fd12::1]:4873', 'http://[fd12::1]/', false],
    ['[fd12::1]', 'http://[fd12:0::1]/', true],
  ]
  for (const [text, address, expected] of cases) {
    const pattern = parseHostPattern(text)
    const endpoint = toEndpoint(new URL(address))
    const matches = matchesName(pattern, endpoint) || matchesAddress(pattern, endpoint.host, endpoint.port)
    assert.equal(matches, expected, `${text} and ${address}`)
  }
})

test('host pattern: an invalid text is refused and quoted in the message', () => {
  const texts = ['', 'http://registry.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', 'a b', 'a,b', '*', 'fd00::/129']
  const ports = [
    'registry.example:0',
    'registry.example:70000',
    '[::1]:x',
    'fe80::1%eth0',
    '*.',
    'registry.example..',
    '*.registry.example..',
    'a..example',
    'user@host',
    '/8',
    '-a',
  ]
  for (const text of [...texts, ...ports])
    assert.throws(
      () => parseHostPattern(text),
      (error: Error) => error.message.startsWith(`"${text}"`),
      text,
    )
})

test('host pattern of a URL: its host and port', () => {
  const cases = [
    ['https://registry.example/npm/', 'registry.example:443'],
    ['http://127.0.0.1:4873', '127.0.0.1:4873'],
    ['http://[::1]:4873/', '[::1]:4873'],
  ]
  for (const [url, pattern] of cases) {
    assert.equal(toHostPattern(new URL(url!)), pattern)
    assert.doesNotThrow(() => parseHostPattern(pattern!))
  }
})
