import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { bun } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
const registry = 'https://registry.example'
const contradiction = ['lockfile-contradiction']

const lockOf = (packages: string, dependencies = '"lodash": "^4.0.0"') => `{
  "lockfileVersion": 1,
  "workspaces": {
    "": {
      "dependencies": {
        ${dependencies},
      },
    },
  },
  "packages": {
    ${packages}
  },
}
`

/** The packages that Bun installs for a lock, and the reported codes. */
const lies: readonly [why: string, packages: string, found: string[], codes: string[], asked?: string][] = [
  ['no contradiction', '"lodash": ["lodash@4.17.21", "", {}, "sha512-x=="],', ['lodash@4.17.21'], []],
  [
    'the usual address',
    `"lodash": ["lodash@4.17.21", "${registry}/lodash/-/lodash-4.17.21.tgz", {}, "sha512-x=="],`,
    ['lodash@4.17.21'],
    [],
  ],
  [
    'the archive of another version',
    `"lodash": ["lodash@4.17.21", "${registry}/lodash/-/lodash-4.17.4.tgz", {}, "sha512-x=="],`,
    ['lodash@4.17.4'],
    contradiction,
  ],
  [
    'the archive of another package',
    `"lodash": ["lodash@4.17.21", "${registry}/@s/evil/-/evil-1.0.0.tgz", {}, "sha512-x=="],`,
    ['@s/evil@1.0.0'],
    contradiction,
  ],
  [
    'an address without a package name',
    `"lodash": ["lodash@4.17.21", "${registry}/x", {}, "sha512-x=="],`,
    ['lodash@4.17.21'],
    ['not-from-registry'],
  ],
  [
    'another package under its name',
    '"lodash": ["evil@4.17.21", "", {}, "sha512-x=="],',
    ['evil@4.17.21'],
    contradiction,
  ],
  [
    'an alias',
    '"lodash": ["other@4.17.21", "", {}, "sha512-x=="],',
    ['other@4.17.21'],
    [],
    '"lodash": "npm:other@^4.0.0"',
  ],
  [
    'one integrity for two packages',
    '"lodash": ["lodash@4.17.21", "", { "dependencies": { "ms": "2" } }, "sha512-x=="], "ms": ["ms@2.0.0", "", {}, "sha512-x=="],',
    ['lodash@4.17.21', 'ms@2.0.0'],
    [...contradiction, ...contradiction],
  ],
  [
    'a commit',
    '"lodash": ["lodash@github:user/lodash#abc", {}, "tag"],',
    ['lodash@github:user/lodash#abc'],
    ['not-from-registry'],
  ],
  ['no packages', '', [], ['not-in-lockfile']],
]

describe('a bun.lock that contradicts itself', () => {
  for (const [why, packages, expected, codes, dependencies] of lies) {
    test(`bun.lock with ${why}: tests what Bun installs and reports contradictions`, async () => {
      const { graph, unresolved } = await bun.read(
        { target: lockOf(packages, dependencies), additional: [] },
        noRegistries,
        options,
      )
      const names = graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
      assert.deepEqual([names, unresolved.map(({ code }) => code)], [expected, codes])
    })
  }

  test('bun.lock: a version that the project does not allow is tested and reported; a peer and other dependents may have it', async () => {
    const packages =
      '"lodash": ["lodash@3.0.0", "", {}, "sha512-x=="], "x": ["x@1.0.0", "", { "dependencies": { "lodash": "^4.0.0" } }, "sha512-y=="],'
    const asPeer = lockOf(packages, '"x": "^1.0.0"').replace(
      '"": {',
      '"": {\n"peerDependencies": { "lodash": "^4.0.0" },',
    )
    for (const [target, open] of [
      [lockOf(packages, '"x": "^1.0.0", "lodash": "^4.0.0"'), ['lodash not-in-lockfile']],
      [asPeer, []],
    ] as const) {
      const { graph, unresolved } = await bun.read({ target, additional: [] }, noRegistries, options)
      assert.deepEqual(
        graph.nodes
          .slice(1)
          .map(({ package: { name, version } }) => `${name}@${version}`)
          .sort(),
        ['lodash@3.0.0', 'x@1.0.0'],
      )
      assert.deepEqual(
        unresolved.map(({ name, code }) => `${name} ${code}`),
        open,
      )
    }
  })

  test('bun.lock: resolutions of package.json count only if it has no overrides', async () => {
    const lock = lockOf('"lodash": ["lodash@4.17.21", "", {}, "sha512-x=="],')
    const openFor = async (more: object) => {
      const target = JSON.stringify({ dependencies: { lodash: '^4.0.0' }, resolutions: { ms: '2.0.0' }, ...more })
      const { unresolved } = await bun.read({ target, additional: [lock] }, noRegistries, options)
      return unresolved.map(({ name }) => name)
    }
    assert.deepEqual(await openFor({}), ['ms'])
    assert.deepEqual(await openFor({ overrides: {} }), [])
  })

  test('bun.lock: an unknown version is refused with its number, a syntax error with its line', async () => {
    const read = (target: string) => bun.read({ target, additional: [] }, noRegistries, options)
    await assert.rejects(read(lockOf('').replace('": 1', '": 4')), /lockfileVersion "4".*0, 1, 2, 3/)
    await assert.rejects(read(lockOf('"lodash": [,],')), /at line 11, column 16/)
  })
})
