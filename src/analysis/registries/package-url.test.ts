import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import normalize from 'purl/normalize'
import { volume } from '#test/volume.ts'
import { readPackageUrl, toPackageUrl } from './package-url.ts'
import type { Registry } from './registry.ts'

const cases: [registry: Registry, name: string, version: string, url: string][] = [
  ['npm', 'lodash', '4.17.4', 'pkg:npm/lodash@4.17.4'],
  ['npm', '@scope/thing', '1.0.0-beta.1', 'pkg:npm/%40scope/thing@1.0.0-beta.1'],
  ['npm', 'a', '', 'pkg:npm/a'],
  ['npm', 'JSONStream', '1.3.5', 'pkg:npm/JSONStream@1.3.5'],
  ['npm', '@Scope/Thing', '1.0.0', 'pkg:npm/%40Scope/Thing@1.0.0'],
  ['PyPI', 'Django', '2.0RC1', 'pkg:pypi/django@2.0rc1'],
  ['RubyGems', 'RedCloth', '4.3.2', 'pkg:gem/RedCloth@4.3.2'],
  ['Maven', 'com.Example:Thing', '1.0-RC1', 'pkg:maven/com.Example/Thing@1.0-RC1'],
  ['PyPI', 'Flask_Thing.X', '1.0', 'pkg:pypi/flask-thing-x@1.0'],
  ['RubyGems', 'rack', '2.0.1', 'pkg:gem/rack@2.0.1'],
  ['Maven', 'ch.qos.logback:logback-core', '1.0.13', 'pkg:maven/ch.qos.logback/logback-core@1.0.13'],
  ['Go', 'github.com/Azure/thing', 'v1.0.0', 'pkg:golang/github.com/Azure/thing@v1.0.0'],
  [
    'Go',
    'golang.org/x/text',
    'v0.0.0-20200101000000-abcdef012345',
    'pkg:golang/golang.org/x/text@v0.0.0-20200101000000-abcdef012345',
  ],
]

describe('package URLs', () => {
  for (const [registry, name, version, url] of cases) {
    test(`package URL ${url} is written in canonical form`, () => {
      assert.equal(toPackageUrl(registry, { name, version }), url)
      assert.equal(normalize(url), url, 'is the canonical form')
    })
  }

  test('toPackageUrl: encodes characters that encodeURIComponent leaves', () => {
    const url = toPackageUrl('npm', { name: "it's(old)!*", version: '1.0.0' })
    assert.equal(url, 'pkg:npm/it%27s%28old%29%21%2A@1.0.0')
  })

  test('toPackageUrl: encodes delimiters in names and versions', () => {
    const url = toPackageUrl('npm', { name: 'a?b#c', version: 'git+ssh://git@host/x#1?y' })
    assert.equal(url, 'pkg:npm/a%3Fb%23c@git%2Bssh:%2F%2Fgit%40host%2Fx%231%3Fy')
  })
})

describe('read package URLs', () => {
  for (const [registry, name, version, url] of cases) {
    if (registry === 'PyPI') continue
    test(`package URL ${url} is read as the package that it was written for`, () => {
      assert.deepEqual(readPackageUrl(url), { registry, package: { name, version } })
    })
  }

  const read: [url: string, registry: Registry, name: string, version: string][] = [
    ['pkg:pypi/Flask_Thing.X@1.0', 'PyPI', 'Flask_Thing.X', '1.0'],
    ['pkg:npm/@scope/thing@1.0.0', 'npm', '@scope/thing', '1.0.0'],
    ['PKG://NPM/thing@1.0.0', 'npm', 'thing', '1.0.0'],
    ['pkg:maven/g/a@1.0?type=jar&classifier=x', 'Maven', 'g:a', '1.0'],
    ['pkg:golang/example.com/m@v1.0.0%2Bincompatible#sub/package', 'Go', 'example.com/m', 'v1.0.0+incompatible'],
    ['pkg:golang/stdlib@1.20.1', 'Go', 'stdlib', '1.20.1'],
    ['pkg:gem/ox@1.15.0?platform=java', 'RubyGems', 'ox', '1.15.0'],
  ]
  for (const [url, registry, name, version] of read) {
    test(`package URL ${url} is read`, () =>
      assert.deepEqual(readPackageUrl(url), { registry, package: { name, version } }))
  }

  test('readPackageUrl: the fast path and the parser agree on random URLs', () => {
    const part = fc.stringMatching(/^[\w.~-]{1,6}$/).filter((part) => !/^\.+$/.test(part))
    const qualifier = fc.tuple(fc.stringMatching(/^[a-z][a-z0-9._-]{0,4}$/), fc.stringMatching(/^[\w.~:+-]{1,6}$/))
    const urls = fc.record({
      type: fc.constantFrom('npm', 'maven', 'golang', 'gem', 'cargo'),
      scope: fc.constantFrom('', '%40'),
      parts: fc.array(part, { minLength: 1, maxLength: 3 }),
      version: fc.option(part, { nil: undefined }),
      qualifiers: fc.array(qualifier, { maxLength: 2 }),
      subpath: fc.array(part, { maxLength: 2 }),
    })
    fc.assert(
      fc.property(urls, ({ type, scope, parts, version, qualifiers, subpath }) => {
        const rest = [
          `${scope}${parts.join('/')}`,
          version === undefined ? '' : `@${version}`,
          qualifiers.length === 0 ? '' : `?${qualifiers.map((qualifier) => qualifier.join('=')).join('&')}`,
          subpath.length === 0 ? '' : `#${subpath.join('/')}`,
        ].join('')
        // The parser reads what has slashes after the scheme.
        assert.deepEqual(readPackageUrl(`pkg:${type}/${rest}`), readPackageUrl(`pkg://${type}/${rest}`))
      }),
      { numRuns: volume(2_000) },
    )
  })

  const unusable: [url: string, code: string][] = [
    ['pkg:deb/debian/curl@7.50.3-1', 'unsupported-type'],
    ['pkg:npm/scope/thing@1.0.0', 'invalid'],
    ['pkg:npm/%40scope/more/thing@1.0.0', 'invalid'],
    ['pkg:maven/artifact@1.0', 'invalid'],
    ['pkg:pypi/name/space@1.0', 'invalid'],
    ['pkg:npm/a@1%ff', 'invalid'],
    ['pkg:npm', 'invalid'],
    ['npm/a@1', 'invalid'],
    ['', 'invalid'],
  ]
  for (const [url, code] of unusable) {
    test(`package URL ${url || '(empty)'} is refused: ${code}`, () => {
      const result = readPackageUrl(url)
      assert.ok('code' in result && result.code === code && result.reason !== '', JSON.stringify(result))
    })
  }
})
