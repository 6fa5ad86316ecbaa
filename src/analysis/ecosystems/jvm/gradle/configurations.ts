/** Configurations of development tools: annotation processors, checks, reports. */
const TOOLS =
  /^(?:annotationprocessor|kapt|ksp|checkstyle|pmd|spotbugs\w*|findbugs\w*|jacoco\w*|detekt\w*|ktlint|errorprone\w*|jmh\w*|protobuf\w*|dokka\w*|codenarc|asciidoctor\w*|lintchecks|classpath|docs?|rewrite|nohttp|proguard|bnd|eclipse|idea)$/i

/** Returns true if a configuration is only needed for building and testing. Unknown names count as production. */
export function isDevConfiguration(name: string): boolean {
  return /(?:^|[a-z])(?:Test|test)/.test(name.replace(/latest/gi, '')) &&
    !/[tT]estFixtures(?:Api|Implementation)$/.test(name)
    ? /^(?:test|\w*Test)/.test(name)
    : TOOLS.test(name) || /(?:AnnotationProcessor|Kapt|Ksp)$/.test(name) || /^(?:kapt|ksp)[A-Z]/.test(name)
}
