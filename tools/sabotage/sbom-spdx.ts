import { spelling } from './lock-texts.ts'
import type { Spelling } from './spelling.ts'

const SPDX2 = 'SPDX 2.3, clauses 7, 11 and annex F'
const SPDX3 = 'SPDX 3.0.1, Software profile and JSON serialization'
const PURL_OF_OLD = 'pkg:npm/lodash@4.17.4'

type Json = Readonly<Record<string, unknown>>

function asText(name: string, text: string, source: string, tool: Spelling['tool']): Spelling {
  return spelling(name, source, { 'bom.json': text }, { tool, isAsked: false })
}

const packageOf = (name: string, refs: readonly Json[], more: Json = {}) => ({
  SPDXID: `SPDXRef-${name}`,
  name,
  downloadLocation: 'NOASSERTION',
  externalRefs: refs,
  ...more,
})
const ref = (referenceLocator: string, referenceType = 'purl', referenceCategory = 'PACKAGE-MANAGER') => ({
  referenceCategory,
  referenceType,
  referenceLocator,
})
const safePackage = packageOf('ms', [ref('pkg:npm/ms@2.1.3')], { versionInfo: '2.1.3' })
const oldPackage = packageOf('lodash', [ref(PURL_OF_OLD)], { versionInfo: '4.17.4' })
const document = (packages: unknown, more: Json = {}) => ({
  spdxVersion: 'SPDX-2.3',
  SPDXID: 'SPDXRef-DOCUMENT',
  name: 'shop',
  packages,
  ...more,
})
const spdx = (name: string, packages: unknown, more: Json = {}, tool: Spelling['tool'] = 'installs') =>
  asText(`SPDX 2: ${name}`, JSON.stringify(document(packages, more)), SPDX2, tool)
const relation = (spdxElementId: string, relationshipType: string, relatedSpdxElement: string) => ({
  relationships: [{ spdxElementId, relationshipType, relatedSpdxElement }],
})

const spdx2: readonly Spelling[] = [
  spdx('package', [safePackage, oldPackage]),
  spdx('version 2.2', [safePackage, oldPackage], { spdxVersion: 'SPDX-2.2' }),
  spdx('category with an underscore', [
    safePackage,
    packageOf('lodash', [ref(PURL_OF_OLD, 'purl', 'PACKAGE_MANAGER')]),
  ]),
  spdx('type as an address', [
    safePackage,
    packageOf('lodash', [ref(PURL_OF_OLD, 'http://spdx.org/rdf/references/purl')]),
  ]),
  spdx('type in capitals', [safePackage, packageOf('lodash', [ref(PURL_OF_OLD, 'PURL')])]),
  spdx('own type', [safePackage, packageOf('lodash', [ref(PURL_OF_OLD, 'package-url', 'OTHER')])]),
  spdx('type npm', [safePackage, packageOf('lodash', [ref('lodash@4.17.4', 'npm')])]),
  spdx('type maven-central', [
    safePackage,
    packageOf('log4j', [ref('org.apache.logging.log4j:log4j-core:2.14.1', 'maven-central')]),
  ]),
  spdx('only a CPE', [
    safePackage,
    packageOf('lodash', [ref('cpe:2.3:a:lodash:lodash:4.17.4:*:*:*:*:*:*:*', 'cpe23Type', 'SECURITY')]),
  ]),
  spdx('second package URL', [packageOf('ms', [ref('pkg:npm/ms@2.1.3'), ref(PURL_OF_OLD)])]),
  spdx('package URL after a CPE', [
    safePackage,
    packageOf('lodash', [ref('cpe:2.3:a:x', 'cpe23Type', 'SECURITY'), ref(PURL_OF_OLD)]),
  ]),
  spdx('without references', [safePackage, packageOf('lodash', [], { versionInfo: '4.17.4' })]),
  spdx('purpose of a file', [safePackage, packageOf('lodash', [], { primaryPackagePurpose: 'FILE' })]),
  spdx('newer version in the package URL', [
    packageOf('lodash', [ref('pkg:npm/lodash@4.17.21')], { versionInfo: '4.17.4' }),
  ]),
  spdx('described alone', [oldPackage], { documentDescribes: ['SPDXRef-lodash'] }),
  spdx('described beside another', [safePackage, oldPackage], { documentDescribes: ['SPDXRef-ms', 'SPDXRef-lodash'] }),
  ...['DEPENDS_ON', 'CONTAINS', 'DESCENDANT_OF', 'GENERATED_FROM', 'OTHER'].map((type) =>
    spdx(`relation ${type}`, [safePackage, oldPackage], relation('SPDXRef-ms', type, 'SPDXRef-lodash')),
  ),
  ...['DEPENDENCY_OF', 'CONTAINED_BY', 'DEV_DEPENDENCY_OF', 'OPTIONAL_DEPENDENCY_OF', 'VARIANT_OF', 'PATCH_FOR'].map(
    (type) => spdx(`relation ${type}`, [safePackage, oldPackage], relation('SPDXRef-lodash', type, 'SPDXRef-ms')),
  ),
  spdx(
    'relation to a package that is not listed',
    [safePackage],
    relation('SPDXRef-ms', 'DEPENDS_ON', 'SPDXRef-lodash'),
  ),
  spdx(
    'relation of a package that is not listed',
    [safePackage],
    relation('SPDXRef-lodash', 'DEPENDENCY_OF', 'SPDXRef-ms'),
  ),
  spdx(
    'relation to another document',
    [safePackage],
    relation('SPDXRef-ms', 'DEPENDS_ON', 'DocumentRef-other:SPDXRef-lodash'),
  ),
  spdx('another document', [safePackage], {
    externalDocumentRefs: [{ externalDocumentId: 'DocumentRef-other', spdxDocument: 'https://spdx.example/other' }],
  }),
  spdx('relation that is not asserted', [safePackage], relation('SPDXRef-ms', 'DEPENDS_ON', 'NOASSERTION')),
  spdx('only a file', [safePackage], { files: [{ SPDXID: 'SPDXRef-File', fileName: './lib/log4j-core-2.14.1.jar' }] }),
  spdx('file with a reference', [safePackage], {
    files: [{ SPDXID: 'SPDXRef-File', fileName: './lodash.js', externalRefs: [ref(PURL_OF_OLD)] }],
  }),
  spdx('no package', []),
  spdx('text among the packages', [safePackage, PURL_OF_OLD], {}, 'refuses'),
  spdx('packages that are no list', { lodash: oldPackage }, {}, 'refuses'),
]

const tags = (name: string, text: string, tool: Spelling['tool'] = 'installs') =>
  asText(
    `SPDX tags: ${name}`,
    `SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nSPDXID: SPDXRef-DOCUMENT\nDocumentName: shop\n${text}\n`,
    SPDX2,
    tool,
  )
const SAFE_TAGS =
  'PackageName: ms\nSPDXID: SPDXRef-ms\nPackageVersion: 2.1.3\nExternalRef: PACKAGE-MANAGER purl pkg:npm/ms@2.1.3'
const OLD_TAGS = `PackageName: lodash\nSPDXID: SPDXRef-lodash\nPackageVersion: 4.17.4\nExternalRef: PACKAGE-MANAGER purl ${PURL_OF_OLD}`

const spdxTags: readonly Spelling[] = [
  tags('package', `${SAFE_TAGS}\n${OLD_TAGS}`),
  tags('category with an underscore', `${SAFE_TAGS}\n${OLD_TAGS.replace('PACKAGE-MANAGER', 'PACKAGE_MANAGER')}`),
  tags('tabs', `${SAFE_TAGS}\n${OLD_TAGS.replaceAll(' ', '\t')}`),
  tags('indented', `${SAFE_TAGS}\n  ${OLD_TAGS.replaceAll('\n', '\n  ')}`),
  tags('second package URL', `${SAFE_TAGS}\nExternalRef: PACKAGE-MANAGER purl ${PURL_OF_OLD}`),
  tags(
    'after a text',
    `PackageName: ms\nSPDXID: SPDXRef-ms\nPackageComment: <text>a\nb</text>\nExternalRef: PACKAGE-MANAGER purl pkg:npm/ms@2.1.3\n${OLD_TAGS}`,
  ),
  tags('text without an end', `PackageName: ms\nPackageComment: <text>a\n${OLD_TAGS}`, 'refuses'),
  tags('without references', `${SAFE_TAGS}\nPackageName: lodash\nSPDXID: SPDXRef-lodash`),
  tags(
    'another document',
    `ExternalDocumentRef: DocumentRef-other https://spdx.example/other SHA1: ${'a'.repeat(40)}\n${SAFE_TAGS}`,
  ),
  tags('only a file', `${SAFE_TAGS}\nFileName: ./lib/log4j-core-2.14.1.jar\nSPDXID: SPDXRef-File`),
  tags('relation to a package that is not listed', `${SAFE_TAGS}\nRelationship: SPDXRef-ms DEPENDS_ON SPDXRef-lodash`),
]

const graph = (name: string, elements: readonly unknown[], tool: Spelling['tool'] = 'installs') =>
  asText(
    `SPDX 3: ${name}`,
    JSON.stringify({ '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': elements }),
    SPDX3,
    tool,
  )
const safe3 = {
  type: 'software_Package',
  spdxId: 'urn:ms',
  name: 'ms',
  software_packageVersion: '2.1.3',
  software_packageUrl: 'pkg:npm/ms@2.1.3',
}
const old3 = {
  type: 'software_Package',
  spdxId: 'urn:lodash',
  name: 'lodash',
  software_packageVersion: '4.17.4',
  software_packageUrl: PURL_OF_OLD,
}
const identifier = (externalIdentifierType: string, text: string) => ({
  type: 'ExternalIdentifier',
  externalIdentifierType,
  identifier: text,
})

const spdx3: readonly Spelling[] = [
  graph('package', [safe3, old3]),
  graph('identifier', [
    safe3,
    { ...old3, software_packageUrl: undefined, externalIdentifier: [identifier('packageUrl', PURL_OF_OLD)] },
  ]),
  graph('identifier beside another package URL', [
    { ...safe3, externalIdentifier: [identifier('packageUrl', PURL_OF_OLD)] },
  ]),
  graph('second identifier', [
    {
      ...safe3,
      software_packageUrl: undefined,
      externalIdentifier: [identifier('packageUrl', 'pkg:npm/ms@2.1.3'), identifier('packageUrl', PURL_OF_OLD)],
    },
  ]),
  graph('type that is not known', [safe3, { ...old3, type: 'software_Snippet' }]),
  graph('AI package', [safe3, { ...old3, type: 'ai_AIPackage' }]),
  graph('inside of a relation', [
    safe3,
    { type: 'Relationship', spdxId: 'urn:r', from: 'urn:ms', to: [old3], relationshipType: 'dependsOn' },
  ]),
  graph('inside of the bill', [
    safe3,
    { type: 'software_Sbom', spdxId: 'urn:bom', rootElement: ['urn:ms'], element: [safe3, old3] },
  ]),
  graph('without package URL', [safe3, { ...old3, software_packageUrl: undefined }]),
  graph('relation to what is not there', [
    safe3,
    { type: 'Relationship', from: 'urn:ms', to: ['urn:lodash'], relationshipType: 'dependsOn' },
  ]),
  graph('relation to one text', [
    safe3,
    { type: 'Relationship', from: 'urn:ms', to: 'urn:lodash', relationshipType: 'dependsOn' },
  ]),
  graph('taken from another document', [
    safe3,
    { type: 'SpdxDocument', spdxId: 'urn:doc', import: [{ type: 'ExternalMap', externalSpdxId: 'urn:lodash' }] },
  ]),
  graph('incomplete', [
    safe3,
    { type: 'Relationship', from: 'urn:ms', to: ['urn:ms'], relationshipType: 'dependsOn', completeness: 'incomplete' },
  ]),
  graph('text in the graph', [safe3, 'urn:lodash'], 'refuses'),
  graph('no package', []),
]

export const spdxSpellings: readonly Spelling[] = [...spdx2, ...spdxTags, ...spdx3]
