import type { Spelling } from '../spelling.ts'
import { build, GROUP, MODULE, SAFE } from './build.ts'

const added = `libraryDependencies += ${MODULE}`
const MULTI = { source: 'Multi-project builds' }
const ORGANIZED = 'Organizing the build'
const PLUGINS = 'Using plugins'

function inProject(name: string, rest: string, other: Parameters<typeof build>[2] = MULTI): Spelling {
  return build(name, `lazy val hiddenProject = ${rest}`, other)
}

function beside(path: string, text: string, source = ORGANIZED) {
  return { source, beside: { [path]: text } }
}

const scalaSource = (name: string, members: string) =>
  `import sbt._\nimport Keys._\n\nobject ${name} {\n  ${members}\n}\n`
const plugin = (members: string, name = 'HiddenPlugin') =>
  `import sbt._\nimport Keys._\n\nobject ${name} extends AutoPlugin {\n  ${members}\n}\n`

/** Projects of a build, its other files, and plugins. */
export const projects: readonly Spelling[] = [
  inProject('project', `project.settings(${added})`),
  inProject('project in its folder', `(project in file("hidden")).settings(${added})`),
  inProject('project by its constructor', `Project("hidden", file("hidden")).settings(${added})`),
  inProject(
    'project by its constructor with names',
    `Project(id = "hidden", base = file("hidden")).settings(${added})`,
  ),
  inProject('project with a list of settings', `project.settings(Seq(${added}): _*)`),
  inProject('project with settings one by one', `project.settings(name := "x").settings(${added})`),
  inProject('project that is configured', `project.configure(_.settings(${added}))`),
  inProject('project with conditional settings', `project.settings(if (true) Seq(${added}) else Nil)`),
  inProject('project with its own setting', `project\n\nhiddenProject / ${added}`),
  inProject('project by its id', `project\n\nLocalProject("hiddenProject") / ${added}`),
  inProject(
    'project that a method makes',
    `hiddenModule("hidden")\n\ndef hiddenModule(id: String) = Project(id, file(id)).settings(${added})`,
  ),
  inProject(
    'project by common settings',
    `project.settings(hiddenSettings)\n\nlazy val hiddenSettings = Seq(${added})`,
  ),
  inProject(
    'project by a list of definitions',
    `project.settings(hiddenSettings: _*)\n\nlazy val hiddenSettings: Seq[Def.Setting[_]] = Seq(${added})`,
  ),
  inProject(
    'projects one by the other',
    `project.dependsOn(hiddenBelow)\n\nlazy val hiddenBelow = project.settings(${added})`,
  ),
  inProject(
    'projects one by the other, with a configuration',
    `project.dependsOn(hiddenBelow % "compile->compile;test->test")\n\nlazy val hiddenBelow = project.settings(${added})`,
  ),
  inProject(
    'tests of a project',
    `project.dependsOn(hiddenBelow % "compile->test")\n\nlazy val hiddenBelow = project.settings(libraryDependencies += ${MODULE} % Test)`,
  ),
  inProject(
    'class path dependency',
    `project.dependsOn(ClasspathDependency(LocalProject("hiddenBelow"), None))\n\nlazy val hiddenBelow = project.settings(${added})`,
  ),
  inProject(
    'aggregated project',
    `project.aggregate(hiddenBelow)\n\nlazy val hiddenBelow = project.settings(${added})`,
  ),
  inProject('project of a repository', `project.dependsOn(RootProject(uri("https://git.example/hidden.git#v1")))`),
  inProject('project of another build', `project.dependsOn(ProjectRef(file("../hidden"), "core"))`),
  inProject('project of another build, by a text', `project.dependsOn(ProjectRef(uri("git:hidden"), "core"))`),
  build('reference to another build', `lazy val hiddenProject = RootProject(file("../hidden"))`, {
    ...MULTI,
    tool: 'ignores',
  }),
  inProject(
    'project of composite projects',
    `new CompositeProject { def componentProjects = Seq(Project("hidden", file("hidden")).settings(${added})) }`,
  ),
  inProject('project that derives', `project.settings(Def.derive(${added}))`),
  build('build file below', `lazy val hidden = project`, beside('hidden/build.sbt', `name := "hidden"\n\n${added}\n`)),
  build('other build file', '', beside('hidden.sbt', `${added}\n`)),
  build(
    'other build file with a value',
    `libraryDependencies += hiddenModule`,
    beside('hidden.sbt', `val hiddenModule = ${MODULE}\n`),
  ),
  build(
    'object of the build',
    `libraryDependencies += HiddenModules.core`,
    beside('project/HiddenModules.scala', scalaSource('HiddenModules', `val core = ${MODULE}`)),
  ),
  build(
    'object of the build with an import',
    `import HiddenModules._\n\nlibraryDependencies ++= hiddenAll`,
    beside('project/HiddenModules.scala', scalaSource('HiddenModules', `lazy val hiddenAll = Seq(${MODULE})`)),
  ),
  build(
    'object that another one extends',
    `libraryDependencies += HiddenModules.core`,
    beside(
      'project/HiddenModules.scala',
      `import sbt._\n\ntrait HiddenVersions {\n  val core = ${MODULE}\n}\n\nobject HiddenModules extends HiddenVersions\n`,
    ),
  ),
  build(
    'object with an implicit class',
    `libraryDependencies += "log4j-core".old`,
    beside(
      'project/HiddenModules.scala',
      `import sbt._\n\nobject HiddenModules extends AutoPlugin {\n  object autoImport {\n    implicit class HiddenOps(n: String) { def old = "${GROUP}" % n % "2.14.1" }\n  }\n}\n`,
    ),
  ),
  build(
    'package of the build',
    `libraryDependencies += hidden.HiddenModules.core`,
    beside(
      'project/HiddenModules.scala',
      `package hidden\n\nimport sbt._\n\nobject HiddenModules {\n  val core = ${MODULE}\n}\n`,
    ),
  ),
  build(
    'package object of the build',
    `libraryDependencies += hidden.core`,
    beside('project/package.scala', `import sbt._\n\npackage object hidden {\n  val core = ${MODULE}\n}\n`),
  ),
  build(
    'plugin of the build',
    '',
    beside(
      'project/HiddenPlugin.scala',
      plugin(`override def trigger = allRequirements\n  override def projectSettings = Seq(${added})`),
    ),
  ),
  build(
    'plugin of the build with its type',
    '',
    beside(
      'project/HiddenPlugin.scala',
      plugin(
        `override val trigger = allRequirements\n  override lazy val projectSettings: Seq[Setting[_]] = super.projectSettings ++ Seq(${added})`,
      ),
    ),
  ),
  build(
    'plugin for the whole build',
    '',
    beside(
      'project/HiddenPlugin.scala',
      plugin(`override def trigger = allRequirements\n  override def buildSettings = Seq(${added})`),
    ),
  ),
  build(
    'plugin for all builds',
    '',
    beside(
      'project/HiddenPlugin.scala',
      plugin(`override def trigger = allRequirements\n  override def globalSettings = Seq(${added})`),
    ),
  ),
  build(
    'plugin that adds projects',
    '',
    beside(
      'project/HiddenPlugin.scala',
      plugin(
        `override def trigger = allRequirements\n  override def extraProjects = Seq(Project("hidden", file("hidden")).settings(${added}))`,
      ),
    ),
  ),
  build(
    'plugin that derives projects',
    '',
    beside(
      'project/HiddenPlugin.scala',
      plugin(
        `override def trigger = allRequirements\n  override def derivedProjects(p: ProjectDefinition[_]) = Seq(Project("hidden", file("hidden")).settings(${added}))`,
      ),
    ),
  ),
  build(
    'plugin with settings of configurations',
    '',
    beside(
      'project/HiddenPlugin.scala',
      plugin(
        `override def trigger = allRequirements\n  override def projectSettings = hidden\n  val hidden = Seq(${added})`,
      ),
    ),
  ),
  build(
    'class of a plugin',
    '',
    beside(
      'project/HiddenPlugin.scala',
      `import sbt._\nimport Keys._\n\nclass Hidden extends AutoPlugin {\n  override def trigger = allRequirements\n  override def projectSettings = Seq(${added})\n}\n\nobject HiddenPlugin extends Hidden\n`,
    ),
  ),
  build('old build definition', '', {
    ...beside(
      'project/Build.scala',
      `import sbt._\nimport Keys._\n\nobject HiddenBuild extends Build {\n  lazy val hidden = Project("hidden", file("hidden")).settings(${added})\n}\n`,
    ),
    tool: 'refuses',
  }),
  build(
    'plugin from elsewhere',
    '',
    beside('project/hidden.sbt', 'addSbtPlugin("org.example" % "sbt-hidden" % "1.0")\n', PLUGINS),
  ),
  build(
    'plugin from elsewhere, as a dependency',
    '',
    beside(
      'project/hidden.sbt',
      'libraryDependencies += Defaults.sbtPluginExtra("org.example" % "sbt-hidden" % "1.0", "1.0", "2.12")\n',
      PLUGINS,
    ),
  ),
  build(
    'plugin from elsewhere, enabled',
    'enablePlugins(HiddenPlugin)',
    beside('project/hidden.sbt', 'addSbtPlugin("org.example" % "sbt-hidden" % "1.0")\n', PLUGINS),
  ),
  inProject('plugin from elsewhere, enabled in a project', 'project.enablePlugins(HiddenPlugin)', { source: PLUGINS }),
  inProject('plugins from elsewhere, enabled in a project', 'project.enablePlugins(JavaAppPackaging, HiddenPlugin)', {
    source: PLUGINS,
  }),
  build(
    'plugin that is a repository',
    '',
    beside(
      'project/project.sbt',
      'lazy val root = (project in file(".")).dependsOn(RootProject(uri("https://git.example/hidden.git")))\n',
      PLUGINS,
    ),
  ),
  build('compiler plugin', `addCompilerPlugin(${MODULE})`, { source: PLUGINS, tool: 'ignores' }),
  build('module for the compiler', `libraryDependencies += compilerPlugin(${MODULE})`, {
    source: PLUGINS,
    tool: 'ignores',
  }),
  build('Scala by another name', `scalaOrganization := "org.example"`, { ...MULTI, tool: 'refuses' }),
  build('unused project of another build', `val hiddenSafe = ${SAFE}`, { ...MULTI, tool: 'ignores' }),
]
