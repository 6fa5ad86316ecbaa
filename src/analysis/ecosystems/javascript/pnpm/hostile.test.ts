import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { noRegistries } from '#test/registries/registries.ts'
import { pnpm } from './index.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }
const project = '{"dependencies":{"a":"1"}}'
const head = "lockfileVersion: '9.0'\n"

function read(target: string, ...additional: string[]) {
  return pnpm.read({ target, additional }, noRegistries, options)
}

describe('refused pnpm files', () => {
  const bomb = Array.from(
    { length: 30 },
    (_, at) => `a${at}: &a${at} [${at === 0 ? 'x' : `*a${at - 1}, `.repeat(9)}]\n`,
  ).join('')
  const cases: [why: string, files: [string, ...string[]], message: RegExp][] = [
    [
      'an unknown version',
      ["lockfileVersion: '10.0'\n"],
      /lockfileVersion "10\.0".*5\.0, 5\.1, 5\.2, 5\.3, 5\.4, 6\.0, 6\.1, 9\.0/,
    ],
    [
      'the form like JSON',
      ['{\n\t"lockfileVersion": "14.0",\n\t"settings": {},\n}\n'],
      /lockfileVersion "14\.0".*9\.0, 13\.0.*from 7 to 12/,
    ],
    ['a form like JSON that is none', ['{\n\t"lockfileVersion": "13.0",\n\t"settings": {,\n}\n'], /Invalid JSON/],
    [
      'a list of packages',
      ['{"lockfileVersion": "13.0", "packages": ["a"],}'],
      /"packages" must be an object, not a list/,
    ],
    [
      'a text as a package’s dependencies',
      ['{"lockfileVersion": "13.0", "packages": {"a@1.0.0": {"dependencies": "b"}},}'],
      /"dependencies".*must be an object, not a string/,
    ],
    [
      'a dependency without a text',
      ['{"lockfileVersion": "13.0", "projects": {".": {"dependencies": {"a": 1}}},}'],
      /no version for "a"/,
    ],
    ['an old version', ['lockfileVersion: 4\n'], /lockfileVersion "4"/],
    ['a version named like an object member', ['lockfileVersion: constructor\n'], /lockfileVersion "constructor"/],
    ['two locks', [project, head, head], /Two pnpm lockfiles/],
    ['two settings', [project, 'packages:\n  - a\n', 'packages:\n  - a\n'], /Two pnpm-workspace\.yaml/],
    ['a key twice', [`${head}packages: {}\npackages: {}\n`], /duplicated mapping key/],
    ['a key twice, deeper', [`${head}packages:\n  a@1.0.0: {}\n  a@1.0.0: {}\n`], /duplicated mapping key/],
    ['aliases that multiply', [`${head}${bomb}`], /alias/],
    ['an alias without an anchor', [`${head}packages: *x\n`], /unresolved alias "x"/],
    ['brackets in brackets', [`${head}packages: ${'['.repeat(100_000)}\n`], /nesting exceeded/],
    ['lists in lists', [`${head}packages:\n  ${'- '.repeat(100_000)}\n`], /nesting exceeded/],
    [
      'maps in maps',
      [head + Array.from({ length: 1_000 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')],
      /nesting exceeded/,
    ],
    ['two documents', [`${head}---\n${head}`], /Invalid YAML/],
    ['an unknown tag', [`${head}packages: !!js/function 'x'\n`], /unknown scalar tag/],
    [
      'a list instead of the map of packages',
      [`${head}packages:\n  - a\n`],
      /"packages" must be an object, not a list/,
    ],
    ['a string instead of an importer', [`${head}importers:\n  .: x\n`], /not a map/],
    [
      'a dependency without a version',
      [`${head}importers:\n  .:\n    dependencies:\n      a: {}\n`],
      /no version for "a"/,
    ],
    [
      'a catalog with a list',
      [project, 'packages:\n  - a\ncatalog:\n  a: []\n'],
      /"catalog".* must give a range for "a", not a list/,
    ],
    ['a lock truncated within quotes', [`${head}packages:\n  'a@1.0.0`], /Invalid YAML/],
  ]
  for (const [why, files, message] of cases) {
    test(`pnpm file is refused: ${why}`, async () => {
      await assert.rejects(read(...files), (error: Error) => {
        assert.ok(error instanceof Unreadable, String(error))
        assert.match(error.message, message)
        return true
      })
    })
  }
})

describe('large and odd pnpm files', () => {
  test('pnpm-lock.yaml: more packages than the limit are refused', async () => {
    const names = Array.from({ length: 101 }, (_, at) => `p${at}`)
    const lock = `${head}importers:\n  .:\n    dependencies:\n${names.map((name) => `      ${name}:\n        specifier: '1'\n        version: 1.0.0\n`).join('')}\nsnapshots:\n${names.map((name) => `  ${name}@1.0.0: {}\n`).join('')}`
    await assert.rejects(read(lock), /more than 100 packages/)
  })

  test('pnpm-lock.yaml: keys named like object members are ordinary names', async () => {
    const { graph, unresolved } = await read(
      `${head}importers:\n  .:\n    dependencies:\n      __proto__:\n        specifier: '1'\n        version: 1.0.0\n      constructor:\n        specifier: '1'\n        version: 1.0.0\nsnapshots:\n  __proto__@1.0.0: {}\n`,
    )
    assert.deepEqual(
      [graph.nodes.slice(1).map((node) => node.package.name), unresolved.map(({ name }) => name)],
      [['__proto__'], ['constructor']],
    )
  })

  test('pnpm-lock.yaml: a package that requires itself and a link out of the repository are read', async () => {
    const { graph, unresolved } = await read(
      `${head}importers:\n  a/b:\n    dependencies:\n      c:\n        specifier: '1'\n        version: 1.0.0\n      up:\n        specifier: link:../../../../etc\n        version: link:../../../../etc\nsnapshots:\n  c@1.0.0:\n    dependencies:\n      c: 1.0.0\n`,
    )
    assert.deepEqual(
      graph.nodes.map(({ package: { name, version } }) => `${name}@${version}`),
      ['@', 'c@1.0.0', 'etc@link:../../etc'],
    )
    assert.deepEqual(
      unresolved.map(({ code }) => code),
      ['not-from-registry'],
    )
  })

  test('pnpm-lock.yaml: a byte order mark, CRLF, quotes, flow maps and comments are read', async () => {
    const lock = `\uFEFF${head}importers:\n  .:\n    dependencies:\n      "a": { specifier: "1", version: 1.0.0 } # as it was\nsnapshots:\n  ? a@1.0.0\n  : {}\n`
    const { graph } = await read(lock.replaceAll('\n', '\r\n'))
    assert.equal(graph.nodes.length, 2)
  })
})
