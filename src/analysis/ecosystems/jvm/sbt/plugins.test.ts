import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { sbt } from './index.ts'

const content = { 'org.scala-lang:scala-library:2.13.12': {} }
const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }

/** Returns the names of unresolved entries with file and line. */
async function read(build: string, files: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const manifest = {
    target: `ThisBuild / scalaVersion := "2.13.12"\n${build}\n`,
    additional: Object.values(files),
    places: { target: 'build.sbt', additional: Object.keys(files) },
  }
  const reading = await sbt.read(manifest, registriesOf({ maven: mavenReaderOf(content) }), options)
  return reading.unresolved.map(({ name, file = 'target', line }) => `${name} ${file} ${line}`)
}

describe('sbt plugins that may add packages', () => {
  const cases: [build: string, plugins: string, named: string[]][] = [
    ['', 'addSbtPlugin("org.scalameta" % "sbt-scalafmt" % "2.5.2")', []],
    ['', '\naddSbtPlugin("p" % "sbt-x" % "1")', ['plugin p:sbt-x additional file 1 2']],
    [
      '',
      'libraryDependencies += Defaults.sbtPluginExtra("p" % "sbt-x" % "1", "1.0", "2.12")',
      ['plugin p:sbt-x additional file 1 1'],
    ],
    ['', 'libraryDependencies += "p" % "library-of-the-build" % "1"', []],
    [
      '',
      'lazy val root = (project in file(".")).dependsOn(RootProject(uri("git:x")))',
      ['plugins additional file 1 1'],
    ],
    ['lazy val a = project.enablePlugins(JmhPlugin, SbtPlugin)', '', []],
    ['lazy val a = project.enablePlugins(JmhPlugin, X, P.Y)', '', ['plugin X target 2', 'plugin P.Y target 2']],
    ['lazy val a = project.enablePlugins(JmhPlugin && X)', '', ['plugin X target 2']],
    ['lazy val a = project.enablePlugins(X)\nlazy val b = project.enablePlugins(X)', '', ['plugin X target 2']],
    ['enablePlugins(JmhPlugin)', '', []],
    ['enablePlugins(X)', '', ['settings target 2']],
  ]
  for (const [build, plugins, problems] of cases) {
    test(`sbt plugins of ${build} ${plugins}: ${problems.length} reported`, async () => {
      assert.deepEqual(await read(build, plugins === '' ? {} : { 'project/plugins.sbt': plugins }), problems)
    })
  }

  test("sbt plugin in the build's sources is read instead of reported", async () => {
    const source =
      'import sbt._\nobject X extends AutoPlugin { override def projectSettings = Seq(Keys.fork := true) }\n'
    assert.deepEqual(await read('lazy val a = project.enablePlugins(X)', { 'project/X.scala': source }), [])
  })
})

describe('sbt settings that no project receives', () => {
  const V = 'libraryDependencies += "v" % "v" % "1"'
  const cases: [build: string, named: string[]][] = [
    [
      `lazy val all = new CompositeProject { def componentProjects = Seq(project.settings(\n${V})) }`,
      ['settings target 3'],
    ],
    [`Global / onLoad ~= (_ andThen (s => append(Seq(${V}), s)))`, ['settings target 2']],
    [`LocalProject("missing") / ${V}`, ['settings target 2']],
    [`lazy val a = project.settings(if (false) Seq(\n${V}) else Nil)`, []],
  ]
  for (const [build, problems] of cases) {
    test(`sbt settings of ${build}: ${problems.length} reported`, async () => {
      assert.deepEqual(
        (await read(build)).filter((label) => !label.startsWith('v:v')),
        problems,
      )
    })
  }
})

test('build.sbt: a top-level function ends with its expression', async () => {
  const problems = await read('val trim = (line: String) => line.trim\n\nlibraryDependencies += "v" % "v" % "1"')
  assert.deepEqual(problems, ['v:v target 4'])
})
