import type { Spelling } from '../spelling.ts'
import { BINDING, build, GROUP, MODULE, SAFE } from './build.ts'

const TASKS = 'Task and setting graph'
const SCOPES = 'Scopes'
const DELEGATED = { source: SCOPES }

/** Settings that add modules, and values on the way there. */
export const settings: readonly Spelling[] = [
  build('list', `libraryDependencies ++= Seq(${MODULE})`),
  build('list in lines', `libraryDependencies ++= Seq(\n  ${MODULE},\n)`),
  build('list of another kind', `libraryDependencies ++= List(${MODULE}) ::: Nil`),
  build('vector', `libraryDependencies ++= Vector(${MODULE})`),
  build('set', `libraryDependencies ++= Set(${MODULE})`),
  build('added list', `libraryDependencies ++= Seq.empty[ModuleID] :+ (${MODULE})`),
  build('list that begins with it', `libraryDependencies ++= (${MODULE}) +: Seq.empty[ModuleID]`),
  build('list by for', `libraryDependencies ++= (for (n <- Seq("log4j-core")) yield "${GROUP}" % n % "2.14.1")`),
  build(
    'list by for in braces',
    `libraryDependencies ++= { for { n <- Seq("core"); v = "2.14.1" } yield "${GROUP}" % s"log4j-$n" % v }`,
  ),
  build('list by map', `libraryDependencies ++= Seq("log4j-core").map("${GROUP}" % _ % "2.14.1")`),
  build('list by map with a name', `libraryDependencies ++= Seq("log4j-core").map(n => "${GROUP}" % n % "2.14.1")`),
  build(
    'list by cases',
    `libraryDependencies ++= Seq("log4j-core" -> "2.14.1").map { case (n, v) => "${GROUP}" % n % v }`,
  ),
  build('list by collect', `libraryDependencies ++= Seq("core", "x").collect { case "core" => ${MODULE} }`),
  build(
    'list by flatMap',
    `libraryDependencies ++= Seq("core").flatMap(n => Seq("${GROUP}" % s"log4j-$n" % "2.14.1"))`,
  ),
  build('list by fill', `libraryDependencies ++= Seq.fill(1)(${MODULE})`),
  build(
    'list by fold',
    `libraryDependencies ++= Seq("core").foldLeft(Seq.empty[ModuleID])((all, n) => all :+ ("${GROUP}" % s"log4j-$n" % "2.14.1"))`,
  ),
  build('list by sort', `libraryDependencies ++= Seq(${MODULE}).sortBy(_.name)`),
  build('list by groups', `libraryDependencies ++= Seq(${MODULE}).groupBy(_.organization).values.flatten.toSeq`),
  build('list by distinct', `libraryDependencies ++= Seq(${MODULE}, ${MODULE}).distinct`),
  build('list by filter', `libraryDependencies ++= Seq(${MODULE}, ${SAFE}).filter(_.revision == "2.14.1")`),
  build(
    'list by zip',
    `libraryDependencies ++= Seq("log4j-core").zip(Seq("2.14.1")).map { case (n, v) => "${GROUP}" % n % v }`,
  ),
  build('option', `libraryDependencies ++= Some(${MODULE}).toSeq`),
  build('option as it is', `libraryDependencies ++= Option(${MODULE})`),
  build('values of a map', `libraryDependencies ++= Map("core" -> (${MODULE})).values.toSeq`),
  build('array', `libraryDependencies ++= Array(${MODULE})`),
  build('either', `libraryDependencies ++= Right[String, ModuleID](${MODULE}).toSeq`),
  build('replaced list', `libraryDependencies := Seq(${MODULE})`),
  build('changed list', `libraryDependencies ~= { _ :+ (${MODULE}) }`),
  build('changed list with a name', `libraryDependencies ~= (all => all ++ Seq(${MODULE}))`),
  build(
    'changed revisions',
    `libraryDependencies += ${SAFE}\n\nlibraryDependencies ~= { _.map(m => if (m.organization == "${GROUP}") m.withRevision("2.14.1") else m) }`,
  ),
  build(
    'changed revisions by cases',
    `libraryDependencies += ${SAFE}\n\nlibraryDependencies := libraryDependencies.value.map { case m if m.name == "log4j-core" => m.withRevision("2.14.1"); case m => m }`,
  ),
  build('value of itself', `libraryDependencies := libraryDependencies.value :+ (${MODULE})`),
  build(
    'added, then one is removed',
    `libraryDependencies ++= Seq(${MODULE}, ${BINDING} % "2.17.1")\n\nlibraryDependencies -= ${BINDING} % "2.17.1"`,
  ),
  build('removed again', `libraryDependencies += ${MODULE}\n\nlibraryDependencies -= ${MODULE}`, { tool: 'ignores' }),
  build('brackets around the setting', `(libraryDependencies += ${MODULE})`),
  build('method call of the setting', `libraryDependencies.+=(${MODULE})`),
  build('key with its package', `sbt.Keys.libraryDependencies += ${MODULE}`),
  build('key with its object', `Keys.libraryDependencies += ${MODULE}`),
  build('key by an import', `import sbt.Keys.{libraryDependencies => hiddenKey}\n\nhiddenKey += ${MODULE}`),
  build('key by a value', `val hiddenKey = libraryDependencies\n\nhiddenKey += ${MODULE}`),
  build('key by its name', `SettingKey[Seq[ModuleID]]("libraryDependencies") += ${MODULE}`),
  build('conditional setting', `if (true) Seq(libraryDependencies += ${MODULE}) else Nil`),
  build('list of settings', `Seq(libraryDependencies += ${MODULE})`),
  build('value', `val hiddenVersion = "2.14.1"\n\nlibraryDependencies += "${GROUP}" % "log4j-core" % hiddenVersion`),
  build('lazy value', `lazy val hiddenModule = ${MODULE}\n\nlibraryDependencies += hiddenModule`),
  build('value after its use', `libraryDependencies += hiddenModule\n\nlazy val hiddenModule = ${MODULE}`),
  build(
    'pair of values',
    `val (hiddenName, hiddenVersion) = ("log4j-core", "2.14.1")\n\nlibraryDependencies += "${GROUP}" % hiddenName % hiddenVersion`,
  ),
  build('variable', `libraryDependencies += { var v = "2.17.1"; v = "2.14.1"; "${GROUP}" % "log4j-core" % v }`),
  build(
    'buffer',
    `libraryDependencies ++= { val all = scala.collection.mutable.Buffer.empty[ModuleID]; all += ${MODULE}; all.toSeq }`,
  ),
  build('builder', `libraryDependencies ++= { val all = Seq.newBuilder[ModuleID]; all += ${MODULE}; all.result() }`),
  build(
    'method',
    `def hiddenLib(n: String) = "${GROUP}" % s"log4j-$n" % "2.14.1"\n\nlibraryDependencies += hiddenLib("core")`,
  ),
  build(
    'method with a default',
    `def hiddenLib(n: String, v: String = "2.14.1") = "${GROUP}" % n % v\n\nlibraryDependencies += hiddenLib("log4j-core")`,
  ),
  build(
    'method that calls itself',
    `def hiddenLibs(n: Int): Seq[ModuleID] = if (n == 0) Nil else (${MODULE}) +: hiddenLibs(n - 1)\n\nlibraryDependencies ++= hiddenLibs(1)`,
  ),
  build(
    'function',
    `val hiddenLib = (n: String) => "${GROUP}" % n % "2.14.1"\n\nlibraryDependencies += hiddenLib("log4j-core")`,
  ),
  build(
    'composed functions',
    `val hiddenLib = ((n: String) => s"log4j-$n") andThen (n => "${GROUP}" % n % "2.14.1")\n\nlibraryDependencies += hiddenLib("core")`,
  ),
  build('object', `object Hidden { val module = ${MODULE} }\n\nlibraryDependencies += Hidden.module`),
  build(
    'object with an import',
    `object Hidden { val module = ${MODULE} }\nimport Hidden._\n\nlibraryDependencies += module`,
  ),
  build(
    'case class',
    `case class Hidden(v: String) { def module = "${GROUP}" % "log4j-core" % v }\n\nlibraryDependencies += Hidden("2.14.1").module`,
  ),
  build(
    'implicit class',
    `implicit class HiddenOps(n: String) { def old = "${GROUP}" % n % "2.14.1" }\n\nlibraryDependencies += "log4j-core".old`,
  ),
  build(
    'pattern of texts',
    `val HiddenPattern = "(.*)@(.*)".r\n\nlibraryDependencies += ("log4j-core@2.14.1" match { case HiddenPattern(n, v) => "${GROUP}" % n % v })`,
  ),
  build(
    'setting of its own',
    `val hiddenVersion = settingKey[String]("x")\n\nhiddenVersion := "2.14.1"\n\nlibraryDependencies += "${GROUP}" % "log4j-core" % hiddenVersion.value`,
  ),
  build('initialization', `libraryDependencies ++= Def.setting { Seq(${MODULE}) }.value`),
  build(
    'initialization of its own',
    `lazy val hiddenModules = Def.setting(Seq(${MODULE}))\n\nlibraryDependencies ++= hiddenModules.value`,
  ),
  build(
    'initialization of an initialization',
    `libraryDependencies ++= Def.settingDyn { Def.setting(Seq(${MODULE})) }.value`,
  ),
  build('initialization that is mapped', `libraryDependencies ++= scalaVersion(v => Seq(${MODULE})).value`),
  build('for a whole build', `ThisBuild / libraryDependencies += ${MODULE}`, DELEGATED),
  build('for all builds', `Global / libraryDependencies += ${MODULE}`, DELEGATED),
  build('for a whole build, in the old way', `libraryDependencies in ThisBuild += ${MODULE}`, DELEGATED),
  build('settings for a whole build', `inThisBuild(Seq(libraryDependencies += ${MODULE}))`, DELEGATED),
  build('settings for a scope', `inScope(Global)(Seq(libraryDependencies += ${MODULE}))`, DELEGATED),
  build('overridden version', `libraryDependencies += ${BINDING} % "2.17.1"\n\ndependencyOverrides += ${MODULE}`),
  build('overridden version of tests', `libraryDependencies += ${SAFE}\n\nTest / dependencyOverrides += ${MODULE}`, {
    tool: 'ignores',
  }),
  build('excluded again', `libraryDependencies += ${MODULE}\n\nexcludeDependencies += "${GROUP}" % "log4j-core"`, {
    tool: 'ignores',
  }),
  build(
    'exclusion of another organization',
    `libraryDependencies += ${MODULE}\n\nexcludeDependencies += ExclusionRule("org.example", "log4j-core")`,
  ),
  build(
    'exclusion of a name with ending',
    `libraryDependencies += ${MODULE}\n\nexcludeDependencies += "${GROUP}" %% "log4j-core"`,
  ),
  build(
    'exclusion of tests',
    `libraryDependencies += ${MODULE}\n\nTest / excludeDependencies += "${GROUP}" % "log4j-core"`,
  ),
  build('all dependencies', `allDependencies += ${MODULE}`, { source: TASKS }),
  build('dependencies on projects', `projectDependencies += ${MODULE}`, { source: TASKS }),
  build('jar', `Compile / unmanagedJars += file("hidden.jar")`, { source: TASKS }),
  build('jars, in the old way', `unmanagedJars in Compile ++= Seq(file("hidden.jar")).classpath`, { source: TASKS }),
  build('folder of jars', `unmanagedBase := file("hidden")`, {
    source: TASKS,
    beside: { 'hidden/hidden.jar': '' },
  }),
  build('class path', `Compile / unmanagedClasspath += Attributed.blank(file("hidden.jar"))`, { source: TASKS }),
  build('dependency class path', `Compile / dependencyClasspath += Attributed.blank(file("hidden.jar"))`, {
    source: TASKS,
  }),
  build('external class path', `Compile / externalDependencyClasspath += Attributed.blank(file("hidden.jar"))`, {
    source: TASKS,
  }),
  build('full class path', `Runtime / fullClasspath += Attributed.blank(file("hidden.jar"))`, { source: TASKS }),
  build('class path as jars', `Runtime / fullClasspathAsJars += Attributed.blank(file("hidden.jar"))`, {
    source: TASKS,
  }),
  build('products', `Compile / products += file("hidden.jar")`, { source: TASKS }),
  build('exported products', `Compile / exportedProducts += Attributed.blank(file("hidden.jar"))`, { source: TASKS }),
  build('resources', `Compile / unmanagedResources += file("hidden.jar")`, { source: TASKS, tool: 'ignores' }),
  build('Ivy in XML', `ivyXML := <dependency org="${GROUP}" name="log4j-core" rev="2.14.1"/>`, { source: TASKS }),
  build('Ivy file', 'externalIvyFile()', { source: TASKS, beside: { 'ivy.xml': '<ivy-module/>' } }),
  build('POM', 'externalPom()', { source: TASKS, beside: { 'pom.xml': '<project/>' } }),
  build('module settings', `moduleSettings := moduleSettings.value`, { tool: 'ignores', source: TASKS }),
  build('update', `update := update.value`, { tool: 'ignores', source: TASKS }),
  build(
    'settings of a session',
    `Global / onLoad ~= (_ andThen (s => Project.extract(s).appendWithSession(Seq(libraryDependencies += ${MODULE}), s)))`,
    { source: TASKS },
  ),
  build(
    'command',
    `commands += Command.command("hidden") { s => Project.extract(s).appendWithSession(Seq(libraryDependencies += ${MODULE}), s) }`,
    { source: TASKS, tool: 'ignores' },
  ),
  build(
    'statements after a function',
    `val hiddenLine = (line: String) => line.trim\n\nlibraryDependencies += ${MODULE}`,
  ),
  build(
    'function in braces',
    `libraryDependencies ++= { Seq("log4j-core").map { n =>\n  val v = "2.14.1"\n  "${GROUP}" % n % v\n} }`,
  ),
  build(
    'change by comparison',
    `libraryDependencies += ${SAFE}\n\nlibraryDependencies ~= { _.map(m => if (m == ${SAFE}) m.withRevision("2.14.1") else m) }`,
  ),
]
