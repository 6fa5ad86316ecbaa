import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compilePaths, meets } from '#analysis/findings/path-automaton.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { fitsStep, parseIgnorePath, parsePackage } from './ignore-path.ts'

function isMet(rule: string, path: string, registry: Registry = 'npm'): boolean {
  const parsed = parseIgnorePath(rule)
  assert.ok(typeof parsed === 'object', `${rule} ${parsed}`)
  if (parsed.steps.length === 0) return true
  return meets(compilePaths([parsed], registry), path.split(' > ').map(parsePackage))
}

describe('paths of ignores', () => {
  const cases: readonly [rule: string, path: string, expected: boolean][] = [
    ['*', 'a@1.0.0', true],
    ['', 'a@1.0.0 > b@1.0.0', true],
    ['  * ', 'a@1.0.0', true],
    ['* > *', 'a@1.0.0', true],
    ['a', 'a@1.0.0', true],
    ['a', 'b@1.0.0', false],
    ['b', 'a@1.0.0 > b@1.0.0', false],
    ['a > b', 'a@1.0.0 > b@1.0.0', true],
    ['a > b', 'a@1.0.0', false],
    ['a > b', 'a@1.0.0 > c@1.0.0 > b@1.0.0', false],
    // Longer paths match too.
    ['a > b', 'a@1.0.0 > b@1.0.0 > c@1.0.0', true],
    ['a > *', 'a@1.0.0', true],
    ['a > *', 'a@1.0.0 > b@1.0.0 > c@1.0.0', true],
    ['a > * > c', 'a@1.0.0 > c@1.0.0', true],
    ['a > * > c', 'a@1.0.0 > b@1.0.0 > b@2.0.0 > c@1.0.0', true],
    ['a > * > c', 'b@1.0.0 > a@1.0.0 > c@1.0.0', false],
    ['* > c', 'c@1.0.0', true],
    ['* > c', 'a@1.0.0 > b@1.0.0 > c@1.0.0', true],
    ['* > c', 'a@1.0.0 > b@1.0.0', false],
    // The first match of the next part may be the wrong one.
    ['* > a > c', 'a@1.0.0 > b@1.0.0 > a@2.0.0 > c@1.0.0', true],
    ['* > a@2 > c', 'a@1.0.0 > a@2.0.0 > c@1.0.0', true],
    ['* > a > a > b', 'a@1.0.0 > a@2.0.0 > a@3.0.0 > b@1.0.0', true],
    ['a@1.0.0', 'a@1.0.0', true],
    ['a@1.0.0', 'a@1.0.1', false],
    ['a@*', 'a@1.0.0-beta.1', true],
    ['a@^1.2.0', 'a@1.9.9', true],
    ['a@^1.2.0', 'a@2.0.0', false],
    ['a@1.x', 'a@1.4.0', true],
    ['a@>=1.0.0 <2.0.0 > b@>3', 'a@1.5.0 > b@4.0.0', true],
    ['a@>=1.0.0 <2.0.0 > b@>3', 'a@1.5.0 > b@3.0.0', false],
    ['@scope/a', '@scope/a@1.0.0', true],
    ['@scope/a@^1', '@scope/a@1.2.3 > b@1.0.0', true],
    ['@scope/a@^2', '@scope/a@1.2.3', false],
    ['@scope/a > * > @other/b@2.0.0', '@scope/a@1.0.0 > c@1.0.0 > @other/b@2.0.0', true],
    ['a@nonsense', 'a@1.0.0', false],
    ['a@github:b/a#1', 'a@github:b/a#1', true],
    ['constructor > __proto__', 'constructor@1.0.0 > __proto__@1.0.0', true],
  ]
  for (const [rule, path, expected] of cases) {
    test(`ignore path "${rule}" ${expected ? 'matches' : 'does not match'} ${path}`, () =>
      assert.equal(isMet(rule, path), expected))
  }

  const ofRegistries: readonly [registry: Registry, rule: string, path: string, expected: boolean][] = [
    ['PyPI', 'Jinja2', 'jinja2@2.10', true],
    ['PyPI', 'zope.interface@==5.*', 'zope-interface@5.4', true],
    ['PyPI', 'a@1.0', 'a@1.0.0', true],
    ['PyPI', 'a@<2', 'a@1.5', true],
    ['PyPI', 'a@^1.0.0', 'a@1.5.0', true],
    ['npm', 'A', 'a@1.0.0', false],
    ['Maven', 'g:a@1.0', 'g:a@1.0.0', true],
    ['Maven', 'g:a@1.0', 'g:a@2.0', false],
    ['Maven', 'g:a@ 1.0', 'g:a@1.0.0', true],
    ['PyPI', 'a@1.0rc1', 'a@1.0.0rc1', true],
    ['RubyGems', 'rack@2.2', 'rack@3.0.0', false],
    ['Go', 'example.test/m@v1.2.3', 'example.test/m@v2.2.3', false],
    ['Maven', 'g:a@[1.0,2.0)', 'g:a@1.5', true],
    ['Maven', 'g:a@[1.0,2.0)', 'g:a@2.0', false],
    ['Maven', 'g:a@<2.0.0', 'g:a@1.5.0', true],
    ['Maven', 'g:a@<2.0.0', 'g:a@2.5.0', false],
    ['RubyGems', 'rack@~> 2.0', 'rack@2.2.3', true],
    ['RubyGems', 'rack@~> 2.0', 'rack@3.0.0', false],
    ['RubyGems', 'rack@2.2', 'rack@2.2.0', true],
    ['Go', 'example.test/m@v1.2.3', 'example.test/m@v1.2.3', true],
    ['Go', 'example.test/m@<v1.3.0', 'example.test/m@v1.2.3', true],
    ['Go', 'example.test/m@<1.2.0', 'example.test/m@v1.2.3', false],
  ]
  for (const [registry, rule, path, expected] of ofRegistries) {
    test(`${registry}: ignore path "${rule}" ${expected ? 'matches' : 'does not match'} ${path}`, () => {
      assert.equal(isMet(rule, path, registry), expected)
    })
  }

  test('ignore paths are normalized', () => {
    for (const [written, kept] of [
      ['', '*'],
      ['  ', '*'],
      [' a >  b ', 'a > b'],
      ['a@ 1.0.0 > *', 'a@ 1.0.0 > *'],
    ] as const) {
      const parsed = parseIgnorePath(written)
      assert.equal(typeof parsed === 'object' && parsed.text, kept)
    }
  })

  test('an invalid ignore path is refused with its fault', () => {
    for (const [written, fault] of [
      ['a >  > b', /empty part/],
      [' > a', /empty part/],
      ['a > ', /empty part/],
      ['a>b', /> within a name/],
      ['a@', /no version/],
      ['@scope/a@ > b', /no version/],
      ['a* > b', /\* within a name/],
      ['*@1.0.0', /\* within a name/],
      [Array.from({ length: 101 }, () => 'a').join(' > '), /more than 100/],
    ] as const) {
      const parsed = parseIgnorePath(written)
      assert.ok(typeof parsed === 'string', written)
      assert.match(parsed, fault)
    }
  })

  test('an ignore path of one hundred parts is matched against 5,000 packages', () => {
    const rule = Array.from({ length: 50 }, () => '* > a').join(' > ')
    const path = Array.from({ length: 5000 }, (_, at) => (at < 4999 ? 'a@1.0.0' : 'b@1.0.0')).join(' > ')
    assert.equal(isMet(`${rule.slice(0, -4)} > c`, path), false)
  })
})

test('versions that are not valid match only themselves', () => {
  for (const registry of ['npm', 'PyPI', 'RubyGems', 'Maven', 'Go'] as const) {
    assert.equal(fitsStep(registry, 'file:../a', 'file:../a'), true, registry)
    assert.equal(fitsStep(registry, 'file:../a', 'file:../b'), false, registry)
    assert.equal(fitsStep(registry, '', '<2'), false, registry)
  }
})
