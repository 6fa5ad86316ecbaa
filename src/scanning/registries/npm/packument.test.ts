import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { parsePackument } from './packument.ts'

const parse = (document: unknown) =>
  parsePackument(Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)), 'a')
const parseVersion = (manifest: unknown) => parse({ name: 'a', versions: { '1.0.0': manifest } }).versions['1.0.0']!

test('packument: members needed for resolution are kept, others dropped', () => {
  const packument = {
    name: 'a',
    modified: '2026-01-01T00:00:00.000Z',
    'dist-tags': { latest: '1.0.0', next: '2.0.0-0' },
    versions: {
      '1.0.0': {
        name: 'a',
        version: '1.0.0',
        dependencies: { b: '^1.0.0' },
        optionalDependencies: { c: '1' },
        devDependencies: { d: '*' },
        peerDependencies: { e: '>=1', f: '2' },
        peerDependenciesMeta: { e: { optional: true }, f: { optional: false }, g: { optional: true } },
        deprecated: 'use b',
        license: 'MIT',
        dist: { tarball: 'http://registry.example/a.tgz', integrity: 'sha512-x' },
      },
      '2.0.0-0': {},
    },
  }
  assert.deepEqual(parse(packument), {
    name: 'a',
    tags: { latest: '1.0.0', next: '2.0.0-0' },
    versions: {
      '1.0.0': {
        dependencies: { b: '^1.0.0' },
        optionalDependencies: { c: '1' },
        peerDependencies: { e: '>=1', f: '2' },
        optionalPeers: ['e', 'g'],
        deprecated: true,
        license: 'MIT',
      },
      '2.0.0-0': {
        dependencies: {},
        optionalDependencies: {},
        peerDependencies: {},
        optionalPeers: [],
        deprecated: false,
      },
    },
  })
})

test('packument: bundled dependencies are recognized in every spelling', () => {
  const manifest = { dependencies: { b: '1', c: '1' }, optionalDependencies: { d: '1' } }
  const cases: [said: object, bundled: string[] | undefined][] = [
    [{ bundleDependencies: ['b', 'd', 'elsewhere', 7] }, ['b', 'd']],
    [{ bundledDependencies: ['c'] }, ['c']],
    [{ bundleDependencies: { b: '1' } }, ['b']],
    [{ bundleDependencies: true }, ['b', 'c', 'd']],
    [{ bundleDependencies: false, bundledDependencies: ['b'] }, undefined],
    [{ bundleDependencies: [] }, undefined],
    [{ bundleDependencies: 'b' }, undefined],
  ]
  for (const [said, bundled] of cases) {
    assert.deepEqual(parseVersion({ ...manifest, ...said }).bundled, bundled, JSON.stringify(said))
  }
})

test('packument: a document of another package throws RegistryUnreachable', () => {
  const documents = [
    '',
    '{',
    'null',
    '[]',
    '"a"',
    '1',
    {},
    { name: 'b' },
    { name: ['a'] },
    { _id: 'a' },
    '{"__proto__":{"name":"a"}}',
  ]
  for (const document of documents) assert.throws(() => parse(document), RegistryUnreachable, JSON.stringify(document))
})

test('packument: members of the wrong type are dropped', () => {
  for (const versions of [undefined, null, [], 'x', 1]) assert.deepEqual(parse({ name: 'a', versions }).versions, {})
  for (const version of [null, [], 'x', 1, true])
    assert.deepEqual(parse({ name: 'a', versions: { '1.0.0': version } }).versions, {})
  assert.deepEqual(parse({ name: 'a', 'dist-tags': { latest: 1, next: null, old: '1.0.0' } }).tags, { old: '1.0.0' })
  assert.deepEqual(
    parseVersion({ peerDependenciesMeta: { b: true, c: null, d: { optional: 'yes' } } }).optionalPeers,
    [],
  )
  const tooLong = 'x'.repeat(2_000)
  assert.deepEqual(parse({ name: 'a', 'dist-tags': { latest: tooLong }, versions: { [tooLong]: {} } }), {
    name: 'a',
    tags: {},
    versions: {},
  })
})

test('packument: a dependency with an unusable range is kept as unusable', () => {
  const { dependencies } = parseVersion({
    dependencies: { b: 1, c: null, d: { e: '1' }, f: '^1', g: 'x'.repeat(2_000), h: '' },
  })
  assert.deepEqual(Object.keys(dependencies), ['b', 'c', 'd', 'f', 'g', 'h'])
  assert.equal(dependencies['b'], 'unusable:1')
  assert.equal(dependencies['c'], 'unusable:null')
  assert.equal(dependencies['d'], 'unusable:{"e":"1"}')
  assert.equal(dependencies['f'], '^1')
  assert.equal(dependencies['h'], '')
  assert.match(dependencies['g']!, /^unusable:x{1024}$/)
})

test('packument: __proto__ and constructor are harmless', () => {
  const poison = '{"__proto__":{"polluted":"yes"},"constructor":"1.0.0","toString":"2.0.0"}'
  const document = `{"name":"a","dist-tags":${poison},"versions":{"__proto__":{"dependencies":{"b":"1"}},"1.0.0":{"dependencies":${poison}}}}`
  const { tags, versions } = structuredClone(parse(document))
  assert.deepEqual(Object.keys(tags), ['constructor', 'toString'])
  assert.deepEqual(Object.keys(versions), ['1.0.0'])
  assert.deepEqual(Object.keys(versions['1.0.0']!.dependencies), ['constructor', 'toString'])
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('packument: licenses and deprecation are read in all historical forms', () => {
  const licenses: [manifest: unknown, license: string | undefined][] = [
    [{ license: 'MIT' }, 'MIT'],
    [{ license: '(MIT OR Apache-2.0)' }, '(MIT OR Apache-2.0)'],
    [{ license: { type: 'BSD', url: 'http://license.example/' } }, 'BSD'],
    [{ licenses: [{ type: 'MIT' }, { type: 'GPL-2.0' }] }, '(MIT OR GPL-2.0)'],
    [{ licenses: [{ type: 'MIT' }] }, 'MIT'],
    [{ license: ['MIT', 'ISC'] }, '(MIT OR ISC)'],
    [{ license: '' }, undefined],
    [{ license: 1 }, undefined],
    [{ license: { type: {} } }, undefined],
    [{}, undefined],
  ]
  for (const [manifest, license] of licenses)
    assert.equal(parseVersion(manifest).license, license, JSON.stringify(manifest))
  const deprecations: [value: unknown, deprecated: boolean][] = [
    ['use b', true],
    [true, true],
    ['', false],
    [false, false],
    [null, false],
    [1, false],
  ]
  for (const [deprecated, expected] of deprecations) assert.equal(parseVersion({ deprecated }).deprecated, expected)
})

test('packument: thousands of versions and dependencies are read', () => {
  const dependencies = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`d${n}`, '*']))
  const versions = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`1.0.${n}`, { dependencies }]))
  assert.equal(Object.keys(parse({ name: 'a', versions }).versions['1.0.199']!.dependencies).length, 1_000)
})
