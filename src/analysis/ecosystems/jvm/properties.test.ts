import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import type { MavenReader } from '#analysis/registries/maven.ts'
import { type RandomProject, randomMavenProject } from '#test/manifests/random-maven-project.ts'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { toPomXml } from '#test/registries/short-poms.ts'
import { volume } from '#test/volume.ts'
import type { Ecosystem, Reading } from '../ecosystem.ts'
import { gradle } from './gradle/index.ts'
import { maven } from './maven/index.ts'

/** Properties that hold for every project and repository; `tools/` compares with Maven itself. */
const options = { includeDev: true, repositories: [], limits: { maxNodes: 1_000 } }
const RUNS = { numRuns: volume(60) }

function read(ecosystem: Ecosystem, target: string, reader: MavenReader): Promise<Reading> {
  return ecosystem.read({ target, additional: [] }, registriesOf({ maven: reader }), options)
}

/** Returns the project's own dependencies as a Gradle script: the same packages under other rules. */
function toScript({ target }: RandomProject): string {
  const lines = (target.dependencies ?? []).map((dependency) => `  implementation '${dependency.split(' ')[0]}'`)
  return `dependencies {\n${lines.join('\n')}\n}\n`
}

/** Delays answers by a seed. */
function slow(reader: MavenReader, seed: number): MavenReader {
  let requestCount = 0
  const wait = async () => {
    for (let turn = (++requestCount * seed) % 7; turn > 0; turn--) await setImmediate()
  }
  return {
    async pom(...parameters) {
      await wait()
      return reader.pom(...parameters)
    },
    async versions(...parameters) {
      await wait()
      return reader.versions(...parameters)
    },
  }
}

/** Artifacts that were relocated, and those that they are now: Maven takes one of such a group. */
function relocatedNames({ content }: RandomProject): Set<string> {
  const pairs = Object.entries(content).flatMap(([from, pom]) =>
    typeof pom === 'object' && pom.relocation !== undefined ? [from, pom.relocation] : [],
  )
  return new Set(pairs.map(nameOf))
}

/** Returns `group:artifact` of `group:artifact:version`. */
function nameOf(coordinates: string): string {
  return coordinates.split(':').slice(0, 2).join(':')
}

function textsOf({ graph }: Reading): string[] {
  return graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
}

for (const [ecosystem, write] of [
  [maven, ({ target }: RandomProject) => toPomXml('g:project:1', target)],
  [gradle, toScript],
] as const) {
  describe(`random ${ecosystem.id} projects`, () => {
    const projects = randomMavenProject('some')

    test('a random project gives the same result in every order of responses', async () => {
      await fc.assert(
        fc.asyncProperty(projects, fc.integer({ min: 1, max: 100 }), async (project, seed) => {
          const reader = mavenReaderOf(project.content)
          const plain = await read(ecosystem, write(project), reader)
          assert.deepEqual(await read(ecosystem, write(project), slow(reader, seed)), plain)
        }),
        { numRuns: volume(30) },
      )
    })

    test('every package of a random project is reachable, and every edge leads to a package', async () => {
      await fc.assert(
        fc.asyncProperty(projects, async (project) => {
          const { graph } = await read(ecosystem, write(project), mavenReaderOf(project.content))
          const reached = new Set([0])
          for (const index of reached) for (const { to } of graph.nodes[index]!.edges) reached.add(to)
          assert.equal(reached.size, graph.nodes.length)
          assert.ok(graph.nodes.every(({ edges }) => edges.every(({ to }) => to > 0 && to < graph.nodes.length)))
        }),
        RUNS,
      )
    })

    test('packages of a random project are published, each in a published version', async () => {
      await fc.assert(
        fc.asyncProperty(projects, async (project) => {
          const reading = await read(ecosystem, write(project), mavenReaderOf(project.content))
          const unpublished = textsOf(reading).filter(
            (label) => !Object.hasOwn(project.content, label.replace('@', ':')),
          )
          assert.deepEqual(unpublished, [])
        }),
        RUNS,
      )
    })

    test('every declared dependency of a random project is in the graph or reported', async () => {
      await fc.assert(
        fc.asyncProperty(projects, async (project) => {
          const reading = await read(ecosystem, write(project), mavenReaderOf(project.content))
          const names = new Set([
            ...reading.graph.nodes[0]!.edges.map(({ to }) => reading.graph.nodes[to]!.package.name),
            ...reading.unresolved.map(({ name }) => name),
          ])
          const relocated = relocatedNames(project)
          for (const declared of project.target.dependencies ?? []) {
            const name = nameOf(declared.split(' ')[0]!)
            assert.ok(names.has(name) || relocated.has(name), `${name} is not spoken of`)
          }
        }),
        RUNS,
      )
    })
  })
}
