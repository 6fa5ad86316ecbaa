import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isExcluded, parseExclusions } from './exclusions.ts'
import { matchesGlob } from './glob.ts'
import { pairRenamed } from './pair-renamed.ts'
import { resolve, seenFrom } from './tree-paths.ts'

test('workspace patterns match as globs and end quickly', () => {
  const cases: [path: string, pattern: string, fits: boolean][] = [
    ['packages/a', 'packages/*', true],
    ['packages/a/b', 'packages/*', false],
    ['packages/a/b', 'packages/**', true],
    ['packages', 'packages/**', true],
    ['x/y/z', '**/z', true],
    ['z', '**/z', true],
    ['a', './a', true],
    ['a/', 'a', false],
    ['libs/core', '{apps,libs}/*', true],
    ['tools/core', '{apps,libs}/*', false],
    ['packages/ab', 'packages/a?', true],
    ['packages/a', 'packages/a?', false],
    ['aXbXc', 'a*b*c', true],
    ['aXbX', 'a*b*c', false],
  ]
  for (const [path, pattern, fits] of cases) assert.equal(matchesGlob(path, pattern), fits, `${path} ${pattern}`)
  assert.equal(matchesGlob('a'.repeat(5_000), `${'a*'.repeat(400)}b`), false, 'ends at once')
  assert.equal(matchesGlob('a', `{${','.repeat(1_000_000)}`), false, 'ends at once')
  assert.equal(matchesGlob('a'.repeat(1_001), 'a'.repeat(1_001)), false, 'a pattern that is too long')
})

test('exclusions: up to ten folder names or patterns, at any depth', () => {
  assert.deepEqual(parseExclusions(' tests , a/b,'), { names: ['tests', 'a/b'] })
  assert.deepEqual(parseExclusions(''), { names: [] })
  assert.ok('problem' in parseExclusions('a,b,c,d,e,f,g,h,i,j,k'))
  assert.ok('problem' in parseExclusions('a'.repeat(101)))
  assert.equal(isExcluded('x/tests/package.json', ['tests']), true)
  assert.equal(isExcluded('tests', ['tests']), false, 'a file is no folder')
  assert.equal(isExcluded('x/a/b/pom.xml', ['a/b']), true)
  assert.equal(isExcluded('x/a/c/pom.xml', ['a/b']), false)
  assert.equal(isExcluded('x/test-data/pom.xml', ['test*']), true)
  assert.equal(isExcluded('x/a/pom.xml', ['**/a/']), true)
})

test('renamed projects are paired by content and path ending, then if only one is left', () => {
  const placed = (path: string, digest: string | null, ecosystem = 'npm') => ({ ecosystem, path, digest })
  const pairsOf = (gone: ReturnType<typeof placed>[], added: ReturnType<typeof placed>[]) =>
    [...pairRenamed(gone, added)].map(([one, old]) => `${old.path} > ${one.path}`)
  assert.deepEqual(
    pairsOf(
      [placed('old/a/package.json', 'same'), placed('old/b/package.json', 'same'), placed('c/package.json', 'other')],
      [placed('new/b/package.json', 'same'), placed('d/package.json', 'changed')],
    ),
    ['old/b/package.json > new/b/package.json'],
    'two are left that may have become d/package.json',
  )
  assert.deepEqual(pairsOf([placed('a/pom.xml', 'x', 'maven')], [placed('b/pom.xml', 'y', 'maven')]), [
    'a/pom.xml > b/pom.xml',
  ])
  assert.deepEqual(pairsOf([placed('a/pom.xml', 'x', 'maven')], [placed('b/package.json', 'x')]), [])
  assert.deepEqual(
    pairsOf([placed('a/package.json', 'x'), placed('b/package.json', 'y')], [placed('b/package.json', 'x', 'yarn')]),
    ['b/package.json > b/package.json'],
    'another package manager took over',
  )
  assert.deepEqual(pairsOf([placed('a', null)], [placed('b', null), placed('c', null)]), [])
})

test('paths are resolved within the tree only', () => {
  assert.equal(resolve('a/b', '../c/./x'), 'a/c/x')
  assert.equal(resolve('a', '../../x'), undefined)
  assert.equal(resolve('', '..'), undefined)
  assert.equal(seenFrom('a/b', 'a/c/x'), '../c/x')
  assert.equal(seenFrom('', 'x'), 'x')
  assert.equal(seenFrom('a', 'a/x'), 'x')
  assert.equal(seenFrom('a', 'ab/x'), '../ab/x')
})
