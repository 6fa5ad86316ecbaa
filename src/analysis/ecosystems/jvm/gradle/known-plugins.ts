/**
 * Plugins known to add no package to the product: they check, format, publish, document or generate, or add only
 * packages for tools, tests or the compiler. All other plugins may add dependencies.
 */
const OF_GRADLE = new Set(
  (
    'base java java-base java-library java-platform java-test-fixtures java-library-distribution java-gradle-plugin ' +
    'groovy groovy-base groovy-gradle-plugin scala scala-base kotlin-dsl kotlin-dsl-base embedded-kotlin application ' +
    'war ear distribution distribution-base jvm-ecosystem jvm-toolchains jvm-test-suite test-suite-base ' +
    'test-report-aggregation jacoco jacoco-report-aggregation checkstyle pmd codenarc findbugs jdepend eclipse eclipse-wtp ' +
    'idea maven maven-publish ivy-publish publishing signing osgi jetty announce build-announcements build-dashboard ' +
    'project-report project-reports reporting-base help-tasks lifecycle-base wrapper version-catalog visual-studio xcode ' +
    'cpp-library cpp-application swift-library swift-application antlr'
  ).split(' '),
)

const OF_OTHERS = new Set(
  // Android and Kotlin; packages added by Kotlin's plugins are read.
  (
    'com.android.application com.android.library com.android.test com.android.dynamic-feature com.android.lint com.android.base ' +
    'com.android.asset-pack com.android.kotlin.multiplatform.library com.android.settings android android-library ' +
    'kotlin kotlin-android kotlin-multiplatform kotlin-kapt kotlin-allopen kotlin-noarg kotlin-spring kotlin-jpa ' +
    'kotlin-parcelize kotlin-android-extensions kotlinx-serialization com.google.devtools.ksp androidx.room ' +
    'androidx.navigation.safeargs androidx.navigation.safeargs.kotlin dagger.hilt.android.plugin ' +
    'com.google.dagger.hilt.android com.google.gms.google-services com.google.firebase.crashlytics ' +
    'com.google.firebase.firebase-perf com.google.firebase.appdistribution com.google.android.gms.oss-licenses-plugin ' +
    'com.github.triplet.play com.github.dcendents.android-maven app.cash.paparazzi ' +
    // Spring; versions managed by its plugins are read.
    'org.springframework.boot io.spring.dependency-management io.spring.nohttp io.spring.javaformat ' +
    'org.graalvm.buildtools.native ' +
    // Builds and build scans.
    'com.gradle.enterprise com.gradle.develocity com.gradle.build-scan com.gradle.plugin-publish ' +
    'com.gradle.common-custom-user-data-gradle-plugin io.spring.gradle-enterprise-conventions io.spring.ge.conventions ' +
    'io.spring.develocity.conventions org.gradle.toolchains.foojay-resolver ' +
    'org.gradle.toolchains.foojay-resolver-convention org.gradle.test-retry com.adarshr.test-logger com.osacky.doctor ' +
    'com.dorongold.task-tree com.google.osdetector de.undercouch.download com.autonomousapps.dependency-analysis ' +
    'com.autonomousapps.build-health com.squareup.sort-dependencies com.github.ben-manes.versions ' +
    'nl.littlerobots.version-catalog-update ' +
    // Checks and formatting.
    'com.diffplug.spotless com.diffplug.gradle.spotless com.github.sherter.google-java-format com.palantir.java-format ' +
    'org.jlleitschuh.gradle.ktlint org.jmailen.kotlinter io.gitlab.arturbosch.detekt dev.detekt com.github.spotbugs ' +
    'com.github.spotbugs-base net.ltgt.errorprone net.ltgt.errorprone-base net.ltgt.nullaway net.ltgt.apt ' +
    'ru.vyarus.animalsniffer ru.vyarus.quality de.thetaphi.forbiddenapis org.owasp.dependencycheck org.cyclonedx.bom ' +
    'org.sonarqube net.saliman.cobertura cobertura com.github.kt3k.coveralls org.jetbrains.kotlinx.kover org.scoverage ' +
    'org.jetbrains.kotlinx.binary-compatibility-validator info.solidsoft.pitest me.champeau.gradle.japicmp ' +
    'me.champeau.jmh me.champeau.gradle.jmh org.nosphere.apache.rat com.github.hierynomus.license ' +
    'com.github.hierynomus.license-base com.github.hierynomus.license-report license org.cadixdev.licenser ' +
    'com.github.jk1.dependency-license-report com.jaredsburrows.license app.cash.licensee org.ec4j.editorconfig ' +
    'org.openrewrite.rewrite ' +
    // Packaging, documentation, releases.
    'com.github.johnrengelman.shadow com.gradleup.shadow io.github.goooler.shadow com.google.cloud.tools.jib ' +
    'com.bmuschko.docker-java-application com.bmuschko.docker-remote-api com.bmuschko.docker-spring-boot-application ' +
    'com.palantir.docker com.palantir.docker-compose com.palantir.git-version com.avast.gradle.docker-compose ' +
    'com.vanniktech.maven.publish io.github.gradle-nexus.publish-plugin de.marcphilipp.nexus-publish ' +
    'io.codearte.nexus-staging com.jfrog.bintray com.jfrog.artifactory org.jetbrains.dokka org.jetbrains.dokka-javadoc ' +
    'org.jetbrains.dokka-android org.asciidoctor.convert org.asciidoctor.jvm.base org.asciidoctor.jvm.convert ' +
    'org.asciidoctor.jvm.pdf org.asciidoctor.jvm.epub org.asciidoctor.jvm.gems net.researchgate.release release robovm ' +
    'pl.allegro.tech.build.axion-release com.gorylenko.gradle-git-properties me.qoomon.git-versioning ' +
    'com.github.gmazzo.buildconfig com.github.gmazzo.gradle.plugins.buildconfig org.beryx.jlink org.beryx.runtime ' +
    'edu.sc.seis.launch4j biz.aQute.bnd.builder org.javamodularity.moduleplugin ' +
    // Generators and adapters of other tools; projects declare what generated code needs.
    'com.google.protobuf com.github.node-gradle.node com.moowork.node com.moowork.grunt com.moowork.gulp ' +
    'org.flywaydb.flyway org.liquibase.gradle org.openapi.generator org.hidetake.swagger.generator ' +
    'io.swagger.core.v3.swagger-gradle-plugin com.github.davidmc24.gradle.plugin.avro ' +
    'com.github.davidmc24.gradle.plugin.avro-base com.commercehub.gradle.plugin.avro ' +
    // Compilers and annotation processors.
    'io.freefair.aspectj io.freefair.lombok io.franzbecker.gradle-lombok'
  ).split(' '),
)

/** Families without any plugin that adds a package. */
const FAMILIES = [
  /^org\.jetbrains\.kotlin\./,
  /^org\.ajoberstar\./,
  /^org\.shipkit\./,
  /^(?:com\.netflix\.)?nebula\.(?:release|netflixoss|info|facet|ospackage|deb|rpm|contacts|lint|integtest|provided-base|optional-base)/,
  /^(?:com\.netflix\.)?nebula\.(?:source-jar|javadoc-jar|test-jar|publish|maven)/,
  /^nebula-aggregate-javadocs$/,
]

/** Plugins that lock versions: without their lockfile the versions are unknown. */
export const LOCKING_PLUGIN =
  /^(?:com\.netflix\.)?nebula\.dependency-lock$|^com\.palantir\.(?:consistent-versions|versions-lock)$/

/** Plugins by class, of Gradle itself and of the lists above. */
const CLASSES =
  /^(?:Base|Java|JavaBase|JavaLibrary|JavaPlatform|JavaGradlePlugin|Groovy|GroovyBase|Scala|ScalaBase|War|Ear|Application|Distribution|MavenPublish|Maven|IvyPublish|Publishing|Signing|Idea|Eclipse|Jacoco|Checkstyle|Pmd|CodeNarc|FindBugs|SpotBugs|Shadow|Spotless|Versions|ErrorProne|Kotlin\w*|Dokka|DependencyManagement|SpringBoot|Protobuf|Detekt|App|Library|VersionCatalog)Plugin$/

/** Returns true for plugins known to add no packages, by id or class. */
export function isQuietPlugin(id: string): boolean {
  const short = id.replace(/^org\.gradle\.(?:(?:api|plugins?|testing|jvm|language)\.)*/, '')
  if (OF_GRADLE.has(short) || OF_OTHERS.has(id) || FAMILIES.some((exp) => exp.test(id))) return true
  return CLASSES.test(id.startsWith('org.gradle.') ? (id.split('.').at(-1) ?? '') : id)
}
