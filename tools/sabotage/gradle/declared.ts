import type { Spelling } from '../spelling.ts'
import { dependency, GROUP, MODULE, RELEASE, SAFE, script } from './script.ts'

const properties = { 'gradle.properties': 'hiddenVersion=2.14.1\n' }
const ENVIRONMENT = 'Build environment'
const reversed = [...RELEASE].reverse().join('')
const encoded = Buffer.from(RELEASE).toString('base64')

/** Notations of a dependency, and expressions that give one. */
export const declared: readonly Spelling[] = [
  script('text', dependency(`'${RELEASE}'`)),
  script('text in double quotes', dependency(`"${RELEASE}"`)),
  script('text in brackets', dependency(`('${RELEASE}')`)),
  script('text of several lines', dependency(`'''${RELEASE}'''`)),
  script('text between slashes', `def s = /${RELEASE}/\n${dependency('s')}`),
  script('text with character escapes', dependency(`'\\u006frg.apache.logging.log4j:log4j-core:2.14.1'`)),
  script('map', dependency(`group: '${GROUP}', name: 'log4j-core', version: '2.14.1'`)),
  script('map in square brackets', dependency(`([group: '${GROUP}', name: 'log4j-core', version: '2.14.1'])`)),
  script('list', dependency(`('${RELEASE}', 'junit:junit:4.12')`)),
  script('list of maps', dependency(`([[group: '${GROUP}', name: 'log4j-core', version: '2.14.1']])`)),
  script('closure that configures', dependency(`('${RELEASE}') { transitive = false }`)),
  script('only the artifact', dependency(`'${RELEASE}@jar'`)),
  script('classifier', dependency(`'${RELEASE}:sources'`)),
  script('variable', `def v = '2.14.1'\n${dependency(`"${MODULE}:$v"`)}`),
  script('value of a map', `def v = [log4j: '2.14.1']\n${dependency(`"${MODULE}:\${v.log4j}"`)}`),
  script('extra property', `ext.v = '2.14.1'\n${dependency(`"${MODULE}:$v"`)}`),
  script('extra property in a block', `ext { v = '2.14.1' }\n${dependency(`"${MODULE}:\${project.ext.v}"`)}`),
  script('property of gradle.properties', dependency(`"${MODULE}:$hiddenVersion"`), {
    beside: properties,
    source: ENVIRONMENT,
  }),
  script('property with a default', dependency(`"${MODULE}:\${findProperty('hiddenVersion') ?: '2.17.1'}"`), {
    beside: properties,
    source: ENVIRONMENT,
  }),
  script('system property', dependency(`"${MODULE}:\${System.getProperty('hiddenVersion')}"`), {
    beside: { 'gradle.properties': 'systemProp.hiddenVersion=2.14.1\n' },
    source: ENVIRONMENT,
  }),
  script('unset system property', dependency(`"${MODULE}:\${System.getProperty('hiddenVersion', '2.14.1')}"`)),
  script('unset environment variable', dependency(`"${MODULE}:\${System.getenv('HIDDEN_VERSION') ?: '2.14.1'}"`)),
  script('added texts', dependency(`'${MODULE}' + ':' + '2.14.1'`)),
  script('joined texts', dependency(`(['${GROUP}', 'log4j-core', '2.14.1'].join(':'))`)),
  script('replaced text', dependency(`('${SAFE}'.replace('17', '14'))`)),
  script('reversed text', dependency(`('${reversed}'.reverse())`)),
  script('encoded text', dependency(`(new String('${encoded}'.decodeBase64()))`)),
  script('formatted text', dependency(`(String.format('%s:%s', '${MODULE}', '2.14.1'))`)),
  script('method', `def lib(name) { "${GROUP}:$name:2.14.1" }\n${dependency(`lib('log4j-core')`)}`),
  script('closure', `def lib = { name -> "${GROUP}:$name:2.14.1" }\n${dependency(`lib('log4j-core')`)}`),
  script('condition', dependency(`(project.hasProperty('hidden') ? '${SAFE}' : '${RELEASE}')`)),
  script('if', `if (!project.hasProperty('hidden')) {\n  ${dependency(`'${RELEASE}'`)}\n}`),
  script('switch', `switch (project.name) {\n  default:\n    ${dependency(`'${RELEASE}'`)}\n}`),
  script('loop', `['log4j-core'].each { n -> dependencies { compile "${GROUP}:$n:2.14.1" } }`),
  script('for', `for (n in ['log4j-core']) { dependencies.add('compile', "${GROUP}:$n:2.14.1") }`),
  script('values of a map', `def libs = [core: '${RELEASE}']\n${dependency('libs.values()')}`),
  script('list that grows', `def libs = []\nlibs << '${RELEASE}'\n${dependency('libs')}`),
  script('collected list', dependency(`(['log4j-core'].collect { "${GROUP}:$it:2.14.1" })`)),
  script('method by its name', `dependencies.invokeMethod('compile', '${RELEASE}')`),
  script('no version', dependency(`'${MODULE}'`), { tool: 'refuses' }),
  script('comment', `// ${dependency(`'${RELEASE}'`)}`, { tool: 'ignores' }),
  script('unused text', `def unused = "dependencies { compile '${RELEASE}' }"`, { tool: 'ignores' }),
]
