import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { goVersions } from '#analysis/versions/go.ts'
import { noRegistries } from '#test/registries/registries.ts'
import { govendor } from './index.ts'

const projects = path.join(import.meta.dirname, '../../../../../../shared/data/manifests/govendor')
const skip = existsSync(projects) ? false : 'needs ../shared'
const options = { includeDev: false, repositories: [], limits: { maxNodes: 50_000 } }

describe('real vendor.json files', { skip }, () => {
  for (const project of skip ? [] : readdirSync(projects)) {
    test(`${project}: every package belongs to a module or is reported`, async () => {
      const target = readFileSync(path.join(projects, project, 'vendor/vendor.json'), 'utf8')
      const { graph, unresolved } = await govendor.read({ target, additional: [] }, noRegistries, options)
      const modules = graph.nodes.slice(1)
      const isIn = (name: string, repository: string) => name === repository || name.startsWith(`${repository}/`)
      const { package: packages } = JSON.parse(target) as { package: { path: string; revision: string }[] }
      for (const { path: name, revision } of packages) {
        const holders = modules.filter((module) => isIn(name, module.package.name))
        const isHeld = holders.some(
          ({ commit, package: { version } }) =>
            commit === revision || version.includes(revision.slice(0, 12)) || /^v\d+\.\d+\.\d+(?!.*-0\.)/.test(version),
        )
        assert.ok(isHeld || unresolved.some((unresolved) => unresolved.name === name), `${name} ${revision}`)
      }
      for (const module of modules) {
        assert.ok(goVersions.isValid(module.package.version), module.package.version)
        assert.ok(
          packages.some(({ path: name }) => isIn(name, module.package.name)),
          module.package.name,
        )
      }
      assert.equal(graph.nodes[0]!.edges.length, modules.length)
    })
  }
})
