import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fixtureRegistries } from '#test/registries/fixture-registries.ts'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { getEcosystem } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 1000 } }

function pom(artifact: string, ...dependencies: string[]): string {
  const all = dependencies.map((dependency) => {
    const [group, name, version] = dependency.split(':')
    return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`
  })
  return `<project><modelVersion>4.0.0</modelVersion><groupId>own</groupId><artifactId>${artifact}</artifactId><version>1-SNAPSHOT</version><dependencies>${all.join('')}</dependencies></project>`
}

const npmLock = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { lib: 'file:lib' } },
    'node_modules/lib': { resolved: 'lib', link: true },
    lib: { name: 'lib', version: '1.0.0', dependencies: { low: '^1.0.0' } },
    'node_modules/low': { version: '1.0.0' },
  },
})

/** Projects whose files lead to `low` through another project of the repository. */
const cases: [id: string, target: string, additional: string[]][] = [
  ['npm', '{"dependencies":{"lib":"file:lib"}}', [npmLock]],
  [
    'yarn',
    '{"dependencies":{"lib":"file:./lib"}}',
    [
      '# yarn lockfile v1\n\n"lib@file:./lib":\n  version "1.0.0"\n  dependencies:\n    low "^1.0.0"\n\nlow@^1.0.0:\n  version "1.0.0"\n',
    ],
  ],
  [
    'poetry',
    '[[package]]\nname = "lib"\nversion = "1.0.0"\noptional = false\npython-versions = "*"\nfiles = []\n[package.dependencies]\nlow = "*"\n[package.source]\ntype = "directory"\nurl = "lib"\n[[package]]\nname = "low"\nversion = "1.0.0"\noptional = false\npython-versions = "*"\nfiles = []\n[metadata]\nlock-version = "2.0"\npython-versions = "*"\ncontent-hash = "x"\n',
    ['[tool.poetry]\nname = "app"\nversion = "1"\n[tool.poetry.dependencies]\nlib = {path = "lib"}\n'],
  ],
  [
    'uv',
    'version = 1\n[[package]]\nname = "app"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [{ name = "lib" }]\n[[package]]\nname = "lib"\nversion = "1.0.0"\nsource = { directory = "lib" }\ndependencies = [{ name = "low" }]\n[[package]]\nname = "low"\nversion = "1.0.0"\nsource = { registry = "https://registry.example/simple" }\n',
    [],
  ],
  [
    'rubygems',
    'PATH\n  remote: lib\n  specs:\n    lib (1.0.0)\n      low\n\nGEM\n  remote: https://registry.example/\n  specs:\n    low (1.0.0)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  lib!\n',
    [],
  ],
  [
    'gomodules',
    'module own.example/app\ngo 1.16\nrequire own.example/lib v1.0.0\nrequire a.example/low v1.0.0\nreplace own.example/lib => ./lib\n',
    [],
  ],
  ['maven', pom('app', 'own:lib:1-SNAPSHOT'), [pom('lib', 'g:low:1.0.0')]],
]

describe('other projects of the same repository', () => {
  for (const [id, target, additional] of cases) {
    test(`${id}: a dependency on one is marked, so that no upgrade of it is advised`, async () => {
      const registries =
        id === 'maven'
          ? registriesOf({ maven: mavenReaderOf({ 'g:low:1.0.0': {} }) })
          : fixtureRegistries(getEcosystem(id).registry, undefined)
      const { graph } = await getEcosystem(id).read({ target, additional }, registries, options)
      const marks = graph.nodes
        .slice(1)
        .map(({ package: { name }, isProject }) => [name.replace(/.*[/:]/, ''), isProject])
      assert.deepEqual(Object.fromEntries(marks.filter(([name]) => name !== 'stdlib')), { lib: true, low: undefined })
    })
  }
})
