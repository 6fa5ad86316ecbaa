import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { maven } from './maven/index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
const dependencies = (version: string) =>
  `<dependencies><dependency><groupId>v</groupId><artifactId>v</artifactId><version>${version}</version></dependency></dependencies>`
const profile = (activation: string) =>
  `<profiles><profile><id>p</id><activation>${activation}</activation>${dependencies('1')}</profile></profiles>`
const property = `\${w}`
const byProperty = `<properties><w>2</w></properties>${dependencies(property)}`
const byDefault = profile('<activeByDefault>true</activeByDefault>')

async function read(inside: string, ...additional: string[]) {
  const target = `<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>${inside}</project>`
  const reader = mavenReaderOf({ 'v:v:1': {}, 'v:v:2': {} })
  const reading = await maven.read({ target, additional }, registriesOf({ maven: reader }), options)
  return {
    packages: reading.graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`),
    named: reading.unresolved.map(({ name, code, line, file }) => `${name} ${code} ${line} ${file}`),
    filesRead: reading.filesRead,
    excluded: reading.excluded,
  }
}

describe('files in .mvn', () => {
  const cases: [why: string, inside: string, config: string, packages: string[]][] = [
    ['-P activates a profile', profile(''), '-Pp', ['v:v@1']],
    ['--activate-profiles activates a profile', profile(''), '--activate-profiles\np', ['v:v@1']],
    ['-P with ! deactivates a profile', byDefault, '-P!p', []],
    ['-P with - deactivates a profile', byDefault, '-P -p', []],
    ['-P of another profile leaves the default one', byDefault, '-Pother', ['v:v@1']],
    ['-D activates a profile', profile('<property><name>x</name></property>'), '-Dx', ['v:v@1']],
    ['-D deactivates a profile', profile('<property><name>!x</name></property>'), '-T 4 -Dx=1', []],
    ['-D of another value', profile('<property><name>x</name><value>1</value></property>'), '-Dx=2', []],
    ['-D replaces a property', byProperty, '# fixed\n-B\n-Dw=1', ['v:v@1']],
    ['--define replaces a property', byProperty, '--define w=1', ['v:v@1']],
    ['-D of jvm.config does not replace a property', byProperty, '-Xmx1g -Dw=1', ['v:v@2']],
    ['-D of jvm.config fills in a property', dependencies(property), '-Xmx1g -Dw=1', ['v:v@1']],
  ]
  for (const [why, inside, config, packages] of cases) {
    test(`.mvn: ${why}`, async () => {
      const reading = await read(inside, config)
      assert.deepEqual([reading.packages, reading.named], [packages, []])
    })
  }

  test('.mvn: -D options of maven.config replace a property, those of jvm.config do not', async () => {
    const inside = byProperty
    const target = `<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>${inside}</project>`
    const reader = registriesOf({ maven: mavenReaderOf({ 'v:v:1': {}, 'v:v:2': {} }) })
    const versionWith = async (name: string) => {
      const places = { target: 'pom.xml', additional: [`.mvn/${name}`] }
      const { graph } = await maven.read({ target, additional: ['-Dw=1\n'], places }, reader, options)
      return graph.nodes[1]?.package.version
    }
    assert.deepEqual([await versionWith('maven.config'), await versionWith('jvm.config')], ['1', '2'])
  })

  test('.mvn: a settings file is reported because its profiles may set properties', async () => {
    const reading = await read(dependencies('1'), '-s .mvn/settings.xml')
    assert.deepEqual(reading.named, ['-s .mvn/settings.xml not-static 1 additional file 1'])
    assert.deepEqual(reading.filesRead, ['pom.xml', 'maven.config'])
  })

  test('.mvn: an extension is reported unless it is known to add no dependencies', async () => {
    const extension = (group: string, artifact: string) =>
      `<extension><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>1</version></extension>`
    const quiet = extension('com.gradle', 'develocity-maven-extension')
    const reading = await read('', `<extensions>\n${quiet}\n${extension('x', 'y')}\n</extensions>`)
    assert.deepEqual(reading.named, ['x:y not-static 3 additional file 1'])
  })
})

test('extensions of a POM: reported unless known to add no dependencies', async () => {
  const extension = (group: string, artifact: string) =>
    `<extension><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>1</version></extension>\n`
  const quiet =
    extension('kr.motd.maven', 'os-maven-plugin') + extension('org.springframework.build', 'aws-maven-wagon')
  const reading = await read(`<build><extensions>\n${quiet}${extension('x', 'y')}</extensions></build>`)
  assert.deepEqual(reading.named, ['x:y not-static 4 undefined'])
})

describe('packages of Maven plugins', () => {
  const plugins = (configuration: string) =>
    `<build><plugins><plugin><artifactId>p</artifactId><configuration>${configuration}</configuration></plugin></plugins></build>`
  const item = (version: string) => `<groupId>v</groupId><artifactId>v</artifactId>${version}`
  const copied = (version: string) =>
    plugins(`<artifactItems><artifactItem>${item(version)}</artifactItem></artifactItems>`)

  test('a package that a plugin copies is reported', async () => {
    assert.deepEqual((await read(copied('<version>1</version>'))).named, ['v:v:1 not-static 1 undefined'])
  })

  test('a dependency that a plugin copies is not reported', async () => {
    assert.deepEqual((await read(dependencies('1') + copied(''))).named, [])
  })

  test('an annotation processor is counted as a package of the build', async () => {
    const version = '<version>1</version>'
    const reading = await read(
      plugins(`<annotationProcessorPaths><path>${item(version)}</path></annotationProcessorPaths>`),
    )
    assert.deepEqual([reading.named, reading.excluded], [[], [{ reason: 'build', packages: 1 }]])
  })
})
