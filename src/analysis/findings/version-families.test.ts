import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mavenVersions } from '../versions/maven.ts'
import { listFamily, versionTogether } from './version-families.ts'

function familyOf(first: string, ...others: string[]): string[] {
  const packages = ['project@1', first, ...others].map((text) => {
    const at = text.lastIndexOf('@')
    return { name: text.slice(0, at), version: text.slice(at + 1) }
  })
  const edges = packages.slice(1).map((_, at) => ({ to: at + 1, range: '', kind: 'prod' as const }))
  const nodes = packages.map((graphPackage, at) => ({ package: graphPackage, edges: at === 0 ? edges : [] }))
  return listFamily({ nodes }, packages[1]!).map(({ name }) => name)
}

const rows: [why: string, packages: [string, ...string[]], family: string[]][] = [
  ['an npm scope', ['@angular/core@12.0.0', '@angular/common@12.0.0', 'rxjs@12.0.0'], ['@angular/common']],
  ['another version of the scope', ['@angular/core@12.0.0', '@angular/cdk@12.1.0'], []],
  ['the scope of type declarations', ['@types/node@1.0.0', '@types/jest@1.0.0'], []],
  ['packages without a scope', ['react@1.0.0', 'react-dom@1.0.0'], []],
  [
    'a Maven group',
    ['org.springframework:spring-web@5.3.3', 'org.springframework:spring-core@5.3.3'],
    ['org.springframework:spring-core'],
  ],
  [
    'groups beside each other',
    ['com.fasterxml.jackson.core:jackson-databind@2.9.8', 'com.fasterxml.jackson.datatype:jackson-datatype-jdk8@2.9.8'],
    ['com.fasterxml.jackson.datatype:jackson-datatype-jdk8'],
  ],
  ['a group of separate libraries', ['org.apache.commons:commons-text@1.9', 'org.apache.commons:commons-csv@1.9'], []],
  [
    'a Go repository',
    ['go.opentelemetry.io/otel@v1.0.0', 'go.opentelemetry.io/otel/sdk@v1.0.0'],
    ['go.opentelemetry.io/otel/sdk'],
  ],
  [
    'a repository of a host',
    ['github.com/a/b@v1.0.0', 'github.com/a/b/c@v1.0.0', 'github.com/a/d@v1.0.0'],
    ['github.com/a/b/c'],
  ],
  ['separate modules of one host', ['golang.org/x/net@v0.1.0', 'golang.org/x/text@v0.1.0'], []],
]
for (const [why, packages, family] of rows) {
  test(`packages that move together, ${why}: ${family.join(', ') || 'none'}`, () => {
    assert.deepEqual(familyOf(...packages), family)
  })
}

test('versionTogether: the same version, else the newest below it of its major version', () => {
  const published = ['1.9', '2.0', '2.2', '2.4', '3.0']
  assert.equal(versionTogether(published, '2.2', mavenVersions), '2.2')
  assert.equal(versionTogether(published, '2.3', mavenVersions), '2.2')
  assert.equal(versionTogether(published, '4.0', mavenVersions), undefined)
})
