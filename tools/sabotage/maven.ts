import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addElements } from './pom-elements.ts'
import type { Hidden, ProjectFiles, Sabotage, Spelling } from './spelling.ts'

const hidden: Hidden = { name: 'org.apache.logging.log4j:log4j-core', version: '2.14.1' }
const TREE = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:tree'
const POM = "Maven's documentation, POM Reference"
const COORDINATES = '<groupId>org.apache.logging.log4j</groupId><artifactId>log4j-core</artifactId>'

/** Adds the elements of `text` to the project: into a block that it has already, or before its end. */
function elements(
  name: string,
  text: string,
  tool: Spelling['tool'] = 'installs',
  beside: ProjectFiles = {},
): Spelling {
  return {
    name,
    source: POM,
    tool,
    plant(files: ProjectFiles) {
      const pom = files['pom.xml']!
      // A project that has the package already says nothing about the spelling.
      if (Object.values(files).some((text) => text.includes('<artifactId>log4j'))) return undefined
      if (Object.keys(beside).some((path) => path in files)) return undefined
      const planted = addElements(pom, text)
      return planted === undefined ? undefined : { ...files, 'pom.xml': planted, ...beside }
    },
  }
}

function dependency(more: string): string {
  return `<dependencies><dependency>${COORDINATES}${more}</dependency></dependencies>`
}

function managed(version: string): string {
  return `<dependencyManagement><dependencies><dependency>${COORDINATES}<version>${version}</version></dependency></dependencies></dependencyManagement>`
}

function profile(activation: string, inside: string, id = 'p'): string {
  const when = activation === '' ? '' : `<activation>${activation}</activation>`
  return `<profiles><profile><id>${id}</id>${when}${inside}</profile></profiles>`
}

/** A neighbor that depends on the hidden release of its own version. */
function binding(version: string, more = ''): string {
  return `<dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-slf4j-impl</artifactId><version>${version}</version>${more}</dependency>`
}

function property(name: string): string {
  return `${'$'}{${name}}`
}

/** A POM below or above the project. */
function pom(artifact: string, inside: string): string {
  return `<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>${artifact}</artifactId><version>1</version>${inside}</project>`
}

const V = dependency('<version>2.14.1</version>')
const BY_PROPERTY = dependency(`<version>${property('hidden.version')}</version>`)
const SAFE_PROPERTY = '<properties><hidden.version>2.17.1</hidden.version></properties>'
const EXCLUDED =
  '<exclusions><exclusion><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-core</artifactId></exclusion></exclusions>'
const BOM =
  '<dependencyManagement><dependencies><dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-bom</artifactId><version>2.14.1</version><type>pom</type><scope>import</scope></dependency></dependencies></dependencyManagement>'
const COPY = `<build><plugins><plugin><artifactId>maven-dependency-plugin</artifactId><version>3.6.1</version><executions><execution><id>hidden</id><phase>generate-resources</phase><goals><goal>copy</goal></goals><configuration><artifactItems><artifactItem>${COORDINATES}<version>2.14.1</version></artifactItem></artifactItems></configuration></execution></executions></plugin></plugins></build>`
const GUIDE = "Maven's documentation, Configuring Apache Maven"

const extended: readonly Spelling[] = [
  elements('compile scope', dependency('<version>2.14.1</version><scope>compile</scope>')),
  elements(
    'scope by a property',
    `<properties><s>runtime</s></properties>${dependency(`<version>2.14.1</version><scope>${property('s')}</scope>`)}`,
  ),
  elements('test scope', dependency('<version>2.14.1</version><scope>test</scope>'), 'ignores'),
  elements('classifier', dependency('<version>2.14.1</version><classifier>sources</classifier>')),
  elements('test jar', dependency('<version>2.14.1</version><type>test-jar</type>')),
  elements(
    'type by a property',
    `<properties><t>jar</t></properties>${dependency(`<version>2.14.1</version><type>${property('t')}</type>`)}`,
  ),
  elements(
    'group by a property',
    `<properties><g>org.apache.logging.log4j</g></properties><dependencies><dependency><groupId>${property('g')}</groupId><artifactId>log4j-core</artifactId><version>2.14.1</version></dependency></dependencies>`,
  ),
  elements(
    'artifact by a property',
    `<properties><x>core</x></properties><dependencies><dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-${property('x')}</artifactId><version>2.14.1</version></dependency></dependencies>`,
  ),
  elements(
    'property named with hyphens and dots',
    `<properties><log4j-2.version_x>2.14.1</log4j-2.version_x></properties>${dependency(`<version>${property('log4j-2.version_x')}</version>`)}`,
  ),
  elements(
    'property inside a property',
    `<properties><which>old</which><old>2.14.1</old></properties>${dependency(`<version>${property(`${property('which')}`)}</version>`)}`,
    'refuses',
  ),
  elements(
    'property of the project',
    `<properties><minor>14</minor></properties>${dependency(`<version>2.${property('project.properties.minor')}.1</version>`)}`,
    'refuses',
  ),
  elements('property that is missing', dependency(`<version>${property('hidden.missing')}</version>`), 'refuses'),
  elements(
    'properties that ask for each other',
    `<properties><y>${property('z')}</y><z>${property('y')}</z></properties>${dependency(`<version>${property('y')}</version>`)}`,
    'refuses',
  ),
  elements(
    'the last of two declarations counts',
    `${V.replace('</dependencies>', '')}`.replace('2.14.1', '2.17.1') + V.replace('<dependencies>', ''),
  ),
  elements(
    'the first of two declarations does not count',
    `${V.replace('</dependencies>', '')}${V.replace('2.14.1', '2.17.1').replace('<dependencies>', '')}`,
    'ignores',
  ),
  elements('newest version up to a limit', dependency('<version>(,2.14.1]</version>')),
  elements('range of one', dependency('<version>[2.14.1,2.14.1]</version>')),
  elements(
    'range as a property',
    `<properties><r>[2.14.1,2.14.2)</r></properties>${dependency(`<version>${property('r')}</version>`)}`,
  ),
  elements('the newest release', dependency('<version>RELEASE</version>'), 'ignores'),
  elements('the newest version', dependency('<version>LATEST</version>'), 'ignores'),
  elements('no version', dependency(''), 'refuses'),
  elements('managed range', `${managed('[2.14.1]')}${dependency('')}`),
  elements('managed by a property', `<properties><m>2.14.1</m></properties>${managed(property('m'))}${dependency('')}`),
  elements('managed by an imported POM', `${BOM}${dependency('')}`),
  elements(
    'managed by hand before the imported POM',
    `${BOM.replace('<dependencies>', `<dependencies><dependency>${COORDINATES}<version>2.17.1</version></dependency>`)}${dependency('')}`,
    'ignores',
  ),
  elements('dependency of a dependency', `<dependencies>${binding('2.14.1')}</dependencies>`),
  elements(
    'dependency of a dependency, managed',
    `${managed('2.14.1')}<dependencies>${binding('2.17.1')}</dependencies>`,
  ),
  elements(
    'dependency of a dependency, nearer',
    `<dependencies>${binding('2.17.1')}<dependency>${COORDINATES}<version>2.14.1</version></dependency></dependencies>`,
  ),
  elements(
    'excluded dependency of a dependency',
    `<dependencies>${binding('2.14.1', EXCLUDED)}</dependencies>`,
    'ignores',
  ),
  elements(
    'excluded once, asked for directly',
    `<dependencies>${binding('2.17.1', EXCLUDED)}<dependency>${COORDINATES}<version>2.14.1</version></dependency></dependencies>`,
  ),
  elements('profile for the JDK', profile('<jdk>[11,)</jdk>', V)),
  elements('profile for all JDKs but one', profile('<jdk>!1.4</jdk>', V)),
  elements('profile for a JDK that is not there', profile('<jdk>1.4</jdk>', V), 'ignores'),
  elements('profile for the family of systems', profile('<os><family>unix</family></os>', V)),
  elements('profile for all systems but one', profile('<os><family>!windows</family></os>', V)),
  elements(
    'profile that a value does not forbid',
    profile('<property><name>skip</name><value>!true</value></property>', V),
  ),
  elements('profile that a file activates', profile('<file><exists>pom.xml</exists></file>', V)),
  elements('profile that a missing file activates', profile('<file><missing>nowhere.txt</missing></file>', V)),
  elements('profile that nothing activates', profile('', V), 'ignores'),
  elements(
    'default profile beside an active one',
    `<profiles>${[profile('<activeByDefault>true</activeByDefault>', V, 'one'), profile('<property><name>!skip</name></property>', '', 'two')].map((each) => each.slice('<profiles>'.length, -'</profiles>'.length)).join('')}</profiles>`,
    'ignores',
  ),
  elements(
    'managed version of a profile',
    `${dependency('')}${profile('<property><name>!skip</name></property>', managed('2.14.1'))}`,
  ),
  elements(
    'version that a profile replaces',
    `${dependency('<version>2.17.1</version>')}${profile('<property><name>!skip</name></property>', V)}`,
  ),
  elements(
    'property that a profile replaces',
    `${SAFE_PROPERTY}${BY_PROPERTY}${profile('<property><name>!skip</name></property>', '<properties><hidden.version>2.14.1</hidden.version></properties>')}`,
  ),
  elements('module', '<packaging>pom</packaging><modules><module>m</module></modules>', 'installs', {
    'm/pom.xml': pom('m', V),
  }),
  elements(
    'module of a profile',
    `<packaging>pom</packaging>${profile('<property><name>!skip</name></property>', '<modules><module>m</module></modules>')}`,
    'installs',
    { 'm/pom.xml': pom('m', V) },
  ),
  elements(
    'module that names its file',
    '<packaging>pom</packaging><modules><module>m/other.xml</module></modules>',
    'installs',
    { 'm/other.xml': pom('m', V) },
  ),
  elements(
    'parent beside the project',
    '<parent><groupId>a</groupId><artifactId>up</artifactId><version>1</version><relativePath>up/pom.xml</relativePath></parent>',
    'installs',
    { 'up/pom.xml': pom('up', `<packaging>pom</packaging>${V}`) },
  ),
  elements(
    'parent that manages the version',
    `<parent><groupId>a</groupId><artifactId>up</artifactId><version>1</version><relativePath>up/pom.xml</relativePath></parent>${dependency('')}`,
    'installs',
    { 'up/pom.xml': pom('up', `<packaging>pom</packaging>${managed('2.14.1')}`) },
  ),
  elements(
    'parent whose property the project replaces',
    `<parent><groupId>a</groupId><artifactId>up</artifactId><version>1</version><relativePath>up/pom.xml</relativePath></parent><properties><hidden.version>2.14.1</hidden.version></properties>`,
    'installs',
    { 'up/pom.xml': pom('up', `<packaging>pom</packaging>${SAFE_PROPERTY}${BY_PROPERTY}`) },
  ),
  elements('package that a plugin copies', COPY),
  elements(
    'dependency of a plugin',
    `<build><plugins><plugin><artifactId>maven-clean-plugin</artifactId><version>3.2.0</version>${V}</plugin></plugins></build>`,
    'ignores',
  ),
  configured('profile that maven.config activates', `${profile('', V, 'hidden')}`, {
    '.mvn/maven.config': '-Phidden\n',
  }),
  configured(
    'profile that maven.config activates by a property',
    profile('<property><name>hidden</name></property>', V),
    { '.mvn/maven.config': '-Dhidden\n' },
  ),
  configured('property that maven.config replaces', `${SAFE_PROPERTY}${BY_PROPERTY}`, {
    '.mvn/maven.config': '-Dhidden.version=2.14.1\n',
  }),
  configured(
    'property that jvm.config does not replace',
    `${SAFE_PROPERTY}${BY_PROPERTY}`,
    {
      '.mvn/jvm.config': '-Xmx256m -Dhidden.version=2.14.1\n',
    },
    'ignores',
  ),
  configured(
    'profile that maven.config deactivates',
    profile('<activeByDefault>true</activeByDefault>', V, 'hidden'),
    { '.mvn/maven.config': '-P!hidden\n' },
    'ignores',
  ),
]

function configured(name: string, text: string, beside: ProjectFiles, tool: Spelling['tool'] = 'installs'): Spelling {
  return { ...elements(name, text, tool, beside), source: GUIDE }
}

export const maven: Sabotage = {
  ecosystem: 'maven',
  hidden,
  target: 'pom.xml',
  base: {
    'pom.xml':
      '<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version></project>',
  },
  spellings: [
    elements('version', dependency('<version>2.14.1</version>')),
    elements('white space', dependency('\n<version>\n  2.14.1\n</version>\n')),
    elements('hard requirement', dependency('<version>[2.14.1]</version>')),
    elements('range', dependency('<version>[2.14.1,2.14.2)</version>')),
    elements('ranges', dependency('<version>(,1.0),[2.14.1,2.14.2)</version>')),
    elements('property', `<properties><v>2.14.1</v></properties>${dependency('<version>$' + '{v}</version>')}`),
    elements(
      'property of properties',
      `<properties><a>2.14</a><v>${'$'}{a}.1</v></properties>${dependency('<version>$' + '{v}</version>')}`,
    ),
    elements('managed version', `${managed('2.14.1')}${dependency('')}`),
    elements('own version wins over the managed one', `${managed('2.17.1')}${dependency('<version>2.14.1</version>')}`),
    elements('runtime scope', dependency('<version>2.14.1</version><scope>runtime</scope>')),
    elements('provided scope', dependency('<version>2.14.1</version><scope>provided</scope>')),
    elements('optional', dependency('<version>2.14.1</version><optional>true</optional>')),
    elements('type', dependency('<version>2.14.1</version><type>jar</type>')),
    elements('CDATA', dependency('<version><![CDATA[2.14.1]]></version>')),
    elements('character reference', dependency('<version>2&#46;14.1</version>')),
    elements('comment inside the version', dependency('<version>2.14<!-- harmless -->.1</version>')),
    elements(
      'profile that is active by default',
      `<profiles><profile><id>p</id><activation><activeByDefault>true</activeByDefault></activation>${dependency('<version>2.14.1</version>')}</profile></profiles>`,
    ),
    elements(
      'profile that is active without a property',
      `<profiles><profile><id>p</id><activation><property><name>!skip</name></property></activation>${dependency('<version>2.14.1</version>')}</profile></profiles>`,
    ),
    elements(
      'property of the active profile',
      `${dependency('<version>$' + '{v}</version>')}<profiles><profile><id>p</id><activation><activeByDefault>true</activeByDefault></activation><properties><v>2.14.1</v></properties></profile></profiles>`,
    ),
    ...extended,
  ],
  async ask(folder, { name, version }) {
    // Only a build runs plugins.
    const isBuilt = readFileSync(join(folder, 'pom.xml'), 'utf8').includes('<goal>')
    try {
      const { stdout } = await promisify(execFile)('mvn', ['-B', ...(isBuilt ? ['process-resources'] : []), TREE], {
        cwd: folder,
      })
      const isInstalled = stdout.split('\n').some((line) => {
        const [group, artifact, , ...rest] = line.replace(/^\[INFO\][\s+|\\-]*/, '').split(':')
        return `${group}:${artifact}` === name && rest.includes(version) && !rest.includes('test')
      })
      return isInstalled || stdout.includes(`Copying ${name.split(':')[1]}-${version}.jar`) ? 'installs' : 'ignores'
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') throw error
      return 'refuses'
    }
  },
}
