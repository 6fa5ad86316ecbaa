import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noGoProxy } from '#test/registries/go-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { gomodules } from './index.ts'

const list = `## workspace
# registry.example/direct v1.1.0
## explicit
registry.example/direct
# registry.example/fork v1.0.0 => ./forks/fork
## explicit; go 1.20
registry.example/fork
# registry.example/one v0.3.0
## explicit; go 1.21
# registry.example/fork => ./forks/fork
`

describe('vendor/modules.txt beside go.work', () => {
  test("a workspace's modules.txt is the target: its modules are tested, members and replacement folders are not", async () => {
    const manifest = {
      target: list,
      additional: [
        'go 1.24\n\nuse (\n\t./one\n\t./two\n)\n\nreplace registry.example/fork => ./forks/fork\n',
        'module registry.example/one\n\ngo 1.21\n\nrequire registry.example/direct v1.0.0\n',
        'module registry.example/two\n\ngo 1.21\n\nrequire (\n\tregistry.example/one v0.3.0\n\tregistry.example/fork v1.0.0\n)\n',
        'module registry.example/fork\n\ngo 1.20\n',
      ],
      places: {
        target: 'vendor/modules.txt',
        additional: ['../go.work', '../one/go.mod', '../two/go.mod', '../forks/fork/go.mod'],
      },
    }
    const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
    const { graph, unresolved } = await gomodules.read(manifest, registriesOf({ go: noGoProxy }), options)
    assert.deepEqual(
      unresolved.map(({ name, range, code }) => `${name} ${range} ${code}`),
      ['registry.example/fork v1.0.0 not-from-registry'],
    )
    assert.deepEqual(
      graph.nodes.slice(1).map(({ package: { name, version } }) => `${name} ${version}`),
      ['registry.example/fork ', 'registry.example/direct v1.1.0', 'stdlib 1.24'],
    )
    const alone = await gomodules.read({ target: list, additional: [] }, registriesOf({ go: noGoProxy }), options)
    assert.deepEqual(
      alone.unresolved.map(({ name }) => name),
      ['registry.example/fork'],
    )
  })
})
