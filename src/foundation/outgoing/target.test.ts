import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHostPattern } from './host-patterns.ts'
import { OutgoingRefused, type RefusalReason } from './outgoing-errors.ts'
import { parseRedirect, parseTarget } from './target.ts'

test('target: forbidden URLs are refused in every spelling', () => {
  const cases: [reason: RefusalReason, ...urls: string[]][] = [
    [
      'url',
      '',
      'registry.example/left',
      'http://',
      'http://[::1',
      'http://a b/',
      'http://registry.example../',
      'http://registry.example.%2e/',
      'http://127.0.0.1../',
      'http://169.254.169.254%2e%2e/',
      'http://localhost..:80/',
      'http://registry..example/',
      'http://.registry.example/',
      'http://../',
      `http://registry.example/${'x'.repeat(8_000)}`,
    ],
    [
      'scheme',
      'file:///etc/passwd',
      'ftp://registry.example/',
      'gopher://registry.example/',
      'data:,x',
      'ws://registry.example',
    ],
    ['scheme', 'unix:/var/run/docker.sock', 'javascript:1', 'git+ssh://registry.example/'],
    [
      'credentials',
      'http://user:secret@registry.example/',
      'https://token@registry.example/',
      'http://:secret@registry.example/',
    ],
    ['address', 'http://127.0.0.1/', 'http://127.1/', 'http://0x7f000001/', 'http://0177.0.0.1/', 'http://2130706433/'],
    [
      'address',
      'http://0x7f.0.0.1/',
      'http://0/',
      'http://127.0.0.1./',
      'http://127.0.0.1%2e/',
      'http://0x7f.1./',
      'http://１２７.0.0.1/',
      'http://127。0。0。1/',
    ],
    [
      'address',
      'http://[::1]/',
      'http://[::]/',
      'http://[0:0:0:0:0:0:0:1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:7f00:1]/',
    ],
    [
      'address',
      'http://10.0.0.1/',
      'http://192.168.1.1/',
      'http://172.20.0.1/',
      'http://169.254.169.254/latest/meta-data/',
    ],
    ['address', 'http://100.100.100.200/', 'http://[fd00:ec2::254]/', 'http://[fe80::1]/', 'http://[64:ff9b::a00:1]/'],
    ['address', 'http://[2002:a00:1::]/', 'http://224.0.0.1/', 'http://255.255.255.255/', 'http://[ff02::1]/'],
    ['port', 'http://8.8.8.8:22/', 'https://8.8.8.8:6379/', 'http://[2606:4700::1]:25/'],
  ]
  for (const [reason, ...urls] of cases)
    for (const url of urls)
      assert.throws(
        () => parseTarget(url, []),
        (error) => error instanceof OutgoingRefused && error.reason === reason,
        url,
      )
})

test('target: a refusal names the setting that would allow the URL, if any', () => {
  assert.throws(() => parseTarget('http://10.0.0.1/a', []), {
    setting: 'GATEHOUSE_OUTGOING_ALLOW',
    message:
      'Refused to request http://10.0.0.1/a: it has an address that is not public: private (GATEHOUSE_OUTGOING_ALLOW can allow it)',
  })
  assert.throws(() => parseTarget('file:///etc/passwd', []), { setting: undefined })
})

test('target: refusals contain no credentials, query or fragment', () => {
  const urls = [
    'http://user:hunter2@registry.example/a?q=hunter2',
    'http://127.0.0.1/a?token=hunter2#hunter2',
    'ftp://hunter2@a/',
  ]
  for (const url of [...urls, 'http://hunter2 hunter2/'])
    assert.throws(
      () => parseTarget(url, []),
      (error) => error instanceof Error && !JSON.stringify([error.message, error.stack, error]).includes('hunter2'),
    )
})

test('target: spellings of a host are normalized, in requests and redirects', () => {
  const spellings = [
    'http://bücher.example/a',
    'http://BÜCHER.Example/a',
    'http://B%C3%BCcher.example./a',
    'http://xn--bcher-kva.example./a',
    'http://xn--BCHER-kva.example:80/a',
    'http://bücher。example。/a',
  ]
  for (const url of spellings) {
    assert.equal(parseTarget(url, []).href, 'http://xn--bcher-kva.example/a', url)
    assert.equal(parseRedirect(new URL('http://registry.example/'), url, []).host, 'xn--bcher-kva.example', url)
  }
  const ported = [parseHostPattern('Registry.Example.:8081')]
  assert.equal(parseTarget('https://REGISTRY.example.:8081/', ported).href, 'https://registry.example:8081/')
  const from = new URL('https://registry.example/a')
  for (const url of ['https://other.example../', '//127.0.0.1../'])
    assert.throws(() => parseRedirect(from, url, []), { code: 'bad-redirect' })
})

test('target: public URLs pass, without their fragment', () => {
  assert.equal(parseTarget('https://registry.example/a?b#c', []).href, 'https://registry.example/a?b')
  assert.equal(parseTarget(new URL('http://8.8.8.8/'), []).href, 'http://8.8.8.8/')
  assert.equal(parseTarget('http://127.0.0.1:99/', [parseHostPattern('127.0.0.0/8')]).port, '99')
})

test('target: a redirect is checked like a request and may not leave https', () => {
  const from = new URL('https://registry.example/a/b')
  assert.equal(parseRedirect(from, '../c', []).href, 'https://registry.example/c')
  assert.equal(parseRedirect(from, '//other.example/c', []).href, 'https://other.example/c')
  assert.throws(() => parseRedirect(from, 'http://[', []), { code: 'bad-redirect' })
  assert.throws(() => parseRedirect(from, 'file:///etc/passwd', []), { reason: 'scheme' })
  assert.throws(() => parseRedirect(from, 'https://127.0.0.1/', []), { reason: 'address' })
  assert.throws(() => parseRedirect(from, 'https://user:secret@registry.example/', []), { reason: 'credentials' })
  assert.throws(() => parseRedirect(from, 'http://registry.example/', []), { reason: 'downgrade' })
  const allowed = [parseHostPattern('registry.example')]
  assert.equal(parseRedirect(from, 'http://registry.example/', allowed).href, 'http://registry.example/')
})
