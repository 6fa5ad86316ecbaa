import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { registriesOf } from '#test/registries/registries.ts'
import { sbom } from './index.ts'

const read = async (bill: unknown) => {
  const target = typeof bill === 'string' ? bill : JSON.stringify(bill)
  const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
  const { graph, unresolved } = await sbom.read({ target, additional: [] }, registriesOf({}), options)
  return {
    packages: graph.nodes.slice(1).map(({ package: { name } }) => name),
    open: unresolved.map(({ name }) => name),
  }
}

const SPDX3 = 'https://spdx.org/rdf/3.0.1'
const toBill = (graph: readonly object[], more: object = {}) => ({
  '@context': `${SPDX3}/spdx-context.jsonld`,
  '@graph': graph,
  ...more,
})
const fine = {
  type: 'software_Package',
  spdxId: 'urn:fine',
  name: 'fine',
  software_packageVersion: '1.0.0',
  software_packageUrl: 'pkg:npm/fine@1.0.0',
}
const other = { ...fine, spdxId: 'urn:other', name: 'other', software_packageUrl: 'pkg:npm/other@1.0.0' }
const element = { spdxId: 'urn:named', name: 'named' }
const document = { type: 'SpdxDocument', spdxId: 'urn:document' }

/** A testable package beside components that a reader without these forms would silently lose. */
const odd: readonly (readonly [title: string, bill: unknown, packages: readonly string[], open: readonly string[]])[] =
  [
    ['a list of types', toBill([fine, { ...element, type: ['software_Package'] }]), ['fine', 'named'], ['named']],
    [
      'a type as an address',
      toBill([fine, { ...element, '@type': `${SPDX3}/terms/Software/Package` }]),
      ['fine', 'named'],
      ['named'],
    ],
    ['a type with a prefix', toBill([fine, { ...element, '@type': 'software:Package' }]), ['fine', 'named'], ['named']],
    [
      'a package without a type',
      toBill([fine, { ...element, software_packageVersion: '1.0.0' }]),
      ['fine', 'named'],
      ['named'],
    ],
    ['included elements', toBill([fine], { '@included': [other] }), ['fine', 'other'], []],
    [
      'one identifier without a list',
      toBill([
        {
          ...other,
          software_packageUrl: undefined,
          externalIdentifier: { externalIdentifierType: 'packageUrl', identifier: 'pkg:npm/other@1.0.0' },
        },
      ]),
      ['other'],
      [],
    ],
    [
      'one import without a list',
      toBill([fine, { ...document, import: { type: 'ExternalMap', externalSpdxId: 'urn:elsewhere' } }]),
      ['fine'],
      ['urn:elsewhere'],
    ],
    [
      'a relationship from an element that is not there',
      toBill([fine, { spdxId: 'urn:r', from: 'urn:gone', relationshipType: 'dependsOn', to: ['urn:fine'] }]),
      ['fine'],
      ['urn:gone'],
    ],
    [
      'a relationship of SPDX 2 in small letters',
      {
        spdxVersion: 'SPDX-2.3',
        SPDXID: 'SPDXRef-DOCUMENT',
        packages: [
          {
            SPDXID: 'SPDXRef-fine',
            name: 'fine',
            versionInfo: '1.0.0',
            externalRefs: [{ referenceType: 'purl', referenceLocator: 'pkg:npm/fine@1.0.0' }],
          },
        ],
        relationships: [
          { spdxElementId: 'SPDXRef-fine', relationshipType: 'depends_on', relatedSpdxElement: 'SPDXRef-gone' },
        ],
      },
      ['fine'],
      ['SPDXRef-gone'],
    ],
    [
      'a file with a package URL in tag-value',
      'SPDXVersion: SPDX-2.3\nSPDXID: SPDXRef-DOCUMENT\n\nPackageName: fine\nSPDXID: SPDXRef-fine\nPackageVersion: 1.0.0\nExternalRef: PACKAGE-MANAGER purl pkg:npm/fine@1.0.0\n\nFileName: ./other.js\nSPDXID: SPDXRef-file\nExternalRef: PACKAGE-MANAGER purl pkg:npm/other@1.0.0\n',
      ['fine', 'other'],
      [],
    ],
  ]

describe('unusual bills of materials', () => {
  for (const [title, bill, packages, open] of odd) {
    test(`bill of materials, ${title}: every component is in the graph or reported`, async () => {
      assert.deepEqual(await read(bill), { packages, open })
    })
  }

  test('bill of materials: a dependency that is not a reference is refused', async () => {
    const bill = {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components: [{ type: 'library', name: 'fine', version: '1.0.0', purl: 'pkg:npm/fine@1.0.0' }],
      dependencies: [{ ref: 'pkg:npm/fine@1.0.0', dependsOn: [{ ref: 'gone' }] }],
    }
    await assert.rejects(read(bill), /"dependsOn" must list references, not/)
  })
})
