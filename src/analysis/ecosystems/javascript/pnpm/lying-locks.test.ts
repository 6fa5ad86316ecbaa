import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { pnpm } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
const registry = 'https://registry.example'
const old = `${registry}/lodash/-/lodash-4.17.4.tgz`
const installed = 'lodash@4.17.4'
const contradiction = ['lockfile-contradiction']

/** The packages that pnpm installs for an entry of lodash 4.17.21, and the reported codes. */
type Lie = readonly [why: string, members: string, packages: string[], codes: string[]]

const lies: Lie[] = [
  ['no contradiction', '{integrity: sha512-x==}', ['lodash@4.17.21'], []],
  [
    'the usual address',
    `{integrity: sha512-x==, tarball: ${old.replace('.4.tgz', '.21.tgz')}}`,
    ['lodash@4.17.21'],
    [],
  ],
  ['the archive of another version', `{integrity: sha512-x==, tarball: ${old}}`, [installed], contradiction],
  [
    'the archive of another package',
    `{integrity: sha512-x==, tarball: ${registry}/@s/evil/-/evil-1.0.0.tgz}`,
    ['@s/evil@1.0.0'],
    contradiction,
  ],
  [
    'an address below the registry',
    '{integrity: sha512-x==, tarball: lodash/-/lodash-4.17.4.tgz}',
    [installed],
    contradiction,
  ],
  [
    'an address without a package name',
    `{integrity: sha512-x==, tarball: ${registry}/x}`,
    ['lodash@4.17.21'],
    ['not-from-registry'],
  ],
  ['another version of its own', '{integrity: sha512-x==}\n    version: 4.17.4', [installed], contradiction],
  [
    'a git repository',
    '{type: git, repo: https://git.example/lodash.git, commit: abc}',
    ['lodash@4.17.21'],
    ['not-from-registry'],
  ],
  ['a folder', '{type: directory, directory: vendor/lodash}', ['lodash@4.17.21'], ['not-from-registry']],
]

const v9 = (members: string) => `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      lodash:
        specifier: ^4.0.0
        version: 4.17.21

packages:

  lodash@4.17.21:
    resolution: ${members}

snapshots:

  lodash@4.17.21: {}
`
const v6 = (members: string) => `lockfileVersion: '6.0'

dependencies:
  lodash:
    specifier: ^4.0.0
    version: 4.17.21

packages:

  /lodash@4.17.21:
    resolution: ${members}
`
const v5 = (members: string) => `lockfileVersion: 5.4

specifiers:
  lodash: ^4.0.0

dependencies:
  lodash: 4.17.21

packages:

  /lodash/4.17.21:
    resolution: ${members}
`
const otherName: Lie = [
  'another name of its own',
  '{integrity: sha512-x==}\n    name: evil',
  ['evil@4.17.21'],
  contradiction,
]
const ignored: Lie = ['a name that pnpm 9 ignores', otherName[1], ['lodash@4.17.21'], []]

describe('a pnpm-lock.yaml that contradicts itself', () => {
  const locks = [
    ['9.0', v9, [...lies, ignored]],
    ['6.0', v6, [...lies, otherName]],
    ['5.4', v5, [...lies, otherName]],
  ] as const
  for (const [version, lockOf, cases] of locks) {
    for (const [why, members, packages, codes] of cases) {
      test(`lockfileVersion ${version}, ${why}: tests what pnpm installs and reports contradictions`, async () => {
        const reading = await read(lockOf(members))
        assert.deepEqual([reading.packages, reading.codes], [packages, codes])
      })
    }
  }

  test('pnpm-lock.yaml: one integrity for two packages: both are reported', async () => {
    const other = `${v9('{integrity: sha512-x==}').replace('snapshots:', '  ms@2.0.0:\n    resolution: {integrity: sha512-x==}\n\nsnapshots:')}\n  ms@2.0.0: {}\n`
    const lock = other.replace('lodash@4.17.21: {}', 'lodash@4.17.21:\n    dependencies:\n      ms: 2.0.0\n')
    assert.deepEqual((await read(lock)).codes, [...contradiction, ...contradiction])
  })

  test('pnpm-lock.yaml: a reference to another package than the declared one is reported', async () => {
    const lock = v9('{integrity: sha512-x==}')
      .replace('version: 4.17.21', 'version: evil@4.17.21')
      .replaceAll('lodash@', 'evil@')
    assert.deepEqual(await read(lock), { packages: ['evil@4.17.21'], codes: contradiction })
  })

  test('pnpm-lock.yaml: a reference to a missing entry is reported', async () => {
    const { packages, codes } = await read(
      v9('{integrity: sha512-x==}').replace('version: 4.17.21', 'version: 4.17.20'),
    )
    assert.deepEqual([packages, codes], [['lodash@4.17.21'], ['not-in-lockfile']])
  })
})

test('pnpm-lock.yaml: an optional dependency of a package without its entry is reported', async () => {
  const lock = v9('{integrity: sha512-x==}').replace(
    'lodash@4.17.21: {}',
    'lodash@4.17.21:\n    optionalDependencies:\n      ms: 2.0.0',
  )
  assert.deepEqual(await read(lock), { packages: ['lodash@4.17.21'], codes: ['not-in-lockfile'] })
})

test('pnpm-lock.yaml: a package of a named registry is tested by its version', async () => {
  const lock = v9('{integrity: sha512-x==}')
    .replace('version: 4.17.21', 'version: work:4.17.21')
    .replaceAll('lodash@4', 'lodash@work:4')
  assert.deepEqual(await read(lock), { packages: ['lodash@4.17.21'], codes: [] })
})

test('pnpm-lock.yaml: a runtime that pnpm downloads is no package of the registry', async () => {
  const lock = v9('{type: variations, variants: []}')
    .replace('version: 4.17.21', 'version: runtime:4.17.21')
    .replaceAll('lodash@4', 'lodash@runtime:4')
  assert.deepEqual((await read(lock)).codes, ['not-from-registry'])
})

const settings = [
  ['resolutions', { resolutions: { ms: '2.0.0' } }],
  ['overrides', { pnpm: { overrides: { ms: '2.0.0' } } }],
] as const
for (const [what, members] of settings) {
  for (const [tool, codes] of [
    [undefined, ['not-in-lockfile']],
    ['pnpm@10.34.9', ['not-in-lockfile']],
    ['pnpm@11.0.0+sha512.0a', []],
    ['pnpm@12.21.0', []],
  ] as const) {
    const outcome = codes.length > 0 ? 'reported if the lock lacks them' : 'without effect, as for that pnpm'
    test(`${what} in package.json with packageManager ${tool}: ${outcome}`, async () => {
      const project = { dependencies: { lodash: '^4.0.0' }, packageManager: tool, ...members }
      const reading = await read(v9('{integrity: sha512-x==}'), JSON.stringify(project))
      assert.deepEqual(reading, { packages: ['lodash@4.17.21'], codes })
    })
  }
}

async function read(lock: string, project?: string) {
  const manifest = project === undefined ? { target: lock, additional: [] } : { target: project, additional: [lock] }
  const { graph, unresolved } = await pnpm.read(manifest, noRegistries, options)
  return {
    packages: graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`),
    codes: unresolved.map(({ code }) => code),
  }
}
