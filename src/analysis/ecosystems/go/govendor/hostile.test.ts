import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { goVersions } from '#analysis/versions/go.ts'
import { noRegistries } from '#test/registries/registries.ts'
import { volume } from '#test/volume.ts'
import { govendor } from './index.ts'
import { findModuleVersion } from './locked-version.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }
const revision = '0123456789abcdef0123456789abcdef01234567'

function read(target: unknown) {
  const text = typeof target === 'string' ? target : JSON.stringify(target)
  return govendor.read({ target: text, additional: [] }, noRegistries, options)
}

describe('refused vendor.json files', () => {
  const cases: [why: string, target: unknown, message: RegExp][] = [
    ['an empty file', '', /empty/],
    ['a truncated file', '{"package": [{"path": "github.com/a/b"', /Invalid JSON/],
    ['a list', '[]', /expected a JSON object/],
    [
      "Go's own list of what is vendored",
      '# golang.org/x/text v0.3.0\n## explicit\ngolang.org/x/text/unicode\n',
      /This is a vendor\/modules\.txt/,
    ],
    ['two spellings of the list, one of them not a list', { package: [], Package: {} }, /"package" is not a list/],
    ['a package.json', '{"dependencies": {}}', /This is a package\.json, not a vendor\.json/],
    ['some other JSON', '{"ignore": "test"}', /not a vendor\.json .*no member of the JSON object identifies one/],
    ['an object instead of the list of packages', { package: {} }, /"package" is not a list/],
    ['a string instead of a package', { package: ['github.com/a/b'] }, /"package" 1 is not an object/],
    ['a package without a path', { package: [{ path: 'github.com/a/b' }, { revision }] }, /"package" 2 has no "path"/],
    ['a path that is a number', { package: [{ path: 1, revision }] }, /"package" 1 has no "path"/],
    [
      'a path too long',
      { package: [{ path: `github.com/${'a/'.repeat(1_000)}`, revision }] },
      /path of "package" 1 is too long/,
    ],
    [
      'more modules than are read',
      { package: Array.from({ length: 101 }, (_, at) => ({ path: `github.com/a/b${at}`, revision })) },
      /more than 100 modules/,
    ],
  ]
  for (const [why, target, message] of cases) {
    test(`vendor.json is refused: ${why}`, async () => {
      await assert.rejects(read(target), (error) => {
        assert.ok(error instanceof Unreadable, String(error))
        assert.match(error.message, message)
        assert.equal(error.file, 'target')
        return true
      })
    })
  }
})

test('vendor.json: a hundred thousand packages of one repository are one module', async () => {
  const many = Array.from({ length: 100_000 }, (_, at) => ({
    path: `github.com/a/b/${at}/${'x/'.repeat(20)}`,
    revision,
  }))
  const { graph } = await read({ package: many })
  assert.equal(graph.nodes.length, 2)
  assert.ok(graph.nodes[1]!.advisoryNames!.length <= 64)
})

test('vendor.json: every package of random files is in the graph or reported, with a valid Go version', async () => {
  const path = fc.oneof(
    fc.constantFrom(
      'github.com/a/b',
      'github.com/a/b/c',
      'gopkg.in/yaml.v2',
      'gopkg.in/x',
      'golang.org/x/net',
      'x.git',
      '.',
    ),
    fc.string({ minLength: 1, maxLength: 20 }),
    fc
      .array(fc.constantFrom('a', 'v2', 'b.git', '..', '', 'github.com', '^', '...'), { minLength: 1, maxLength: 5 })
      .map((all) => all.join('/'))
      .filter((joined) => joined !== ''),
  )
  const text = fc.oneof(
    fc.constantFrom(
      '',
      revision,
      'v1.2.3',
      '=v2.0.0-rc.1',
      'v1.2.3-4-g0123456',
      '2017-01-18T16:13:56Z',
      '9999-99-99T00:00:00Z',
      '+275760-09-13T00:00:00Z',
      'v99999999999999999999.0.0',
    ),
    fc.string({ maxLength: 12 }),
  )
  const entry = fc.record(
    {
      path,
      revision: text,
      revisionTime: text,
      version: text,
      versionExact: text,
      comment: text,
      origin: text,
      tree: fc.boolean(),
    },
    { requiredKeys: ['path'] },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 12 }), async (entries) => {
      const { graph, unresolved } = await read({ rootPath: 'x', package: entries })
      for (const node of graph.nodes.slice(1)) assert.ok(goVersions.isValid(node.package.version), node.package.version)
      const problemCount = unresolved.filter(({ code }) => code !== 'not-static').length
      const nodes = graph.nodes.length - 1
      assert.ok(entries.length === 0 || problemCount + nodes > 0)
      // A copy of a fork is looked up under both paths.
      const copied = entries.filter(({ origin }) => origin !== undefined).length
      assert.ok(problemCount + nodes <= entries.length + copied)
    }),
    { numRuns: volume(500) },
  )
})

test('govendor: pseudo-versions order after their base tag and before the next tag', () => {
  const at = (comment: string | undefined) =>
    findModuleVersion('github.com/a/b', {
      revision,
      revisionTime: '2017-01-18T16:13:56Z',
      version: undefined,
      versionExact: undefined,
      comment,
    })!.version
  const tags = ['v0.1.0', 'v0.9.9', 'v1.0.0-beta.2', 'v1.0.0', 'v2.6.0', 'v10.0.99']
  for (const tag of tags) {
    const version = at(`${tag}-12-g0123456`)
    assert.ok(goVersions.compare(version, tag) > 0, `${version} after ${tag}`)
    const next = tags.find((other) => goVersions.compare(other, tag) > 0)
    if (next !== undefined) assert.ok(goVersions.compare(version, next) < 0, `${version} before ${next}`)
  }
  assert.ok(goVersions.compare(at(undefined), 'v0.0.1') < 0)
})

test('vendor.json: "package" and "Package" both count', async () => {
  const { graph } = await read({ package: [], Package: [{ path: 'github.com/a/b', revision, versionExact: 'v1.0.0' }] })
  assert.deepEqual(graph.nodes[1]?.package, { name: 'github.com/a/b', version: 'v1.0.0' })
})
