import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { goReaderOf } from '#test/registries/go-content.ts'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { pypiReaderOf } from '#test/registries/pypi-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { toPomXml } from '#test/registries/short-poms.ts'
import { getEcosystem } from './index.ts'

/** Packages p0 to p39, each of which requires the next. */
const LENGTH = 40
const next = (name: string) => {
  const number = Number(name.replace(/^\D*/, '')) + 1
  return number < LENGTH ? `p${number}` : undefined
}
const names = Array.from({ length: LENGTH }, (_, n) => `p${n}`)
const chain = <T>(toValue: (name: string, below: string | undefined) => T) =>
  Object.fromEntries(names.map((name) => [name, toValue(name, next(name))]))
const ofMaven = chain((_, below) => ({ dependencies: below === undefined ? [] : [`g:${below}:1`] }))

const registries = registriesOf({
  npm: {
    async get(name) {
      const below = next(name)
      const version = {
        dependencies: below === undefined ? {} : { [below]: '*' },
        optionalDependencies: {},
        peerDependencies: {},
        optionalPeers: [],
        deprecated: false,
      }
      return { name, tags: { latest: '1.0.0' }, versions: { '1.0.0': version } }
    },
  },
  pypi: pypiReaderOf(chain((_, below) => ({ '1.0': { requires: below === undefined ? [] : [below] } }))),
  rubygems: {
    async gem(name) {
      const below = next(name)
      const dependencies = below === undefined ? [] : [{ name: below, requirement: '>= 0' }]
      return [{ version: '1.0.0', platform: 'ruby', dependencies }]
    },
  },
  go: goReaderOf(
    Object.fromEntries(
      names.map((name) => {
        const below = next(name)
        const requires = below === undefined ? '' : `\nrequire example.com/${below} v1.0.0\n`
        return [`example.com/${name}@v1.0.0`, `module example.com/${name}\n${requires}`]
      }),
    ),
  ),
  maven: mavenReaderOf(Object.fromEntries(Object.entries(ofMaven).map(([name, pom]) => [`g:${name}:1`, pom]))),
})

/** A manifest that requires the first one, and its own packages without dependencies. */
const manifests: readonly [ecosystem: string, target: string][] = [
  ['npm', JSON.stringify({ name: 'x', dependencies: { p0: '*' } })],
  ['yarn', JSON.stringify({ name: 'x', dependencies: { p0: '*' } })],
  ['pnpm', JSON.stringify({ name: 'x', dependencies: { p0: '*' } })],
  ['bun', JSON.stringify({ name: 'x', dependencies: { p0: '*' } })],
  ['pip', 'p0\n'],
  ['rubygems', "source 'https://registry.example'\ngem 'p0'\n"],
  ['gomodules', 'module example.com/x\n\nrequire example.com/p0 v1.0.0\n'],
  ['maven', toPomXml('g:x:1', { dependencies: ['g:p0:1'] })],
  ['gradle', "plugins { id 'java' }\nrepositories { mavenCentral() }\ndependencies { implementation 'g:p0:1' }\n"],
  ['sbt', 'autoScalaLibrary := false\ncrossPaths := false\nlibraryDependencies += "g" % "p0" % "1"\n'],
]

describe('more packages than the limit', () => {
  for (const [id, target] of manifests) {
    test(`${id}: packages up to the limit are kept, and the rest is reported as beyond it`, async () => {
      const options = { includeDev: false, repositories: [], limits: { maxNodes: 10 } }
      const { graph, unresolved } = await getEcosystem(id).read({ target, additional: [] }, registries, options)
      const packageNames = graph.nodes
        .slice(1)
        .map(({ package: { name } }) => name.replace(/^(?:g:|example\.com\/)/, ''))
      assert.ok(packageNames.length >= 4 && packageNames.length < LENGTH, `${packageNames.length} packages`)
      assert.deepEqual(packageNames, names.slice(0, packageNames.length))
      assert.ok(
        unresolved.some(({ code }) => code === 'bound-met'),
        JSON.stringify(unresolved),
      )
    })
  }
})

const lockfiles: readonly [ecosystem: string, lock: string][] = [
  ['gradle', `${names.map((name) => `g:${name}:1=compileClasspath`).join('\n')}\nempty=\n`],
  [
    'uv',
    `version = 1\nrequires-python = ">=3.9"\n${names.map((name) => `[[package]]\nname = "${name}"\nversion = "1"\n`).join('')}`,
  ],
  ['npm', JSON.stringify({ lockfileVersion: 3, packages: Object.fromEntries(names.map(toLocked)) })],
]

function toLocked(name: string): [string, object] {
  return [`node_modules/${name}`, { version: '1.0.0' }]
}

describe('lockfiles with more packages than the limit', () => {
  for (const [id, lock] of lockfiles) {
    test(`${id}: the lockfile is refused with the limit`, async () => {
      const options = { includeDev: false, repositories: [], limits: { maxNodes: 10 } }
      const required = JSON.stringify({ name: 'x', dependencies: Object.fromEntries(names.map((name) => [name, '*'])) })
      const [target, ...additional] = id === 'npm' ? [required, lock] : [lock]
      await assert.rejects(getEcosystem(id).read({ target, additional }, registries, options), /more than 10 packages/)
    })
  }
})
