import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { yarn } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
const registry = 'https://registry.example'
const old = `${registry}/lodash/-/lodash-4.17.4.tgz`
const installed = 'lodash@4.17.4'
const contradiction = ['lockfile-contradiction']

/** The packages that Yarn 1.22 and Yarn 4 install for the lock, and the reported codes. */
type Lie = readonly [why: string, dependency: string, lock: string, packages: string[], codes: string[]]

const v1: Lie[] = [
  ['another version', 'lodash', entry('lodash@4', '4.17.21', old), [installed], contradiction],
  ['an unreadable version', 'lodash', entry('lodash@4', '4.17.4.0', old), [installed], contradiction],
  ['another name', 'my', entry('my@4', '4.17.4', old), [installed], contradiction],
  [
    'an archive of the offline mirror',
    'lodash',
    entry('lodash@4', '4.17.21', 'lodash-4.17.4.tgz#0'),
    [installed],
    contradiction,
  ],
  [
    'a scoped archive of the offline mirror',
    '@s/p',
    entry('"@s/p@4"', '4.0.0', '@s-p-4.0.0.tgz#0'),
    ['@s/p@4.0.0'],
    [],
  ],
  [
    'an address without a package name',
    'lodash',
    entry('lodash@4', '4.17.21', `${registry}/x`),
    ['lodash@4.17.21'],
    ['not-from-registry'],
  ],
  [
    'a version that its range does not allow',
    'lodash',
    entry('lodash@4', '3.10.1', old.replace('4.17.4', '3.10.1')),
    ['lodash@3.10.1'],
    ['not-in-lockfile'],
  ],
  ['no address', 'lodash', 'lodash@4:\n  version "4.17.21"\n', ['lodash@4.17.21'], ['version-unknown']],
  [
    'one integrity for two packages',
    'lodash',
    `${entry('lodash@4', '4.17.21', old.replace('.4.tgz', '.21.tgz'))}  integrity sha512-x==\n  dependencies:\n    ms "2"\n\n${entry('ms@2', '2.0.0', `${registry}/ms/-/ms-2.0.0.tgz`)}  integrity sha512-x==\n`,
    ['lodash@4.17.21', 'ms@2.0.0'],
    [...contradiction, ...contradiction],
  ],
]

const berry: Lie[] = [
  ['another version', 'lodash', block('lodash@npm:4', '4.17.21', 'lodash@npm:4.17.4'), [installed], contradiction],
  ['an unreadable version', 'lodash', block('lodash@npm:4', 'latest', 'lodash@npm:4.17.4'), [installed], contradiction],
  ['an alias in the reference', 'my', block('my@npm:4', '4.17.4', 'my@npm:lodash@4.17.4'), [installed], []],
  [
    'a range in the reference',
    'lodash',
    block('lodash@npm:4', '4.17.21', 'lodash@npm:^4'),
    ['lodash@4.17.21'],
    ['version-unknown'],
  ],
  [
    'another archive',
    'lodash',
    block('lodash@npm:4', '4.17.21', `lodash@npm:4.17.21::__archiveUrl=${encodeURIComponent(old)}`),
    [installed],
    contradiction,
  ],
  [
    'a patch of another version',
    'lodash',
    block('lodash@npm:4', '4.17.21', 'lodash@patch:lodash@npm%3A4.17.4#./a.patch'),
    [installed],
    contradiction,
  ],
]

describe('a yarn.lock that contradicts itself', () => {
  for (const [form, lies, head] of [
    ['v1', v1, '# yarn lockfile v1\n\n'],
    ['berry', berry, '__metadata:\n  version: 8\n\n'],
  ] as const) {
    for (const [why, dependency, lock, packages, codes] of lies) {
      test(`yarn.lock (${form}), ${why}: tests what Yarn installs and reports contradictions`, async () => {
        const target = JSON.stringify({ dependencies: { [dependency]: '4' } })
        const reading = await yarn.read({ target, additional: [head + lock] }, noRegistries, options)
        const actual = reading.graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
        assert.deepEqual(actual, packages)
        assert.deepEqual(
          reading.unresolved.map(({ code }) => code),
          codes,
        )
      })
    }
  }
})

function entry(key: string, version: string, resolved: string): string {
  return `${key}:\n  version "${version}"\n  resolved "${resolved}"\n`
}

function block(key: string, version: string, resolution: string): string {
  return `"${key}":\n  version: ${version}\n  resolution: "${resolution}"\n`
}

test('Yarn: catalogs and package extensions of .yarnrc.yml apply; a lock without them is reported', async () => {
  const target = JSON.stringify({ name: 'p', dependencies: { a: 'catalog:', b: 'catalog:old' } })
  const entry = (name: string, range: string, version: string) =>
    `"${name}@npm:${range}":\n  version: ${version}\n  resolution: "${name}@npm:${version}"\n  linkType: hard\n\n`
  const lock = `__metadata:\n  version: 8\n\n${entry('a', '^1.0.0', '1.2.0')}${entry('b', '2.0.0', '2.0.0')}${entry('c', '3', '3.1.0')}`
  const own = '"p@workspace:."'
  const project = `${own}:\n  version: 0.0.0-use.local\n  resolution: ${own}\n  dependencies:\n    a: "catalog:"\n    b: "catalog:old"\n  linkType: soft\n`
  const readWith = async (a: string, extension: string) => {
    const settings = `catalog:\n  a: ${a}\ncatalogs:\n  old:\n    b: 2.0.0\npackageExtensions:\n  "a@1":\n    dependencies:\n      ${extension}\n`
    const manifest = { target, additional: [`${lock}${project}`, settings] }
    const reading = await yarn.read(manifest, noRegistries, {
      includeDev: true,
      repositories: [],
      limits: { maxNodes: 9 },
    })
    const { graph, unresolved, boundsMet } = reading
    const names = graph.nodes.map(({ package: { name, version }, edges }) => `${name}@${version} ${edges.length}`)
    return { names, unresolved: unresolved.map(({ code, name, range }) => `${code} ${name} ${range}`), boundsMet }
  }
  assert.deepEqual(await readWith('^1.0.0', 'c: "3"'), {
    names: ['p@ 2', 'a@1.2.0 1', 'b@2.0.0 0', 'c@3.1.0 0'],
    unresolved: [],
    boundsMet: [],
  })
  assert.deepEqual((await readWith('1.3.0', 'c: "3"')).unresolved, ['not-in-lockfile a 1.3.0'])
  assert.deepEqual((await readWith('^1.0.0', 'd: "4"')).unresolved, ['not-in-lockfile d 4'])
})
