import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { digestOfImports, isImported, isStillImported } from './imported.ts'

describe('isImported', () => {
  const module = 'github.com/a/b'
  const cases: [why: string, module: string, affected: string[] | undefined, present: string[][], isFound: boolean][] =
    [
      [
        'the affected package is imported',
        module,
        ['github.com/a/b/c'],
        [['github.com/a/b', 'github.com/a/b/c']],
        true,
      ],
      [
        'only other packages are imported',
        module,
        ['github.com/a/b/c'],
        [['github.com/a/b', 'github.com/a/b/cd']],
        false,
      ],
      ['the root of the module is affected', module, [module], [['github.com/a/b/c']], false],
      ['a package below an affected one', module, [module], [['github.com/a/b/c', module]], true],
      ['an internal package', module, ['github.com/a/b/internal/x'], [['github.com/a/b/internal/x']], true],
      ['no package of the module', module, ['github.com/a/b/c'], [[]], false],
      ['the advisory names no packages', module, undefined, [[]], true],
      ['two nodes, of which one has it', module, ['github.com/a/b/c'], [[], ['github.com/a/b/c']], true],
      ['a copied folder', module, ['github.com/a/b/c/d'], [['github.com/a/b/c/...']], true],
      ['another copied folder', module, ['github.com/a/b/c'], [['github.com/a/b/cd/...']], false],
      ['a folder copied as a whole', module, ['github.com/a/b'], [['github.com/a/b/...']], true],
      [
        'a major version in the path only there',
        'github.com/a/b/v2',
        ['github.com/a/b/v2/c'],
        [['github.com/a/b/c']],
        true,
      ],
      ['capitals', 'github.com/A/b', ['github.com/A/b/c'], [['github.com/a/B/c']], true],
      ['through gopkg.in', 'gopkg.in/yaml.v2', ['gopkg.in/yaml.v2'], [['github.com/go-yaml/yaml']], true],
      ['through gopkg.in with an owner', 'gopkg.in/x/y.v1', ['gopkg.in/x/y.v1/z'], [['github.com/x/y/z']], true],
      ['a path of the module and one that is not', module, [`${module}/c`, 'github.com/other/c'], [[]], true],
      [
        'a copied folder with one of two affected',
        module,
        [`${module}/c/d`, `${module}/e`],
        [[`${module}/c/...`]],
        true,
      ],
      ['a path that is not of the module', module, ['github.com/other/c'], [[module]], true],
      ['the standard library', 'stdlib', ['net/http'], [[]], true],
    ]
  for (const [why, name, packages, present, isFound] of cases) {
    test(`isImported, ${why}: ${isFound ? 'affected' : 'not imported'}`, () => {
      assert.equal(
        isImported(
          { module: name, packages },
          present.map((packages) => ({ packages })),
        ),
        isFound,
      )
    })
  }

  test('isImported: true without a list of imported packages', () => {
    assert.equal(isImported({ module, packages: ['github.com/a/b/c'] }, [{}]), true)
    assert.equal(isImported({ module, packages: ['github.com/a/b/c'] }, [{ packages: [] }, {}]), true)
  })
})

// Stored with judgments: another digest would bring issues back that were not imported.
test('digests of import paths equal those of stored results', () => {
  const digests = [['m/b', 'm/a'], ['m/am/b'], ['m/308']].map(digestOfImports)
  assert.deepEqual(digests, ['7b75071cf1391413', '9b5f8f926b361e63', '0697a2ba52d7506d'])
})

describe('isStillImported', () => {
  const judged = { 'GO-1': digestOfImports(['m/a', 'm/b']) }

  test('isStillImported: false only for the judged import paths and ids, in any order', () => {
    const cases: [ids: string[], packages: string[] | undefined, isImported: boolean][] = [
      [['GO-1'], ['m/b', 'm/a'], false],
      [['GHSA-1', 'GO-1'], ['m/a', 'm/b'], false],
      [['GO-1'], ['m/a', 'm/b', 'm/c'], true],
      [['GO-1'], ['m/a'], true],
      [['GO-1'], undefined, true],
      [['GO-2'], ['m/a', 'm/b'], true],
      [['toString'], ['m/a', 'm/b'], true],
    ]
    for (const [ids, packages, expected] of cases) {
      assert.equal(isStillImported({ ids, packages }, judged), expected, JSON.stringify([ids, packages]))
      assert.equal(isStillImported({ ids, packages }, undefined), true)
    }
  })
})
