import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExclusionTest, parseExclusions } from './exclusions.ts'
import { GlobBudget, Globs } from './glob.ts'
import { pairRenamed } from './pair-renamed.ts'
import { resolve, seenFrom } from './tree-paths.ts'

const matchesGlob = (path: string, pattern: string) => new Globs([pattern], new GlobBudget()).matching(path).length > 0

test('workspace patterns match as globs', () => {
  const cases: [path: string, pattern: string, fits: boolean][] = [
    ['packages/a', 'packages/*', true],
    ['packages/a/b', 'packages/*', false],
    ['packages/a/b', 'packages/**', true],
    ['packages', 'packages/**', true],
    ['x/y/z', '**/z', true],
    ['z', '**/z', true],
    ['x/a/y/b', '**/a/**/**/b', true],
    ['x/a/y/c', '**/a/**/b', false],
    ['a', './a', true],
    ['a/', 'a', false],
    ['libs/core', '{apps,libs}/*', true],
    ['libs/x/core', '{apps,libs/{x,y}}/core', true],
    ['tools/core', '{apps,libs}/*', false],
    ['packages/ab', 'packages/a?', true],
    ['packages/a', 'packages/a?', false],
    ['packages/a', 'packages/*a*', true],
    ['aXbXc', 'a*b*c', true],
    ['aXbX', 'a*b*c', false],
    ['a', '{a', false],
    ['{a', '{a', true],
  ]
  for (const [path, pattern, fits] of cases) assert.equal(matchesGlob(path, pattern), fits, `${path} ${pattern}`)
  assert.equal(matchesGlob('a', `{${','.repeat(1_000_000)}`), false, 'ends at once')
  assert.equal(matchesGlob('a'.repeat(1_001), 'a'.repeat(1_001)), false, 'a pattern that is too long')
  const globs = new Globs(['**', 'a/*', 'b', 'a/{b,?}'], new GlobBudget())
  assert.deepEqual(globs.matching('a/b').toSorted(), [0, 1, 3])
  assert.deepEqual(
    globs.matchingLevels('b/c').map((ends) => ends.toSorted()),
    [[0, 2], [0]],
  )
})

test('globs: a budget limits the steps of all patterns of a tree, beyond which nothing matches', () => {
  const deep = 'a/'.repeat(48)
  const braces = Array.from({ length: 60 }, (_, index) => `${'{a,b}/'.repeat(6)}${'a/'.repeat(42)}z${index}`)
  const enough = new GlobBudget()
  const globs = new Globs([...braces, `${deep}p*`], enough)
  for (let index = 0; index < 400; index++) assert.deepEqual(globs.matching(`${deep}p${index}`), [60])
  assert.equal(enough.isSpent, false)
  const hostile: (readonly [pattern: string, path: string])[] = [
    [`${'a*'.repeat(400)}b`, 'a'.repeat(20_000)],
    [`${'{*,**}/a/'.repeat(6)}b`, 'a/'.repeat(20_000)],
    [`${'**/*a*/'.repeat(20)}b`, 'a/'.repeat(20_000)],
  ]
  for (const [pattern, path] of hostile) {
    const budget = new GlobBudget(1_000_000)
    const tree = new Globs(['**', ...Array.from({ length: 50 }, (_, index) => `${pattern}${index}`)], budget)
    assert.deepEqual(tree.matching(path), [], pattern)
    assert.equal(budget.isSpent, true, pattern)
  }
})

test('exclusions: up to ten folder names or patterns, at any depth', () => {
  assert.deepEqual(parseExclusions(' tests , a/b,'), { names: ['tests', 'a/b'] })
  assert.deepEqual(parseExclusions(''), { names: [] })
  assert.ok('problem' in parseExclusions('a,b,c,d,e,f,g,h,i,j,k'))
  assert.ok('problem' in parseExclusions('a'.repeat(101)))
  const isExcluded = (path: string, names: readonly string[]) => createExclusionTest(names, new GlobBudget())(path)
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
