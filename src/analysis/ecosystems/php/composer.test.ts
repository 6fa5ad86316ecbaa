import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentHash } from './content-hash.ts'
import { composer } from './index.ts'
import { md5 } from './md5.ts'

test('MD5: has the values of RFC 1321, also at the ends of blocks', () => {
  assert.equal(md5(''), 'd41d8cd98f00b204e9800998ecf8427e')
  assert.equal(md5('message digest'), 'f96b697d7cb7938d525a2f31aaf161d0')
  assert.equal(md5('1234567890'.repeat(8)), '57edf4a22be3c955ac49da2e2107b67a')
  assert.equal(md5('a'.repeat(55)), 'ef1772b6dff9a122358552954ad0df65')
  assert.equal(md5('a'.repeat(56)), '3b0c8ac703f828b04c6c197006d17218')
  assert.equal(md5('a'.repeat(64)), '014842d480b571495a4a0363793f7367')
})

test('content-hash of composer.json: has the value that Composer 2.5 writes', () => {
  const manifest = {
    type: 'project',
    require: { php: '^8.2', 'a/b': '1.*' },
    name: 'a/p',
    extra: { text: 'é / “😀”\n\u007f', none: null, empty: {}, list: [1, true, {}], at: 'http://registry.example/' },
    config: { platform: { php: '8.2' }, 'sort-packages': true },
  }
  assert.equal(contentHash(manifest), '280846fde3f1f9704e87e831959c25a7')
  assert.equal(contentHash({}), 'd751713988987e9331980363e24189ce')
})

test('content-hash of composer.json: unknown where the order of keys or the spelling of a number is lost', () => {
  assert.equal(contentHash({ extra: { b: 1, 0: 2 } }), undefined)
  assert.equal(contentHash({ extra: [1.5] }), undefined)
})

test('composer.json: a raised range keeps its notation and allows the version', () => {
  const raised: readonly (readonly [string, string, string | undefined])[] = [
    ['1.2.3', '1.4.2', '1.4.2'],
    ['=v1.2.3', '1.4.2', '=v1.4.2'],
    ['^1.2', 'v1.4.2', '^1.4.2'],
    ['~1.2', '1.4.2', '^1.4.2'],
    ['~1.2.3', '1.4.2', '~1.4.2'],
    ['1.2.*', '1.4.2', '~1.4.2'],
    ['1.x', '1.4.2', '^1.4.2'],
    ['>=1.2 <2.0', '1.4.2', '>=1.4.2 <2.0'],
    ['>1.2,!=1.3,<2', '1.4.2', '>=1.4.2,!=1.3,<2'],
    ['1.0 - 2.0', '1.4.2', '1.4.2 - 2.0'],
    ['^1.2 || ^2.0', '2.4.2', '^2.4.2'],
    ['^1.2|^2.0', '1.4.2', '^1.4.2'],
    ['^1.2 || ^2.0', '3.0.1', '^3.0.1'],
    ['*', '1.4.2', undefined],
    ['dev-main', '1.4.2', undefined],
    ['dev-main as 1.2', '1.4.2', undefined],
    ['^1.2@dev', '1.4.2', undefined],
  ]
  for (const [written, version, expected] of raised) {
    assert.equal(composer.raiseRange(written, version), expected, written)
    if (expected !== undefined) assert.ok(composer.versions.satisfies(version, expected), expected)
  }
})

test('composer files: declarations and entries have the line and the position of the range', async () => {
  const manifest =
    '{\n  "require": {\n    "php": "^8",\n    "Acme/Log": "^1.2"\n  },\n  "require-dev": { "acme/t": "*" }\n}\n'
  const lock = '{\n  "packages": [\n    {\n      "name": "acme/log",\n      "version": "v1.2.3"\n    }\n  ]\n}\n'
  const located = await composer.locate({ target: lock, additional: [manifest] })
  assert.deepEqual(
    located.map(({ name, file, line, range, version }) => [name, file, line, range?.text ?? version]),
    [
      ['php', 0, 3, '^8'],
      ['acme/log', 0, 4, '^1.2'],
      ['acme/t', 0, 6, '*'],
      ['acme/log', 'target', 4, 'v1.2.3'],
    ],
  )
  const { range } = located[1]!
  assert.equal(manifest.slice(range!.start, range!.end), '^1.2')
})
