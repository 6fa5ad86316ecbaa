import type { Spelling } from '../spelling.ts'
import { GROUP, MODULE, RELEASE, SAFE, script } from './script.ts'

const newer = (name: string, source: string, text: string, beside = {}) =>
  script(name, text, { isNewer: true, source, beside })
const implementation = (notation: string) => `dependencies { implementation ${notation} }`
const versioned = (version: string) => implementation(`('${MODULE}') { version { ${version} } }`)
const catalog = (text: string) => ({ 'gradle/libs.versions.toml': text })
const CATALOGS = 'Version catalogs'
const RICH = 'Declaring versions and ranges'
const PLATFORMS = 'Platforms'
const LAZY = 'Configuring tasks lazily'

/** Spellings of later releases: the answers are the documentation's. */
export const laterReleases: readonly Spelling[] = [
  newer(
    'constraint',
    'Dependency constraints',
    `dependencies { implementation '${MODULE}'\n constraints { implementation '${RELEASE}' } }`,
  ),
  newer('strict version', RICH, versioned("strictly '2.14.1'")),
  newer('strict version in short', RICH, implementation(`'${RELEASE}!!'`)),
  newer('strict range that prefers a version', RICH, versioned("strictly '[2.14, 2.18['; prefer '2.14.1'")),
  newer('required version', RICH, versioned("require '2.14.1'")),
  newer('preferred version', RICH, versioned("prefer '2.14.1'")),
  newer(
    'platform',
    PLATFORMS,
    `dependencies { implementation platform('${GROUP}:log4j-bom:2.14.1')\n implementation '${MODULE}' }`,
  ),
  newer(
    'enforced platform',
    PLATFORMS,
    `dependencies { implementation enforcedPlatform('${GROUP}:log4j-bom:2.14.1')\n implementation '${SAFE}' }`,
  ),
  newer(
    'catalog',
    CATALOGS,
    implementation('libs.core'),
    catalog(`[versions]\nv = "2.14.1"\n[libraries]\ncore = { module = "${MODULE}", version.ref = "v" }\n`),
  ),
  newer(
    'bundle of a catalog',
    CATALOGS,
    implementation('libs.bundles.logging'),
    catalog(`[libraries]\ncore = "${RELEASE}"\n[bundles]\nlogging = ["core"]\n`),
  ),
  newer('catalog of the settings', CATALOGS, implementation('libs.core'), {
    'settings.gradle': `dependencyResolutionManagement { versionCatalogs { libs { library('core', '${RELEASE}') } } }\n`,
  }),
  newer(
    'catalog by its text',
    CATALOGS,
    implementation("extensions.getByType(VersionCatalogsExtension).named('libs').findLibrary('core').get()"),
    catalog(`[libraries]\ncore = "${RELEASE}"\n`),
  ),
  newer(
    'rule for the metadata of a component',
    'Modifying dependency metadata',
    `dependencies { components { withModule('${GROUP}:log4j-api') { allVariants { withDependencies { add '${RELEASE}' } } } }\n implementation '${GROUP}:log4j-api:2.17.1' }`,
  ),
  newer(
    'dependency factory',
    'Declaring dependencies',
    `dependencies { implementation(project.dependencyFactory.create('${RELEASE}')) }`,
  ),
  newer('provider', LAZY, implementation(`(provider { '${RELEASE}' })`)),
  newer(
    'property by a provider',
    LAZY,
    implementation(`(providers.gradleProperty('hidden').map { "${MODULE}:$it" })`),
    { 'gradle.properties': 'hidden=2.14.1\n' },
  ),
  newer(
    'suite of the product',
    'The JVM Test Suite plugin',
    `testing { suites { test { dependencies { implementation project() } } } }\n${implementation(`'${RELEASE}'`)}`,
  ),
  newer(
    'variants of a feature',
    'Modeling feature variants',
    `java { registerFeature('extra') { usingSourceSet(sourceSets.main) } }\ndependencies { extraImplementation '${RELEASE}' }`,
  ),
  newer(
    'classpath that is added to',
    'The Java plugin',
    `configurations { hidden }\ndependencies { hidden '${RELEASE}' }\nsourceSets.main.runtimeClasspath += configurations.hidden`,
  ),
  script('annotation processor', `dependencies { annotationProcessor '${RELEASE}' }`, {
    isNewer: true,
    source: 'The Java plugin',
    tool: 'ignores',
  }),
]
