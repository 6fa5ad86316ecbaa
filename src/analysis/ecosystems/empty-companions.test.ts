import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { getEcosystem } from './index.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }
const json = (content: object) => JSON.stringify(content)

async function readBeside(ecosystem: string, target: object, files: Readonly<Record<string, string>>) {
  const places = { target: 'package.json', additional: Object.keys(files) }
  const manifest = { target: json(target), additional: Object.values(files), places }
  const { graph, unresolved } = await getEcosystem(ecosystem).read(manifest, noRegistries, options)
  return [
    ...graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`),
    ...unresolved.map(({ code, name }) => `${code} ${name}`),
  ]
}

for (const text of ['', '\n', '# only a comment\n', '---\n']) {
  test(`pnpm-workspace.yaml: ${JSON.stringify(text)} has no settings`, async () => {
    const lock =
      "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      a:\n        specifier: 1.0.0\n        version: 1.0.0\npackages:\n  a@1.0.0:\n    resolution: {integrity: sha512-a==}\nsnapshots:\n  a@1.0.0: {}\n"
    const files = { 'pnpm-lock.yaml': lock, 'pnpm-workspace.yaml': text }
    assert.deepEqual(await readBeside('pnpm', { dependencies: { a: '1.0.0' } }, files), ['a@1.0.0'])
  })
}

for (const text of ['', '\n\n', '# written by hand\n']) {
  test(`yarn.lock: ${JSON.stringify(text)} locks nothing`, async () => {
    assert.deepEqual(await readBeside('yarn', {}, { 'yarn.lock': text }), [])
    assert.deepEqual(await readBeside('yarn', { dependencies: { a: '1.0.0' } }, { 'yarn.lock': text }), [
      'not-in-lockfile a',
    ])
  })
}

test('bun.lock: comments and trailing commas are skipped, their signs in strings are kept', async () => {
  const lock = `// written by hand
{
  /* the format */ "lockfileVersion": 1,
  "workspaces": { "": { "dependencies": { "a": "1.0.0", /* b */ }, }, }, // members
  "packages": {
    "a": ["a@1.0.0", "https://registry.example/a/-/a-1.0.0.tgz", {}, "sha512-a//*=="],
  },
}`
  const target = { dependencies: { a: '1.0.0' } }
  assert.deepEqual(await readBeside('bun', target, { 'bun.lock': lock }), ['a@1.0.0'])
  const located = await getEcosystem('bun').locate!({ target: lock, additional: [] })
  assert.deepEqual(
    located.map(({ name, line }) => [name, line]),
    [['a', 4]],
  )
})

for (const text of ['', '\n']) {
  test(`go.sum: ${JSON.stringify(text)} holds no checksums`, async () => {
    const places = { target: 'go.mod', additional: ['go.sum'] }
    const manifest = { target: 'module example.com/p\n\ngo 1.22\n', additional: [text], places }
    const { graph, unresolved, filesRead } = await getEcosystem('gomodules').read(manifest, noRegistries, options)
    assert.deepEqual([graph.nodes.length, unresolved.length, filesRead.at(-1)], [2, 0, 'go.sum'])
  })
}
