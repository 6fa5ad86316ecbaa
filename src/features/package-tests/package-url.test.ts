import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import normalise from 'purl/normalize'
import type { Registry } from '#analysis/ecosystems/ecosystem.ts'
import { toPackageUrl } from './package-url.ts'

const cases: [registry: Registry, name: string, version: string, url: string][] = [
  ['npm', 'lodash', '4.17.4', 'pkg:npm/lodash@4.17.4'],
  ['npm', '@scope/thing', '1.0.0-beta.1', 'pkg:npm/%40scope/thing@1.0.0-beta.1'],
  ['npm', 'a', '', 'pkg:npm/a'],
  ['PyPI', 'Flask_Thing.X', '1.0', 'pkg:pypi/flask-thing-x@1.0'],
  ['RubyGems', 'rack', '2.0.1', 'pkg:gem/rack@2.0.1'],
  ['Maven', 'ch.qos.logback:logback-core', '1.0.13', 'pkg:maven/ch.qos.logback/logback-core@1.0.13'],
  ['Go', 'github.com/Azure/thing', 'v1.0.0', 'pkg:golang/github.com/azure/thing@v1.0.0'],
  [
    'Go',
    'golang.org/x/text',
    'v0.0.0-20200101000000-abcdef012345',
    'pkg:golang/golang.org/x/text@v0.0.0-20200101000000-abcdef012345',
  ],
]

describe('package URLs', () => {
  for (const [registry, name, version, url] of cases) {
    test(url, () => {
      assert.equal(toPackageUrl(registry, { name, version }), url)
      assert.equal(normalise(url), url, 'is the canonical form')
    })
  }

  test('nothing in a name or a version breaks out of its part', () => {
    const url = toPackageUrl('npm', { name: 'a?b#c', version: 'git+ssh://git@host/x#1?y' })
    assert.equal(url, 'pkg:npm/a%3Fb%23c@git%2Bssh:%2F%2Fgit%40host%2Fx%231%3Fy')
  })
})
