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
        const found = reading.graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
        assert.deepEqual(found, packages)
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
