import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { getEcosystem } from '#analysis/ecosystems/index.ts'
import { fixtureRegistries } from '#test/registries/fixture-registries.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 1000 } }
const registries = fixtureRegistries('npm', {
  top: {
    tags: { latest: '2.0.0' },
    versions: {
      '1.0.0': { dependencies: { low: '^1.0.0' } },
      '1.1.0': { dependencies: { low: '^1.0.0' } },
      '1.2.0': { dependencies: { low: '^1.0.0' }, deprecated: true },
      '2.0.0-rc.1': {},
      '2.0.0': { dependencies: { low: '^2.0.0' } },
    },
  },
  low: { tags: { latest: '2.0.0' }, versions: { '1.0.0': {}, '1.5.0': {}, '2.0.0': {} } },
  old: {
    tags: { latest: '2.0.0' },
    versions: { '1.0.0': {}, '1.1.0': { deprecated: true }, '1.2.0': { deprecated: true }, '2.0.0': {} },
  },
  gone: { tags: { latest: '1.1.0' }, versions: { '1.0.0': { deprecated: true }, '1.1.0': { deprecated: true } } },
})

const yarnLock = '# yarn lockfile v1\n\ntop@^1.0.0:\n  version "1.0.0"\n'
const npmLock = JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/top': { version: '1.0.0' } } })

function toManifest(project: object, ...additional: string[]) {
  return { target: JSON.stringify({ name: 'project', version: '1.0.0', ...project }), additional }
}

for (const id of ['npm', 'yarn']) {
  const lock = id === 'npm' ? npmLock : yarnLock
  const ecosystem = getEcosystem(id)
  const resolverOf = (manifest?: ReturnType<typeof toManifest>) =>
    ecosystem.whatIfResolver!(manifest, registries, options)

  describe(`what-if resolutions with ${id}`, () => {
    test('upgrade candidates: newer releases that were not deprecated', async () => {
      assert.deepEqual(await (await resolverOf()).candidates({ name: 'top', version: '1.0.0' }), ['1.1.0', '2.0.0'])
    })

    test('upgrade candidates: a fully deprecated package has its deprecated versions', async () => {
      const candidates = await (await resolverOf()).candidates({ name: 'gone', version: '1.0.0' })
      assert.deepEqual(candidates, ['1.1.0'])
    })

    test('upgrade candidates: a fully deprecated major version has its deprecated versions', async () => {
      const candidates = await (await resolverOf()).candidates({ name: 'old', version: '1.0.0' })
      assert.deepEqual(candidates, ['1.1.0', '1.2.0', '2.0.0'])
    })

    test('upgrade candidates: include pre-releases for a pre-release', async () => {
      const candidates = await (await resolverOf()).candidates({ name: 'top', version: '2.0.0-beta.1' })
      assert.deepEqual(candidates, ['2.0.0-rc.1', '2.0.0'])
    })

    test('upgrade candidates: unknown for an unknown package', async () => {
      assert.equal(await (await resolverOf()).candidates({ name: 'unknown', version: '1.0.0' }), undefined)
    })

    const project = { dependencies: { top: '^1.0.0' } }
    const workspaces = { workspaces: ['a'] }
    const cases: [
      why: string,
      manifest: ReturnType<typeof toManifest> | undefined,
      isSameForAll: boolean,
      found: string[],
    ][] = [
      ['a published package', undefined, true, ['top@2.0.0', 'low@2.0.0']],
      [
        'a project',
        toManifest({ dependencies: { top: '^1.0.0', low: '1.0.0' } }),
        false,
        ['top@2.0.0', 'low@2.0.0', 'low@1.0.0'],
      ],
      ['an alias', toManifest({ dependencies: { other: 'npm:top@^1.0.0' } }), false, ['top@2.0.0', 'low@2.0.0']],
      [
        'a workspace member',
        toManifest(workspaces, JSON.stringify({ name: 'a', ...project })),
        false,
        ['top@2.0.0', 'low@2.0.0'],
      ],
      ['a locked project', toManifest(project, lock), true, ['top@2.0.0', 'low@2.0.0']],
      ['a lock alone', { target: lock, additional: [] }, true, ['top@2.0.0', 'low@2.0.0']],
      [
        'a locked project with overrides',
        toManifest(
          { ...project, ...(id === 'npm' ? { overrides: { low: '1.5.0' } } : { resolutions: { low: '1.5.0' } }) },
          lock,
        ),
        false,
        ['top@2.0.0', 'low@1.5.0'],
      ],
    ]
    for (const [why, manifest, isSameForAll, expected] of cases) {
      test(`what-if resolution: ${why} is resolved with another version`, async () => {
        const resolver = await resolverOf(manifest)
        assert.equal(resolver.isSameForAll, isSameForAll)
        const { graph, unresolved } = await resolver.read!([{ name: 'top', version: '2.0.0' }])
        const packages = graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
        assert.deepEqual(packages.sort(), expected.sort())
        assert.deepEqual(unresolved, [])
      })
    }

    test('what-if resolution: a dependency of the same name from git is not replaced', async () => {
      const manifest = toManifest({ dependencies: { top: 'github:user/top' } })
      const resolver = await resolverOf(manifest)
      const { unresolved } = await resolver.read!([{ name: 'top', version: '2.0.0' }])
      assert.deepEqual(
        unresolved.map(({ code }) => code),
        ['not-from-registry'],
      )
    })
  })
}
