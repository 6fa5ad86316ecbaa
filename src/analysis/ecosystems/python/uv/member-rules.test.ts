import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ManifestPlaces } from '#analysis/ecosystems/ecosystem.ts'
import { noRegistries } from '#test/registries/registries.ts'
import { uv } from './index.ts'

const lock = `version = 1
requires-python = ">=3.9"

[manifest]
members = ["member", "root"]
overrides = [{ name = "a", specifier = "==1.0" }]

[[package]]
name = "root"
version = "1.0"
source = { virtual = "." }
dependencies = [{ name = "a" }]

[package.metadata]
requires-dist = [{ name = "a" }]

[[package]]
name = "member"
version = "1.0"
source = { editable = "member" }

[package.metadata]
requires-dist = []

[[package]]
name = "a"
version = "1.0"
source = { registry = "https://index.example/simple" }
`
const root =
  '[project]\nname = "root"\nversion = "1.0"\ndependencies = ["a"]\n\n[tool.uv.workspace]\nmembers = ["member"]\n'
const member = '[project]\nname = "member"\nversion = "1.0"\ndependencies = []\n'
const rule = (text: string) => `\n[tool.uv]\noverride-dependencies = ["${text}"]\n`

describe('overrides of uv in a workspace', () => {
  async function unresolvedOf(additional: readonly string[], places?: ManifestPlaces) {
    const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }
    const manifest = { target: lock, additional, ...(places && { places }) }
    const { unresolved } = await uv.read(manifest, noRegistries, options)
    return unresolved.map(({ name, reason }) => `${name}: ${reason}`)
  }
  const places = { target: 'uv.lock', additional: ['pyproject.toml', 'member/pyproject.toml'] }

  for (const [how, where] of [
    ['by their places', places],
    ['by the name of the root', undefined],
  ] as const) {
    test(`uv overrides of members are ignored, with the root known ${how}`, async () => {
      assert.deepEqual(await unresolvedOf([root + rule('a==1.0'), member + rule('a==2.0')], where), [])
    })

    test(`uv overrides of the root are compared with the lock, with the root known ${how}`, async () => {
      const [first = '', ...others] = await unresolvedOf([root + rule('a==2.0'), member], where)
      assert.match(first, /^a: pyproject\.toml has other overrides/)
      assert.deepEqual(others, [])
    })
  }
})
