import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fixtureRegistries } from '#test/registries/fixture-registries.ts'
import { noRegistries } from '#test/registries/registries.ts'
import type { Ecosystem, Manifest, ReadOptions } from './ecosystem.ts'
import { gomodules } from './go/gomodules/index.ts'
import { gradle } from './jvm/gradle/index.ts'
import { maven } from './jvm/maven/index.ts'
import { sbt } from './jvm/sbt/index.ts'
import { pip } from './python/pip/index.ts'

const options: ReadOptions = { includeDev: true, repositories: [], limits: { maxNodes: 1_000 } }

/** Reads a manifest as an import does, with the paths of its files. */
async function read(ecosystem: Ecosystem, target: readonly [string, string], additional: Record<string, string>) {
  const manifest: Manifest = {
    target: target[1],
    additional: Object.values(additional),
    places: { target: target[0], additional: Object.keys(additional) },
  }
  const { registry } = ecosystem
  const registries = registry === 'Maven' || registry === 'Go' ? fixtureRegistries(registry, {}) : noRegistries
  const { graph, unresolved } = await ecosystem.read(manifest, registries, options)
  const names = [...graph.nodes.slice(1).map((node) => node.package.name), ...unresolved.map(({ name }) => name)]
  return { names: [...new Set(names)].sort(), unresolved }
}

const dependencies = (name: string) => `dependencies { implementation 'g:${name}:1' }\n`

describe('manifests of a repository, with paths', () => {
  test('gradle: a module reads those parts of the parent script that concern modules', async () => {
    const above = `${dependencies('root-only')}subprojects { ${dependencies('all-below')} }\nproject(':app:core') { ${dependencies('core-only')} }\nproject(':web') { ${dependencies('web-only')} }`
    const own = `${dependencies('own')}subprojects { ${dependencies('below')} }\ndependencies { implementation project(':web') }\napply from: '../../gradle/x.gradle'\napply from: "$rootDir/gradle/lost.gradle"`
    const { names, unresolved } = await read(gradle, ['b/app/core/build.gradle', own], {
      '../../settings.gradle': "include 'app:core'",
      '../../build.gradle': above,
      '../../gradle/x.gradle': dependencies('applied'),
    })
    assert.deepEqual(
      names.filter((name) => !name.startsWith('script')),
      ['g:all-below', 'g:applied', 'g:below', 'g:core-only', 'g:own'],
    )
    assert.deepEqual(
      unresolved.filter(({ name }) => !name.startsWith('g:')).map(({ name }) => name),
      ['script ${rootDir}/gradle/lost.gradle'],
    )
  })

  test('gradle: the outermost script configures modules, which may have no script', async () => {
    const script = `${dependencies('own')}allprojects { ${dependencies('all')} }\nsubprojects { ${dependencies('below')} }\nproject(':a') { ${dependencies('a')} }`
    assert.deepEqual((await read(gradle, ['build.gradle', script], {})).names, ['g:a', 'g:all', 'g:below', 'g:own'])
  })

  test('maven: modules are separate projects', async () => {
    const module =
      '<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version><dependencies><dependency><groupId>g</groupId><artifactId>of-module</artifactId><version>1</version></dependency></dependencies></project>'
    const root =
      '<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>root</artifactId><version>1</version><packaging>pom</packaging><modules><module>a</module><module>lost</module></modules></project>'
    assert.deepEqual((await read(maven, ['pom.xml', root], { 'a/pom.xml': module })).names, [])
  })

  test('Go modules: workspace members and replacement folders are found by their paths', async () => {
    const module = (name: string, ...lines: string[]) =>
      [`module example.com/${name}`, '', 'go 1.16', ...lines, ''].join('\n')
    const { names, unresolved } = await read(
      gomodules,
      [
        'a/go.mod',
        module('a', 'require example.com/c v0.0.0', 'require example.com/d v0.0.0', 'replace example.com/c => ../c'),
      ],
      {
        '../go.work': 'go 1.21\nuse ./a\nuse (\n./b\n./lost\n)\nreplace example.com/d => ./d\n',
        '../b/go.mod': module('b', 'require example.com/raised v1.1.0'),
        '../c/go.mod': module('renamed', 'require example.com/raised v1.0.0'),
        '../d/go.mod': module('d'),
      },
    )
    assert.deepEqual(names, ['example.com/c', 'example.com/d', 'example.com/raised', 'lost/go.mod', 'stdlib'])
    assert.deepEqual(
      unresolved.map(({ name, range, code }) => [name, range, code]),
      [
        ['lost/go.mod', '', 'not-from-registry'],
        ['example.com/raised', 'v1.1.0', 'not-in-registry'],
        ['example.com/raised', 'v1.0.0', 'not-in-registry'],
      ],
    )
  })

  test('pip: included files are found by their paths', async () => {
    const { names } = await read(pip, ['requirements.txt', '-r sub/a.txt\n-r sub/b.txt\n'], {
      'sub/b.txt': './b.whl\n',
      'sub/a.txt': './a.whl\n-r lost.txt\n',
    })
    assert.deepEqual(names, ['./a.whl', './b.whl', 'sub/lost.txt'])
  })

  test('sbt: files are distinguished by their paths', async () => {
    const { names } = await read(
      sbt,
      ['build.sbt', 'lazy val core = (project in file("core"))\nlibraryDependencies += "g" % "own" % "1"\n'],
      {
        'project/extra.sbt': 'resolvers += "x" at "https://repo.example"\n',
        'core/build.sbt': 'libraryDependencies += "g" % "below" % "1"\n',
      },
    )
    assert.deepEqual(
      names.filter((name) => /^g:(?:own|below)/.test(name)),
      ['g:below', 'g:own'],
    )
  })
})
