import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { parseModDocument, parseVersionList } from './proxy-documents.ts'

const parse = (text: string) => parseModDocument(Buffer.from(text), 'example.com/a')

test('go.mod: everything that affects dependents is parsed in every spelling', () => {
  const text = `// Deprecated: use b
module "example.com/a" // a comment

go 1.21
toolchain go1.22.1
require example.com/b v1.2
require (
	example.com/c v0.0.0-20210101000000-0123456789ab // indirect
	\`example.com/d\` v2.0.0+incompatible
)
require ()
exclude example.com/b v1.3.0
replace example.com/b => ../b
retract v1.9.0 // a mistake
retract [v1.0.0, v1.1.0]
future directive => here
`
  assert.deepEqual(parse(text), {
    path: 'example.com/a',
    go: '1.21',
    requires: [
      { path: 'example.com/b', version: 'v1.2.0' },
      { path: 'example.com/c', version: 'v0.0.0-20210101000000-0123456789ab' },
      { path: 'example.com/d', version: 'v2.0.0+incompatible' },
    ],
    retracts: [
      { low: 'v1.9.0', high: 'v1.9.0' },
      { low: 'v1.0.0', high: 'v1.1.0' },
    ],
  })
  assert.equal(parse('module a\ngo 1.17.x-beta\n').go, '1.17')
  assert.deepEqual(parse('\uFEFFmodule a\r\nrequire b v1.0.0+meta\r\n').requires, [{ path: 'b', version: 'v1.0.0' }])
})

test('go.mod: other documents throw RegistryUnreachable', () => {
  for (const text of [
    '',
    '<html></html>',
    '{"error":"x"}',
    'not found',
    'module a\nrequire (',
    'module a\nrequire b x',
  ]) {
    assert.throws(() => parse(text), RegistryUnreachable, text)
  }
})

test('list of versions: invalid lines are skipped; other documents and too long lists are refused', () => {
  const list = (text: string) => parseVersionList(Buffer.from(text), 'example.com/a')
  assert.deepEqual(list('v1.0.0\nv1.1.0-rc.1\r\n\nmain\nv2.0.0+incompatible\n'), [
    'v1.0.0',
    'v1.1.0-rc.1',
    'v2.0.0+incompatible',
  ])
  assert.deepEqual(list(''), [])
  assert.throws(() => list('<html>'), RegistryUnreachable)
  assert.throws(() => list('v1.0.0\n'.repeat(100_002)), /too many versions/)
})
