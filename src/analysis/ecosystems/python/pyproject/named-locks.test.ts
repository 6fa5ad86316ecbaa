import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { pyproject } from './index.ts'

const lock = 'lock-version = "1.0"\ncreated-by = "pip"\n\n[[packages]]\nname = "a"\nversion = "1.0"\n'
const project =
  '[project]\nname = "p"\nversion = "1"\nrequires-python = ">=3.11"\ndependencies = ["b"]\n[dependency-groups]\ndev = ["a"]\n'

for (const [name, open] of [
  ['pylock.dev.toml', []],
  ['pylock.toml', ['not-in-lockfile b']],
] as const) {
  test(`${name} beside a pyproject.toml: ${open.length > 0 ? 'it has to hold what the project requires' : 'it may be for a group alone'}`, async () => {
    const options = { includeDev: false, repositories: [], limits: { maxNodes: 10 } }
    const places = { target: `x/${name}`, additional: ['pyproject.toml'] }
    const manifest = { target: lock, additional: [project], places }
    const { graph, unresolved, filesRead } = await pyproject.read(manifest, noRegistries, options)
    assert.deepEqual(
      graph.nodes.slice(1).map((node) => node.package),
      [{ name: 'a', version: '1.0' }],
    )
    assert.deepEqual(
      unresolved.map((unresolved) => `${unresolved.code} ${unresolved.name}`),
      open,
    )
    assert.equal(filesRead.at(-1), 'pyproject.toml')
  })
}

test('pylock.toml without packages: refused, since an installer refuses it; an empty list is an empty project', async () => {
  const options = { includeDev: false, repositories: [], limits: { maxNodes: 10 } }
  const read = (target: string) => pyproject.read({ target, additional: [] }, noRegistries, options)
  await assert.rejects(read('lock-version="1.0"\ncreated-by="pip"\n'), /lacks "packages"/)
  const { graph } = await read('lock-version="1.0"\ncreated-by="pip"\npackages = []\n')
  assert.equal(graph.nodes.length, 1)
})
