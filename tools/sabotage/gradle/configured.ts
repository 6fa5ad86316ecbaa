import type { Spelling } from '../spelling.ts'
import { BINDING, dependency, GROUP, MODULE, RELEASE, SAFE, script } from './script.ts'

const RULES = { source: 'Customizing dependency resolution behavior' }
const DYNAMIC = { source: 'Dynamic versions' }
const IGNORED = { tool: 'ignores' } as const
const JAVA = "apply plugin: 'java'\nrepositories { mavenCentral() }"
const more = (text: string) => ({ beside: { 'more.gradle': text }, source: 'Organizing build logic' })
const included = { 'settings.gradle': "include 'm'\n", 'm/build.gradle': '// The root configures it.\n' }
const all = (rule: string) => `configurations.all { ${rule} }`
const byRule = (rule: string) => all(`resolutionStrategy.eachDependency { d -> ${rule} }`)

/** Places that dependencies come from, and rules that choose versions. */
export const configured: readonly Spelling[] = [
  script('added to the container', `dependencies.add('compile', '${RELEASE}')`),
  script('added to the configuration', `configurations.compile.dependencies.add(dependencies.create('${RELEASE}'))`),
  script('configuration called by a text', `dependencies { "compile" '${RELEASE}' }`),
  script('configuration called by an expression', `dependencies { "\${'com' + 'pile'}"('${RELEASE}') }`),
  script('after the evaluation', `afterEvaluate { dependencies { compile '${RELEASE}' } }`),
  script('for all projects', `allprojects { ${JAVA}\ndependencies { compile '${RELEASE}' } }`),
  script('when a plugin is applied', `plugins.withType(JavaPlugin) { dependencies { compile '${RELEASE}' } }`),
  script(
    'with the dependencies of a configuration',
    `configurations.compile.withDependencies { it.add(project.dependencies.create('${RELEASE}')) }`,
    RULES,
  ),
  script(
    'default dependencies',
    `configurations.runtimeOnly.defaultDependencies { it.add(project.dependencies.create('${RELEASE}')) }`,
    RULES,
  ),
  script('implementation', `dependencies { implementation '${RELEASE}' }`),
  script('api', `apply plugin: 'java-library'\ndependencies { api '${RELEASE}' }`),
  script('runtime', `dependencies { runtime '${RELEASE}' }`),
  script('runtimeOnly', `dependencies { runtimeOnly '${RELEASE}' }`),
  script('compileOnly', `dependencies { compileOnly '${RELEASE}' }`),
  script('provided', `apply plugin: 'war'\ndependencies { providedCompile '${RELEASE}' }`, {
    source: 'The War plugin',
  }),
  script(
    'extended configuration',
    `configurations { hidden\n compile.extendsFrom hidden }\ndependencies { hidden '${RELEASE}' }`,
  ),
  script('dynamic version', dependency(`'${MODULE}:2.14.+'`), DYNAMIC),
  script('range', dependency(`'${MODULE}:[2.14.1,2.14.2)'`), DYNAMIC),
  script('open range', dependency(`'${MODULE}:]2.14.0,2.15['`), DYNAMIC),
  script('latest release', dependency(`'${MODULE}:latest.release'`), { ...DYNAMIC, ...IGNORED }),
  script('the newer of two versions', `dependencies { compile '${RELEASE}'\n compile '${SAFE}' }`, IGNORED),
  script('forced dependency', `dependencies { compile('${RELEASE}') { force = true }\n compile '${SAFE}' }`, RULES),
  script('forced', `${all(`resolutionStrategy.force '${RELEASE}'`)}\n${dependency(`'${SAFE}'`)}`, RULES),
  script(
    'forced list',
    `${all(`resolutionStrategy { forcedModules = ['${RELEASE}'] }`)}\n${dependency(`'${SAFE}'`)}`,
    RULES,
  ),
  script(
    'version by a rule',
    `${byRule("if (d.requested.name == 'log4j-core') d.useVersion '2.14.1'")}\n${dependency(`'${SAFE}'`)}`,
    RULES,
  ),
  script(
    'target by a rule',
    `${byRule(`if (d.requested.name == 'log4j-api') d.useTarget '${RELEASE}'`)}\n${dependency(`'${GROUP}:log4j-api:2.17.1'`)}`,
    RULES,
  ),
  script(
    'substitution',
    `${all(`resolutionStrategy.dependencySubstitution { substitute module('${SAFE}') with module('${RELEASE}') }`)}\n${dependency(`'${SAFE}'`)}`,
    RULES,
  ),
  script('dependency of a dependency', dependency(`'${BINDING}:2.14.1'`)),
  script('excluded', dependency(`('${BINDING}:2.14.1') { exclude module: 'log4j-core' }`), IGNORED),
  script('excluded everywhere', `${all("exclude module: 'log4j-core'")}\n${dependency(`'${RELEASE}'`)}`, IGNORED),
  script('not followed', dependency(`('${BINDING}:2.14.1') { transitive = false }`), IGNORED),
  script('applied script', "apply from: 'more.gradle'", more(dependency(`'${RELEASE}'`))),
  script(
    'script applied by a variable',
    `def f = 'more'\napply from: "\${f}.gradle"`,
    more(dependency(`'${RELEASE}'`)),
  ),
  script(
    'versions of an applied script',
    `apply from: 'more.gradle'\n${dependency('libs.core')}`,
    more(`ext.libs = [core: '${RELEASE}']`),
  ),
  script('settings that configure every project', '', {
    beside: {
      'settings.gradle': `gradle.beforeProject { p -> p.afterEvaluate { p.dependencies.add('compile', '${RELEASE}') } }\n`,
    },
  }),
  script('subproject', '', {
    beside: { ...included, 'm/build.gradle': `${JAVA}\n${dependency(`'${RELEASE}'`)}\n` },
  }),
  script('all subprojects', `subprojects { ${JAVA}\n${dependency(`'${RELEASE}'`)} }`, { beside: included }),
  script('project by its path', `project(':m') { ${JAVA}\n${dependency(`'${RELEASE}'`)} }`, { beside: included }),
  script('constants of buildSrc', dependency('Hidden.CORE'), {
    beside: {
      'buildSrc/src/main/groovy/Hidden.groovy': `class Hidden { static final String CORE = '${RELEASE}' }\n`,
    },
    source: 'Organizing build logic',
  }),
  script('tests', `dependencies { testCompile '${RELEASE}' }`, IGNORED),
]
