import type { Manifest } from '../../../src/analysis/ecosystems/ecosystem.ts'
import { digestOf, type SyntheticPackage } from './packages.ts'

/** Every fourth package is of a scope, as in real projects of npm. */
function purlOf({ name, version }: SyntheticPackage): string {
  const isScoped = Number(name.slice(name.lastIndexOf('-') + 1)) % 4 === 0
  return `pkg:npm/${isScoped ? '%40scope/' : ''}${name}@${version}`
}

const hashOf = (syntheticPackage: SyntheticPackage) => digestOf(syntheticPackage.name, 'sha512', 'hex')
const ROOT = 'pkg:npm/synthetic@1.0.0'

/** Each entry with what it requires; the first one is the project. */
function dependenciesOf(packages: readonly SyntheticPackage[]): [ref: string, to: string[]][] {
  const direct = packages.filter(({ isDirect }) => isDirect).map(purlOf)
  return [
    [ROOT, direct],
    ...packages.map((syntheticPackage): [string, string[]] => [
      purlOf(syntheticPackage),
      syntheticPackage.requires.map(purlOf),
    ]),
  ]
}

export function cycloneDxJson(packages: readonly SyntheticPackage[]): Manifest {
  const components = packages.map((syntheticPackage) => ({
    type: 'library',
    name: syntheticPackage.name,
    version: syntheticPackage.version,
    'bom-ref': purlOf(syntheticPackage),
    scope: 'required',
    hashes: [{ alg: 'SHA-512', content: hashOf(syntheticPackage) }],
    licenses: [{ license: { id: 'MIT' } }],
    purl: purlOf(syntheticPackage),
    externalReferences: [{ type: 'distribution', url: `https://registry.example/${syntheticPackage.name}.tgz` }],
    properties: [{ name: 'cdx:npm:package:path', value: `node_modules/${syntheticPackage.name}` }],
  }))
  const component = { type: 'application', name: 'synthetic', version: '1.0.0', 'bom-ref': ROOT, purl: ROOT }
  const dependencies = dependenciesOf(packages).map(([ref, dependsOn]) => ({ ref, dependsOn }))
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component },
    components,
    dependencies,
  }
  return { target: JSON.stringify(bill, null, 2), additional: [] }
}

export function cycloneDxXml(packages: readonly SyntheticPackage[]): Manifest {
  const components = packages.map((syntheticPackage) =>
    [
      `    <component type="library" bom-ref="${purlOf(syntheticPackage)}">`,
      `      <name>${syntheticPackage.name}</name>`,
      `      <version>${syntheticPackage.version}</version>`,
      '      <scope>required</scope>',
      `      <hashes>\n        <hash alg="SHA-512">${hashOf(syntheticPackage)}</hash>\n      </hashes>`,
      '      <licenses>\n        <license>\n          <id>MIT</id>\n        </license>\n      </licenses>',
      `      <purl>${purlOf(syntheticPackage)}</purl>`,
      '      <externalReferences>\n        <reference type="distribution">',
      `          <url>https://registry.example/${syntheticPackage.name}.tgz</url>`,
      '        </reference>\n      </externalReferences>',
      '    </component>',
    ].join('\n'),
  )
  const dependencies = dependenciesOf(packages).map(([ref, to]) =>
    [
      `    <dependency ref="${ref}">`,
      ...to.map((dependency) => `      <dependency ref="${dependency}"/>`),
      '    </dependency>',
    ].join('\n'),
  )
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<bom xmlns="http://cyclonedx.org/schema/bom/1.6" version="1">',
    `  <metadata>\n    <component type="application" bom-ref="${ROOT}">\n      <name>synthetic</name>\n    </component>\n  </metadata>`,
    ...['  <components>', ...components, '  </components>'],
    ...['  <dependencies>', ...dependencies, '  </dependencies>', '</bom>', ''],
  ]
  return { target: text.join('\n'), additional: [] }
}

const spdxId = (name: string) => `SPDXRef-Package-${name}`

function spdxRelationships(packages: readonly SyntheticPackage[]): [from: string, type: string, to: string][] {
  const direct = packages.filter(({ isDirect }) => isDirect)
  return [
    ['SPDXRef-DOCUMENT', 'DESCRIBES', spdxId('synthetic')],
    ...direct.map(({ name }): [string, string, string] => [spdxId('synthetic'), 'DEPENDS_ON', spdxId(name)]),
    ...packages.flatMap(({ name, requires }) =>
      requires.map((require): [string, string, string] => [spdxId(name), 'DEPENDS_ON', spdxId(require.name)]),
    ),
  ]
}

export function spdxJson(packages: readonly SyntheticPackage[]): Manifest {
  const entries = packages.map((syntheticPackage) => ({
    SPDXID: spdxId(syntheticPackage.name),
    name: syntheticPackage.name,
    versionInfo: syntheticPackage.version,
    downloadLocation: `https://registry.example/${syntheticPackage.name}.tgz`,
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: 'MIT',
    copyrightText: 'NOASSERTION',
    checksums: [{ algorithm: 'SHA512', checksumValue: hashOf(syntheticPackage) }],
    externalRefs: [
      { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purlOf(syntheticPackage) },
    ],
  }))
  const root = { SPDXID: spdxId('synthetic'), name: 'synthetic', versionInfo: '1.0.0' }
  const relationships = spdxRelationships(packages).map(([spdxElementId, relationshipType, relatedSpdxElement]) => ({
    spdxElementId,
    relationshipType,
    relatedSpdxElement,
  }))
  const document = { spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT', packages: [root, ...entries], relationships }
  return { target: JSON.stringify(document, null, 2), additional: [] }
}

export function spdxTags(packages: readonly SyntheticPackage[]): Manifest {
  const entries = packages.map((syntheticPackage) =>
    [
      `PackageName: ${syntheticPackage.name}`,
      `SPDXID: ${spdxId(syntheticPackage.name)}`,
      `PackageVersion: ${syntheticPackage.version}`,
      'FilesAnalyzed: false',
      `PackageChecksum: SHA512: ${hashOf(syntheticPackage)}`,
      'PackageLicenseDeclared: MIT',
      'PackageCopyrightText: NOASSERTION',
      `ExternalRef: PACKAGE-MANAGER purl ${purlOf(syntheticPackage)}`,
      '',
    ].join('\n'),
  )
  const head = 'SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nSPDXID: SPDXRef-DOCUMENT\nDocumentName: synthetic\n'
  const root = `PackageName: synthetic\nSPDXID: ${spdxId('synthetic')}\nPackageVersion: 1.0.0\n`
  const relationships = spdxRelationships(packages).map((parts) => `Relationship: ${parts.join(' ')}`)
  return { target: [head, root, ...entries, ...relationships, ''].join('\n'), additional: [] }
}

export function spdx3(packages: readonly SyntheticPackage[]): Manifest {
  const idOf = (name: string) => `https://example.com/synthetic#${name}`
  const entries = packages.map((syntheticPackage) => ({
    type: 'software_Package',
    spdxId: idOf(syntheticPackage.name),
    creationInfo: '_:creation',
    name: syntheticPackage.name,
    software_packageVersion: syntheticPackage.version,
    software_packageUrl: purlOf(syntheticPackage),
    verifiedUsing: [{ type: 'Hash', algorithm: 'sha512', hashValue: hashOf(syntheticPackage) }],
  }))
  const needs = packages.flatMap(({ name, requires }) =>
    requires.length === 0
      ? []
      : {
          type: 'Relationship',
          spdxId: idOf(`relationship-${name}`),
          from: idOf(name),
          to: requires.map((require) => idOf(require.name)),
          relationshipType: 'dependsOn',
        },
  )
  const document = { type: 'SpdxDocument', spdxId: idOf('document'), rootElement: [] }
  const graph = [{ type: 'CreationInfo', '@id': '_:creation' }, document, ...entries, ...needs]
  const context = 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld'
  return { target: JSON.stringify({ '@context': context, '@graph': graph }, null, 2), additional: [] }
}
