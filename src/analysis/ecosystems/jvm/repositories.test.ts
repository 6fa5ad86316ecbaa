import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MavenRepositories } from '#analysis/registries/maven.ts'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { maven } from './maven/index.ts'
import { usableRepositories } from './repositories.ts'

const pom = (artifact: string, inside: string) =>
  `<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>${artifact}</artifactId><version>1</version>${inside}</project>`
const repository = (url: string) => `<repositories><repository><id>r</id><url>${url}</url></repository></repositories>`
const needs = (artifact: string) =>
  `<dependencies><dependency><groupId>g</groupId><artifactId>${artifact}</artifactId><version>1</version></dependency></dependencies>`
const parent = '<parent><groupId>g</groupId><artifactId>parent</artifactId><version>1</version></parent>'

/** Returns the additional repositories of each POM query. */
async function declaredIn(target: string): Promise<Record<string, readonly string[]>> {
  const declared: Record<string, readonly string[]> = {}
  const reader = mavenReaderOf({
    'g:parent:1': pom('parent', `<packaging>pom</packaging>${repository('https://of-parent.example')}`),
    'g:a:1': pom('a', repository('https://of-dependency.example') + needs('b')),
    'g:b:1': pom('b', ''),
  })
  const pomOf = (coordinates: Parameters<typeof reader.pom>[0], repositories?: MavenRepositories) => {
    declared[coordinates.artifact] = repositories?.declared ?? []
    return reader.pom(coordinates, repositories)
  }
  const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
  const registries = registriesOf({ maven: { ...reader, pom: pomOf } })
  const { unresolved } = await maven.read({ target, additional: [] }, registries, options)
  assert.deepEqual(unresolved, [])
  return declared
}

test('repositories of the project and its parents are used for all packages, those of dependencies never', async () => {
  const own = 'https://own.example'
  const repositories = await declaredIn(pom('t', parent + repository(own) + needs('a')))
  assert.deepEqual(repositories['a'], [own, 'https://of-parent.example'])
  assert.deepEqual(repositories['b'], [own, 'https://of-parent.example'])
})

test('repositories with plain http are used only on loopback', async () => {
  const repositories = await declaredIn(pom('t', repository('http://own.example') + needs('a')))
  assert.deepEqual(repositories['a'], [])
  const judged: [url: string, isUsable: boolean][] = [
    ['https://own.example/maven2/', true],
    ['http://localhost:8081/maven2', true],
    ['http://127.0.0.1/maven2', true],
    ['http://own.example/maven2', false],
    ['http://localhost.own.example/maven2', false],
    ['http://127.0.0.1.own.example', false],
    ['file:///etc', false],
    [`https://own.example/\${path}`, false],
    ['nowhere', false],
  ]
  for (const [url, isUsable] of judged) assert.equal(usableRepositories([url]).length, isUsable ? 1 : 0, url)
})

test('at most twenty repositories are used, each once', () => {
  const many = Array.from({ length: 30 }, (_, at) => `https://r${at % 25}.example/`)
  assert.deepEqual(
    usableRepositories(many),
    Array.from({ length: 20 }, (_, at) => `https://r${at}.example`),
  )
})
