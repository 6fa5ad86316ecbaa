import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Hidden, ProjectFiles, Sabotage, Spelling } from './spelling.ts'

const hidden: Hidden = { name: 'org.apache.logging.log4j:log4j-core', version: '2.14.1' }
const TREE = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:tree'
const POM = "Maven's documentation, POM Reference"
const COORDINATES = '<groupId>org.apache.logging.log4j</groupId><artifactId>log4j-core</artifactId>'

/** Puts elements before the end of the project. */
function elements(name: string, text: string, tool: Spelling['tool'] = 'installs'): Spelling {
  return {
    name,
    source: POM,
    tool,
    plant(files: ProjectFiles) {
      const pom = files['pom.xml']!
      const end = pom.lastIndexOf('</project>')
      // A second block of the same name is a mistake, which is a spelling of its own.
      const isTaken = /<(dependencies|properties|dependencyManagement|profiles|build)>/g
      const taken = new Set([...pom.slice(0, end).matchAll(isTaken)].map(([, element]) => element))
      if ([...text.matchAll(isTaken)].some(([, element]) => taken.has(element))) return undefined
      return { ...files, 'pom.xml': `${pom.slice(0, end)}${text}${pom.slice(end)}` }
    },
  }
}

function dependency(more: string): string {
  return `<dependencies><dependency>${COORDINATES}${more}</dependency></dependencies>`
}

function managed(version: string): string {
  return `<dependencyManagement><dependencies><dependency>${COORDINATES}<version>${version}</version></dependency></dependencies></dependencyManagement>`
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
      `<properties><a>2.14</a><v>$` + `{a}.1</v></properties>${dependency('<version>$' + '{v}</version>')}`,
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
  ],
  async ask(folder, { name, version }) {
    try {
      const { stdout } = await promisify(execFile)('mvn', ['-B', TREE], { cwd: folder })
      return stdout.includes(`${name}:jar:${version}:`) ? 'installs' : 'ignores'
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') throw error
      return 'refuses'
    }
  },
}
