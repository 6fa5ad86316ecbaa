import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { sbt } from './index.ts'

const content = { 'v:v:1': {}, 'v:v:2': {}, 'org.scala-lang:scala-library:2.13.12': {} }
const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
const V = '"v" % "v" % "1"'
const root = 'lazy val root = (project in file("."))'

async function read(build: string, ...additional: string[]) {
  const manifest = { target: `scalaVersion := "2.13.12"\n${build}\n`, additional }
  const reading = await sbt.read(manifest, registriesOf({ maven: mavenReaderOf(content) }), options)
  const isFound = reading.graph.nodes.some(({ package: { name, version } }) => name === 'v:v' && version === '1')
  return { isFound, named: reading.unresolved.map(({ name, code, line }) => `${name} ${code} ${line}`) }
}

describe('sbt keys that only sbt can evaluate, reported with their line', () => {
  const cases: [build: string, named: string[]][] = [
    [`${root}.dependsOn(ProjectRef(uri("git:x"), "a"))`, ['settings not-static 2']],
    [`lazy val a = ProjectRef(file("../a"), "a")\n${root}.dependsOn(a)`, ['settings not-static 2']],
    [`${root}.dependsOn(RootProject(file("../a")))`, ['settings not-static 2']],
    [`${root}.dependsOn(LocalProject("missing"))`, ['project missing not-from-registry undefined']],
    ['Compile / unmanagedJars += file("x.jar")', ['unmanagedJars not-from-registry 2']],
    ['unmanagedJars in Compile += file("x.jar")', ['unmanagedJars not-from-registry 2']],
    ['unmanagedBase := baseDirectory.value / "libs"', ['unmanagedBase not-from-registry 2']],
    ['Compile / unmanagedClasspath += file("x.jar")', ['unmanagedClasspath not-from-registry 2']],
    ['Runtime / fullClasspath += file("x.jar")', ['fullClasspath not-static 2']],
    ['Test / fullClasspath += file("x.jar")', []],
    [`ivyXML := <dependency org="v" name="v" rev="1"/>`, ['ivyXML not-static 2']],
    [`allDependencies += ${V}`, ['allDependencies not-static 2']],
    [`projectDependencies += ${V}`, ['projectDependencies not-static 2']],
    [`${root}.enablePlugins(PlayScala)`, ['plugin PlayScala not-static 2']],
    ['enablePlugins(PlayScala)', ['settings not-static 2']],
    ['enablePlugins(JmhPlugin)', []],
  ]
  for (const [build, problems] of cases) {
    test(`sbt keys of ${build}: ${problems.length} reported`, async () => {
      assert.deepEqual((await read(build)).named, problems)
    })
  }
})

describe('sbt settings in unusual places', () => {
  const plugin = (members: string) => `import sbt._\nobject P extends AutoPlugin { ${members} }\n`
  const cases: [why: string, build: string, additional: string[]][] = [
    [
      'settings of a plugin of the build',
      'version := "1"',
      [plugin(`override def projectSettings = Seq(Keys.libraryDependencies += ${V})`)],
    ],
    [
      'settings of a plugin for the whole build',
      'version := "1"',
      [plugin(`override lazy val buildSettings = Seq(Keys.libraryDependencies += ${V})`)],
    ],
    [
      'projects in a list',
      `val all = Seq("a").map(n => Project(n, file(n)).settings(libraryDependencies += ${V}))`,
      [],
    ],
    [
      'settings in braces of a function that _ makes',
      `lazy val a = project.configure(_.settings {\n  val all = Seq(libraryDependencies += ${V})\n  all\n})`,
      [],
    ],
    ['projects of a matrix', `lazy val a = (projectMatrix in file("a")).settings(libraryDependencies += ${V})`, []],
    [
      'a part of a cross project',
      `lazy val a = crossProject(JSPlatform).jsConfigure(_.settings(libraryDependencies += ${V}))`,
      [],
    ],
    [
      'tests that a product depends on',
      `${root}.dependsOn(b % "compile->test")\nlazy val b = project.settings(libraryDependencies += ${V} % Test)`,
      [],
    ],
    ['exclusions for tests do not apply', `Test / excludeDependencies += "v" % "v"\nlibraryDependencies += ${V}`, []],
    [
      'overrides for tests do not apply',
      `Test / dependencyOverrides += "v" % "v" % "2"\nlibraryDependencies += ${V}`,
      [],
    ],
  ]
  for (const [why, build, additional] of cases) {
    test(`sbt dependency is found: ${why}`, async () => {
      assert.ok((await read(build, ...additional)).isFound)
    })
  }
})
