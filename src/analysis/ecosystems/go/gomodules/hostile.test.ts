import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { goReaderOf, noGoProxy } from '#test/registries/go-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { volume } from '#test/volume.ts'
import { gomodules } from './index.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }
const offline = registriesOf({ go: noGoProxy })

function read(target: string, additional: readonly string[] = [], registries = offline) {
  return gomodules.read({ target, additional }, registries, options)
}

describe('refused Go files', () => {
  const cases: [why: string, target: string, message: RegExp, line?: number][] = [
    ['an empty file', '', /empty/, 1],
    ['a go.sum', `example.com/a v1.0.0 h1:${'A'.repeat(43)}=\n`, /This is a go\.sum.*in additional/],
    ['a block that is not closed', 'module a\nrequire (\n\tb.c/d v1.0.0\n', /"require" is not closed/, 2],
    ['a block with two names', 'module a\nrequire b.c/d (\n)\n', /more than one name/, 2],
    ['a requirement without a version', 'module a\n\nrequire b.c/d\n', /Invalid "require"/, 3],
    ['a replacement without an arrow', 'module a\n\nreplace b.c/d v1.0.0 e.f/g v1.0.0\n', /Invalid "replace"/, 3],
    ['a replacement by a module without a version', 'module a\nreplace b.c/d => e.f/g\n', /Invalid "replace"/, 2],
    ['an exclusion of a branch', 'module a\nexclude b.c/d main\n', /Invalid "exclude"/, 2],
    ['an invalid version of Go', 'module a\ngo latest\n', /Invalid "go"/, 2],
    ['a comment of another language', 'module a\nrequire b.c/d v1.0.0 /* x */\n', /must begin with \/\//, 2],
    ['a quotation that does not end', 'module a\nrequire "b.c/d v1.0.0\n', /Unexpected text/, 2],
    ['a line that is too long', `module a\nrequire b.c/${'d'.repeat(20_000)} v1.0.0\n`, /too long/, 2],
    ['a vendored package without a module', '# b.c/d v1.0.0\n## explicit\n#\nb.c/d\n', /Invalid module line/, 3],
    ['a vendored package with more words', '# b.c/d v1.0.0\n## explicit\nb.c/d b.c/e\n', /Package without a module/, 3],
    ['a vendored module at a branch', '# b.c/a v1.0.0\n## explicit\n# b.c/d main\n', /Invalid module line/, 3],
    [
      'more modules than are read',
      `module a\n${Array.from({ length: 101 }, (_, at) => `require b.c/d${at} v1.0.0\n`).join('')}`,
      /more than 100 modules/,
    ],
  ]
  for (const [why, target, message, line] of cases) {
    test(`go.mod or modules.txt is refused: ${why}`, async () => {
      await assert.rejects(read(target), (error) => {
        assert.ok(error instanceof Unreadable, String(error))
        assert.match(error.message, message)
        assert.equal(error.file, 'target')
        if (line !== undefined) assert.equal(error.line, line)
        return true
      })
    })
  }
})

test('go.mod: an endless chain of modules ends at the limit, which is reported', async () => {
  const endless = registriesOf({
    go: {
      hasProxy: async () => true,
      mod: async (path) => {
        const next = Number(/\d+$/.exec(path)![0]) + 1
        return { path, requires: [{ path: `example.com/d${next}`, version: 'v1.0.0' }], retracts: [] }
      },
      versions: async () => undefined,
    },
  })
  const { graph, unresolved } = await read('module a\n\nrequire example.com/d0 v1.0.0\n', [], endless)
  assert.ok(graph.nodes.length <= 102)
  assert.deepEqual(
    unresolved.map(({ code }) => code),
    ['bound-met'],
  )
})

test('go.mod: a cycle of modules that includes the project is resolved', async () => {
  const content = goReaderOf({
    'example.com/b@v1.0.0': 'module example.com/b\nrequire example.com/c v1.0.0\n',
    'example.com/c@v1.0.0': 'module example.com/c\nrequire (\n\texample.com/b v1.0.0\n\texample.com/a v1.5.0\n)\n',
    'example.com/a@v1.5.0': 'module example.com/a\nrequire example.com/c v1.0.0\n',
  })
  const target = 'module example.com/a\n\nrequire example.com/b v1.0.0\n'
  const { graph, unresolved } = await read(target, [], registriesOf({ go: content }))
  assert.deepEqual(unresolved, [])
  assert.deepEqual(
    graph.nodes.map(({ package: { name } }) => name),
    ['example.com/a', 'example.com/b', 'example.com/c'],
  )
})

test('go.mod: every requirement of random files is in the graph or reported', async () => {
  const path = fc.constantFrom(
    'example.com/a',
    'example.com/b',
    'example.com/c/v2',
    'gopkg.in/x.v1',
    'fmt',
    '__proto__',
  )
  const version = fc.constantFrom(
    'v1.0.0',
    'v1',
    'v2.0.0+incompatible',
    'v0.0.0-20210101000000-0123456789ab',
    'main',
    'v1.0',
  )
  const line = fc.oneof(
    fc
      .tuple(path, version, fc.constantFrom('', ' // indirect', ' // indirect; x'))
      .map((all) => `require ${all[0]} ${all[1]}${all[2]}`),
    fc.tuple(path, path, version).map(([from, to, at]) => `replace ${from} => ${to} ${at}`),
    fc.tuple(path, version).map(([from, at]) => `replace ${from} ${at} => ./x`),
    fc.constantFrom(
      'exclude example.com/a v1.0.0',
      'retract v1.0.0',
      'tool example.com/a/cmd',
      'go 1.16',
      'go 1.21',
      'future x',
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.boolean(), async (lines, hasProxy) => {
      const target = ['module example.com/p', ...lines, ''].join('\n')
      const registries = hasProxy
        ? registriesOf({ go: goReaderOf({ 'example.com/a@v1.0.0': 'module example.com/a\n' }) })
        : offline
      const { graph, unresolved } = await read(target, [], registries)
      const replaced = new Set(lines.flatMap((line) => /^replace (\S+)/.exec(line)?.[1] ?? []))
      for (const line of lines) {
        const name = /^require (\S+)/.exec(line)?.[1]
        if (name === undefined || replaced.has(name)) continue
        const isThere = graph.nodes.some((node) => node.package.name === name)
        assert.ok(isThere || unresolved.some((entry) => entry.name === name), `${name} in\n${target}`)
      }
      const reached = new Set([0])
      for (const at of reached) for (const { to } of graph.nodes[at]!.edges) reached.add(to)
      assert.equal(reached.size, graph.nodes.length)
    }),
    { numRuns: volume(300) },
  )
})
