import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import type { Reading } from '../ecosystem.ts'
import { maven } from './maven/index.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }
const A = '<dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency>'
const B = A.replace('>a<', '>b<')
const pom = (content: string, artifact = 'p') =>
  `<project>\n<groupId>org.example</groupId><artifactId>${artifact}</artifactId><version>1</version>\n${content}\n</project>`
const childOf = (artifact: string, content = '') =>
  `<project><parent><groupId>org.example</groupId><artifactId>p</artifactId><version>1</version></parent><artifactId>${artifact}</artifactId>${content}</project>`

function read(target: string, ...additional: string[]): Promise<Reading> {
  const reader = mavenReaderOf({ 'g:a:1': {}, 'g:b:1': {} })
  return maven.read({ target, additional }, registriesOf({ maven: reader }), options)
}

const packagesOf = ({ graph }: Reading) => [...new Set(graph.nodes.slice(1).map((node) => node.package.name))].sort()
const openOf = ({ unresolved }: Reading) => unresolved.map(({ name, code }) => `${name} ${code}`)

describe('POMs that Maven refuses', () => {
  const cases: [why: string, content: string, message: RegExp, line: number][] = [
    [
      'a second <dependencies>',
      `<dependencies>${A}</dependencies>\n<dependencies>${B}</dependencies>`,
      /second <dependencies>\. Put both into one/,
      4,
    ],
    ['a second <dependencyManagement>', '<dependencyManagement/>\n<dependencyManagement/>', /second <dependencyM/, 4],
    ['a second <properties>', '<properties/>\n<properties/>', /second <properties>/, 4],
    ['a second <modules>', '<modules/>\n<modules/>', /second <modules>/, 4],
    [
      'a second version of a dependency',
      `<dependencies>${A.replace('</d', '<version>2</version></d')}</dependencies>`,
      /second <version>/,
      3,
    ],
    [
      'a second list in a profile',
      `<profiles><profile><dependencies/><dependencies>${A}</dependencies></profile></profiles>`,
      /<profile> has a second <dependencies>/,
      3,
    ],
    [
      'a second list of managed dependencies',
      `<dependencyManagement><dependencies/><dependencies>${A}</dependencies></dependencyManagement>`,
      /<dependencyManagement> has a second/,
      3,
    ],
    ['a list with a wrong name', `<dependancies>${A}</dependancies>`, /knows no <dependancies> in <project>/, 3],
    ['dependencies outside of a list', A, /knows no <dependency> in <project>/, 3],
    [
      'an entry with a wrong name',
      `<dependencies>${A.replaceAll('dependency', 'dependecy')}</dependencies>`,
      /knows no <dependecy>/,
      3,
    ],
    [
      'a dependency in a dependency',
      `<dependencies>${A.replace('</d', `${B}</d`)}</dependencies>`,
      /knows no <dependency> in <dependency>/,
      3,
    ],
    ['an entity for a list', '&dependencies;', /<project> holds the text "&dependencies;"/, 1],
    ['an entity in a list', '<dependencies>&more;</dependencies>', /<dependencies> holds the text "&more;"/, 3],
    ['text beside entries', `<dependencies>${A} and more</dependencies>`, /holds the text "and more"/, 3],
    ['a module with a wrong name', '<modules><modul>a</modul></modules>', /knows no <modul>/, 3],
  ]
  for (const [why, content, message, line] of cases) {
    test(`pom.xml with ${why} is refused with its line`, async () => {
      await assert.rejects(read(pom(content)), (error) => {
        assert.ok(error instanceof Unreadable, String(error))
        assert.match(error.message, message)
        assert.deepEqual([error.file, error.line], ['target', line])
        return true
      })
    })
  }
})

describe('POM model versions from 4.1.0', () => {
  test('pom.xml: subprojects are read like modules, and missing ones are reported', async () => {
    const root = pom(
      '<packaging>pom</packaging><subprojects><subproject>x</subproject><subproject>y</subproject></subprojects>',
    )
    const reading = await read(root, childOf('x', `<dependencies>${A}</dependencies>`))
    assert.deepEqual(packagesOf(reading), ['g:a'])
    assert.deepEqual(openOf(reading), ['y not-from-registry'])
  })

  test('pom.xml: subprojects of an active profile count', async () => {
    const profile =
      '<profile><activation><activeByDefault>true</activeByDefault></activation><subprojects><subproject>x</subproject></subprojects></profile>'
    assert.deepEqual(openOf(await read(pom(`<profiles>${profile}</profiles>`))), ['x not-from-registry'])
  })

  const discovering: [why: string, text: string][] = [
    ['model version 4.1.0', pom('<modelVersion>4.1.0</modelVersion><packaging>pom</packaging>')],
    [
      'namespace 4.1.0',
      pom('<packaging>pom</packaging>').replace('<project>', '<project xmlns="http://maven.apache.org/POM/4.1.0">'),
    ],
  ]
  for (const [why, text] of discovering) {
    test(`pom.xml without subprojects, ${why}: sent ones are read, others reported as possibly missing`, async () => {
      const reading = await read(text, childOf('x', `<dependencies>${A}</dependencies>`))
      assert.deepEqual(packagesOf(reading), ['g:a'])
      assert.deepEqual(openOf(reading), ['*/pom.xml not-from-registry'])
    })
  }

  test('pom.xml: an empty list of subprojects, or model version 4.0.0, has no missing subprojects', async () => {
    const packaging = '<packaging>pom</packaging>'
    for (const content of [
      `<modelVersion>4.1.0</modelVersion>${packaging}<subprojects/>`,
      `<modelVersion>4.0.0</modelVersion>${packaging}`,
    ]) {
      assert.deepEqual(openOf(await read(pom(content))), [])
    }
  })

  test('pom.xml: mixins are not read but reported', async () => {
    const mixin = '<mixin><groupId>g</groupId><artifactId>m</artifactId><version>1</version></mixin>'
    const reading = await read(pom(`<mixins>${mixin}<mixin><relativePath>../m</relativePath></mixin></mixins>`))
    assert.deepEqual(openOf(reading), ['g:m:1 not-static', '../m not-static'])
  })
})

describe('POMs with a prefix', () => {
  const prefixed = (version: string, content = '') =>
    pom(content)
      .replaceAll(/<(\/?)(\w)/g, '<$1m:$2')
      .replace('<m:project>', `<m:project xmlns:m="http://maven.apache.org/POM/${version}">`)

  test('pom.xml: elements with a prefix of the namespace of POMs are read', async () => {
    const reading = await read(prefixed('4.0.0', `<dependencies>${A}</dependencies>`))
    assert.deepEqual([packagesOf(reading), openOf(reading)], [['g:a'], []])
  })

  test('pom.xml with a prefix, namespace 4.1.0: possibly missing subprojects are reported', async () => {
    const reading = await read(prefixed('4.1.0', '<packaging>pom</packaging>'))
    assert.deepEqual(openOf(reading), ['*/pom.xml not-from-registry'])
  })

  test('pom.xml: a prefix of another namespace is refused', async () => {
    await assert.rejects(read(prefixed('4.0.0').replace('maven.apache.org', 'other.example')), Unreadable)
  })
})
