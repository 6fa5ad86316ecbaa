import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import type { Ecosystem } from '../ecosystem.ts'
import { pipenv } from './pipenv/index.ts'
import { poetry } from './poetry/index.ts'
import { pyproject } from './pyproject/index.ts'
import { uv } from './uv/index.ts'

const pipfile = '[packages]\nother = "*"\n[requires]\npython_version = "3.11"\n'
const project = '[project]\nname = "app"\nversion = "1"\nrequires-python = ">=3.11"\ndependencies = []\n'
const locks = {
  uv: `version = 1\nrequires-python = ">=3.11"\n\n[[package]]\nname = "web"\nversion = "1.0"\nsource = { registry = "https://registry.example/simple" }\n`,
  poetry:
    '[[package]]\nname = "web"\nversion = "1.0"\noptional = false\npython-versions = "*"\ngroups = ["main"]\nfiles = []\n\n[metadata]\nlock-version = "2.1"\npython-versions = ">=3.11"\ncontent-hash = "0"\n',
  pylock: 'lock-version = "1.0"\ncreated-by = "tool"\n\n[[packages]]\nname = "web"\nversion = "1.0"\n',
  pipenv: '{"_meta":{"pipfile-spec":6,"requires":{},"sources":[]},"default":{"web":{"version":"==1.0"}},"develop":{}}',
}

describe('the manifest of another Python tool beside a lockfile', () => {
  const cases: [ecosystem: Ecosystem, target: string, text: string, beside: string, content: string][] = [
    [uv, 'uv.lock', locks.uv, 'Pipfile', pipfile],
    [poetry, 'poetry.lock', locks.poetry, 'Pipfile', pipfile],
    [pyproject, 'pylock.toml', locks.pylock, 'Pipfile', pipfile],
    [pipenv, 'Pipfile.lock', locks.pipenv, 'pyproject.toml', project],
  ]
  for (const [ecosystem, target, text, beside, content] of cases) {
    test(`${target}: ${beside}, left from another tool, tells its Python and declares no dependency`, async () => {
      const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }
      const manifest = { target: text, additional: [content], places: { target, additional: [beside] } }
      const { graph, filesRead } = await ecosystem.read(manifest, noRegistries, options)
      const names = graph.nodes.slice(1).map(({ package: { name } }) => name)
      assert.deepEqual(names, ['web'])
      assert.ok(filesRead.some((file) => file.startsWith(`${beside} (Python`)))
    })
  }
})
