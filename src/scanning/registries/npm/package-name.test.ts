import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNpmPackageName, toPathSegment } from './package-name.ts'

test('npm package names: possible names are accepted and encoded for URLs', () => {
  const cases: [name: string, segment: string][] = [
    ['left-pad', 'left-pad'],
    ['JSONStream', 'JSONStream'],
    ['@scope/name', '@scope%2Fname'],
    ['@types/node', '@types%2Fnode'],
    ['a.b_c~d', 'a.b_c~d'],
    ["it's(old)!*", "it's(old)!*"],
    ['@scope/-', '@scope%2F-'],
    ['constructor', 'constructor'],
    ['x'.repeat(214), 'x'.repeat(214)],
  ]
  for (const [name, segment] of cases) {
    assert.ok(isNpmPackageName(name), name)
    assert.equal(toPathSegment(name), segment)
  }
})

test('npm package names: impossible names are refused', () => {
  const traversals = [
    '..',
    '.',
    '../x',
    'a/b',
    '@a/b/c',
    '@a/../b',
    'a/../b',
    '@../b',
    '@a/.',
    '@a/..',
    '/a',
    'a\\b',
    '%2e%2e',
  ]
  const signs = [
    'a?b',
    'a#b',
    'a%b',
    'a b',
    'a\nb',
    'a\0b',
    'ä',
    'a:b',
    'http://registry.example/',
    '@',
    '@a',
    '@a/',
    '@/a',
    'a@1',
  ]
  const others = ['', '.hidden', '_private', '__proto__', 'x'.repeat(215)]
  for (const name of [...traversals, ...signs, ...others]) assert.ok(!isNpmPackageName(name), JSON.stringify(name))
})
