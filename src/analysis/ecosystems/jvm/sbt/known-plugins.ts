import type { Unresolved } from '#analysis/dependency-graph.ts'
import { isUnknown, type SourcePosition, toUnknown, toUnresolved, type Value } from './values.ts'

export const NOT_KNOWN = 'this plugin is not known here, so which packages it adds is not known either'

/**
 * Plugins of sbt, by the artifacts that `addSbtPlugin` names, that add no package to what is built unless a project enables
 * them: they check, format, publish, package, document or generate. Whatever stands in no list here may add dependencies.
 */
const QUIET = new Set(
  // Formats and checks; what they add is needed by the compiler or a tool only.
  (
    'sbt-scalafmt sbt-scalafix sbt-scalariform sbt-java-formatter sbt-scalastyle scalastyle-sbt-plugin sbt-wartremover ' +
    'sbt-scapegoat sbt-spotless sbt-jcstyle sbt-checkstyle-plugin sbt-findbugs-plugin findbugs4sbt sbt-header sbt-tpolecat ' +
    'sbt-explicit-dependencies sbt-missinglink sbt-dependency-check sbt-version-policy sbt-version-scheme-enforcer ' +
    'sbt-mima-plugin sbt-tasty-mima sbt-scala3-migrate sbt-scoverage sbt-coveralls sbt-codacy-coverage sbt-jacoco ' +
    'jacoco4sbt sbt-jmh sbt-stryker4s sbt-github-dependency-submission sbt-dependency-graph sbt-updates sbt-license-report ' +
    'sbt-bill-of-materials sbt-sbom sbt-duplicates-finder sbt-reproducible-builds sbt-pull-request-validator sbt-rewarn ' +
    // Builds and their own tools.
    'sbt-git sbt-dynver sbt-release sbt-ci-release sbt-ci-release-early sbt-sonatype sbt-pgp sbt-gpg sbt-bintray sbt-s3 ' +
    'sbt-s3-resolver sbt-aws-code-artifact sbt-github-actions sbt-github-packages sbt-travisci sbt-projectmatrix sbt-doge ' +
    'sbt-cross sbt-cross-building sbt-crossproject sbt-scalajs-crossproject sbt-scala-native-crossproject sbt-coursier ' +
    'sbt-lm-coursier sbt-revolver sbt-dotenv sbt-eclipse sbteclipse-plugin sbt-idea sbt-ide-settings sbt-bloop sbt-ensime ' +
    'sbt-structure-extractor sbt-buildinfo sbt-build-info sbt-errors-summary sbt-prompt sbt-welcome sbt-hackers-digest ' +
    'sbt-whitesource sbt-akka-version-check sbt-sdlc sbt-typelevel-ci-release sbt-typelevel-mergify ' +
    'sbt-softwaremill-publish sbt-softwaremill-browser-test-js gatling-build-plugin sbt-scala-module sbt-apache-sonatype sbt-publish-rsync sbt-source-dist sbt-mergify-github-actions sbt-develocity ' +
    'sbt-gradle-enterprise sbt-dotty sbt-groll sbt-jupiter-interface junit_xml_listener sbt-testng-plugin sbt-multi-jvm sbt-doctest ' +
    // Packages and documents.
    'sbt-assembly sbt-native-packager sbt-native-image sbt-graalvm-native-image sbt-docker sbt-docker-compose sbt-pack ' +
    'sbt-onejar sbt-proguard sbt-osgi sbt-jlink sbt-javaagent sbt-aspectj sbt-heroku sbt-unidoc sbt-api-mappings sbt-site ' +
    'sbt-site-paradox sbt-ghpages sbt-paradox sbt-paradox-akka sbt-paradox-material-theme pekko-sbt-paradox sbt-paradox-apidoc sbt-paradox-project-info sbt-mdoc tut-plugin ' +
    'sbt-microsites laika-sbt sbt-docusaur sbt-lightbend-markdown sbt-markdown play-docs-sbt-plugin ' +
    // Generators; what generated code needs is declared by the project.
    'sbt-boilerplate sbt-protoc sbt-protobuf sbt-avro sbt-avrohugger sbt-antlr4 sbt-contraband sbt-openapi-generator ' +
    'sbt-web sbt-less sbt-sassify sbt-uglify sbt-rjs sbt-digest sbt-gzip sbt-jshint sbt-coffeescript sbt-mocha sbt-concat ' +
    'sbt-js-engine sbt-stylus sbt-imagemin flyway-sbt sbt-jrebel-plugin xsbt-web-plugin sbt-war sbt-jni ' +
    // They add packages to projects that enable them, which is looked at there.
    'sbt-scalajs sbt-jsdependencies sbt-scalajs-bundler sbt-scala-native sbt-plugin lagom-sbt-plugin sbt-twirl ' +
    'sbt-akka-grpc pekko-grpc-sbt-plugin sbt-scalatra sbt-fs2-grpc'
  ).split(' '),
)

/** Plugins that add packages to the projects that enable them. */
const ADDING =
  /^(?:Play(?:Scala|Java|Service|MinimalJava|MinimalScala|AkkaHttp\w*|Netty\w*|Web)?|Lagom\w+|SbtTwirl|\w*ScalaJSPlugin|\w*ScalaNativePlugin|(?:Akka|Pekko)Grpc\w*|ScalatraPlugin|Fs2Grpc)$/

/** Plugins of sbt itself and of the list above, by the names by which projects enable them. */
const QUIET_BY_CLASS = new Set(
  (
    'JvmPlugin CorePlugin IvyPlugin JUnitXmlReportPlugin Giter8TemplatePlugin SemanticdbPlugin SbtPlugin ScriptedPlugin ' +
    'MiniDependencyTreePlugin DependencyTreePlugin AutomateHeaderPlugin HeaderPlugin ScalafmtPlugin ScalafixPlugin ' +
    'ScalafixTestkitPlugin JavaFormatterPlugin WartRemover TpolecatPlugin MimaPlugin TastyMiMaPlugin JmhPlugin ' +
    'ScoverageSbtPlugin CoverallsPlugin JacocoPlugin JacocoCoverallsPlugin DependencyCheckPlugin BillOfMaterialsPlugin ' +
    'ReproducibleBuildsPlugin GitPlugin GitVersioning GitBranchPrompt DynVerPlugin ReleasePlugin Sonatype SbtPgp ' +
    'CiReleasePlugin BintrayPlugin GitHubActionsPlugin BuildInfoPlugin RevolverPlugin CrossPerProjectPlugin ' +
    'ProjectMatrixPlugin EclipsePlugin BloopPlugin DoctestPlugin AssemblyPlugin JavaAppPackaging JavaServerAppPackaging ' +
    'UniversalPlugin UniversalDeployPlugin DockerPlugin DockerSpotifyClientPlugin sbtdocker.DockerPlugin DockerComposePlugin ' +
    'AshScriptPlugin BashStartScriptPlugin LauncherJarPlugin ClasspathJarPlugin JlinkPlugin JavaAgent SystemdPlugin ' +
    'SystemVPlugin UpstartPlugin RpmPlugin DebianPlugin WindowsPlugin JDKPackagerPlugin GraalVMNativeImagePlugin ' +
    'NativeImagePlugin PackPlugin SbtOsgi SbtProguard SbtAspectj ScalaUnidocPlugin JavaUnidocPlugin GenJavadocPlugin ' +
    'BootstrapGenjavadoc SitePlugin ParadoxPlugin ParadoxSitePlugin ParadoxMaterialThemePlugin PekkoParadoxPlugin ' +
    'AkkaParadoxPlugin SiteScaladocPlugin PreprocessPlugin JekyllPlugin LaikaPlugin GhpagesPlugin MdocPlugin TutPlugin ' +
    'MicrositesPlugin DocusaurusPlugin LightbendMarkdown PlayDocsPlugin PublishRsyncPlugin BoilerplatePlugin ProtocPlugin ' +
    'ProtobufPlugin SbtAvro SbtAvrohugger Antlr4Plugin ContrabandPlugin OpenApiGeneratorPlugin SbtWeb FlywayPlugin ' +
    'NoPublishPlugin SphinxPlugin JDebPackaging JettyPlugin TomcatPlugin WarPlugin JniNative JniLoad MultiJvmPlugin'
  ).split(' '),
)

/** True when no project gets packages from the plugin only because the build has it. */
export function isQuietArtifact(name: string): boolean {
  return QUIET.has(name)
}

/** Names a plugin unless it is known to add nothing. */
export function findAdding(name: string, place: SourcePosition): Unresolved[] {
  const last = name.split('.').at(-1)!
  if (QUIET_BY_CLASS.has(last)) return []
  const reason = ADDING.test(last) ? 'this plugin adds packages of its own' : NOT_KNOWN
  return [toUnresolved(toUnknown(reason, place), `plugin ${name}`)]
}

/** Names of plugins as they are enabled; those that the sent files define are read, and have none. */
export function namesOfPlugins(args: readonly Value[]): string[] {
  return args.flatMap((arg) => {
    if (arg.kind === 'external') return arg.name
    if (arg.kind === 'key') return arg.key.name
    if (arg.kind === 'list') return namesOfPlugins(arg.items)
    return isUnknown(arg) || arg.kind === 'function' ? '?' : []
  })
}
