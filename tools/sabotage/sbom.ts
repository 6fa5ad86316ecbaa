import { damagedTexts, spelling } from './lock-texts.ts'
import { spdxSpellings } from './sbom-spdx.ts'
import type { Hidden, Sabotage, Spelling } from './spelling.ts'

const hidden: Hidden = {
  name: 'lodash',
  version: '4.17.4',
  isAnyVersion: true,
  otherNames: ['github.com/dgrijalva/jwt-go', 'django', 'org.apache.logging.log4j:log4j-core', 'rack'],
}
const CYCLONEDX = 'CycloneDX 1.7, JSON and XML reference'
const PURL = 'ECMA-427, Package-URL'

type Json = Readonly<Record<string, unknown>>

const PURL_OF_OLD = 'pkg:npm/lodash@4.17.4'
const safe: Json = { type: 'library', 'bom-ref': 'safe', name: 'ms', version: '2.1.3', purl: 'pkg:npm/ms@2.1.3' }
const old: Json = { type: 'library', 'bom-ref': 'old', name: 'lodash', version: '4.17.4', purl: PURL_OF_OLD }

function asText(name: string, text: string, source = CYCLONEDX, tool: Spelling['tool'] = 'installs'): Spelling {
  return spelling(name, source, { 'bom.json': text }, { tool, isAsked: false })
}

const bom = (components: unknown, more: Json = {}) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  metadata: { component: { type: 'application', name: 'shop', version: '1', 'bom-ref': 'root' } },
  components,
  ...more,
})

function cycloneDx(name: string, components: unknown, more: Json = {}, tool: Spelling['tool'] = 'installs'): Spelling {
  return asText(`CycloneDX: ${name}`, JSON.stringify(bom(components, more), null, 1), CYCLONEDX, tool)
}

function purl(text: string, more: Json = {}): Spelling {
  return asText(`package URL ${text}`, JSON.stringify(bom([safe, { ...old, purl: text, ...more }])), PURL)
}

const inMetadata = (component: Json) => ({ metadata: { component } })
const json: readonly Spelling[] = [
  cycloneDx('component', [safe, old]),
  ...['1.2', '1.3', '1.4', '1.5', '1.7'].map((specVersion) =>
    cycloneDx(`version ${specVersion}`, [safe, old], { specVersion }),
  ),
  cycloneDx(
    'range of versions of 1.7',
    [safe, { ...old, version: undefined, versionRange: 'vers:npm/<=4.17.4', isExternal: true, purl: 'pkg:npm/lodash' }],
    { specVersion: '1.7' },
  ),
  cycloneDx('nested component', [{ ...safe, components: [old] }]),
  cycloneDx('deeply nested component', [
    {
      ...safe,
      components: [{ type: 'file', name: 'a', components: [{ type: 'framework', name: 'b', components: [old] }] }],
    },
  ]),
  cycloneDx(
    'part of the subject',
    [safe],
    inMetadata({ type: 'application', name: 'shop', 'bom-ref': 'root', components: [old] }),
  ),
  cycloneDx('subject alone', [], inMetadata(old)),
  cycloneDx('without package URL', [safe, { ...old, purl: undefined }]),
  cycloneDx('only a CPE', [
    safe,
    { type: 'library', name: 'lodash', version: '4.17.4', cpe: 'cpe:2.3:a:lodash:lodash:4.17.4:*:*:*:*:*:*:*' },
  ]),
  cycloneDx('only a license', [safe, { type: 'library', name: 'lodash', licenses: [{ license: { id: 'MIT' } }] }]),
  ...[
    'application',
    'framework',
    'container',
    'platform',
    'operating-system',
    'device',
    'device-driver',
    'firmware',
    'file',
    'machine-learning-model',
    'data',
    'cryptographic-asset',
  ].flatMap((type) => [
    cycloneDx(`type ${type}`, [safe, { ...old, type }]),
    cycloneDx(`type ${type} without package URL`, [safe, { ...old, type, purl: undefined }]),
  ]),
  cycloneDx('file that is an archive', [safe, { type: 'file', name: 'lib/log4j-core-2.14.1.jar' }]),
  cycloneDx('file of a wheel', [safe, { type: 'file', name: 'Django-2.0-py3-none-any.whl' }]),
  cycloneDx('file of a package', [safe, { type: 'file', name: 'vendor/lodash-4.17.4.tgz' }]),
  ...['excluded', 'optional', 'required'].map((scope) => cycloneDx(`scope ${scope}`, [safe, { ...old, scope }])),
  cycloneDx('ancestor of a component', [{ ...safe, pedigree: { ancestors: [old] } }]),
  cycloneDx(
    'ancestor of the subject',
    [safe],
    inMetadata({ type: 'application', name: 'shop', pedigree: { ancestors: [old] } }),
  ),
  cycloneDx('ancestor without package URL', [
    { ...safe, pedigree: { ancestors: [{ type: 'library', name: 'lodash', version: '4.17.4' }] } },
  ]),
  cycloneDx('in the bill of a component', [
    { ...safe, externalReferences: [{ type: 'bom', url: 'urn:cdx:f08a6ccd-4dce-4759-bd84-c626675d60a7/1' }] },
  ]),
  cycloneDx('in another bill of the subject', [safe], {
    externalReferences: [{ type: 'bom', url: 'https://bom.example/b.json' }],
  }),
  cycloneDx('service', [safe], { services: [{ name: 'lodash', version: '4.17.4' }] }),
  cycloneDx('service of a service', [safe], { services: [{ name: 'outer', services: [{ name: 'lodash' }] }] }),
  cycloneDx('reference without component', [safe], { dependencies: [{ ref: 'safe', dependsOn: [PURL_OF_OLD] }] }),
  cycloneDx('reference of a dependent without component', [safe], {
    dependencies: [{ ref: PURL_OF_OLD, dependsOn: ['safe'] }],
  }),
  cycloneDx('reference without component or dependencies', [safe], { dependencies: [{ ref: PURL_OF_OLD }] }),
  ...[
    'incomplete',
    'incomplete_first_party_only',
    'incomplete_third_party_only',
    'incomplete_third_party_opensource_only',
  ].map((aggregate) =>
    cycloneDx(`aggregate ${aggregate}`, [safe], { compositions: [{ aggregate, dependencies: ['safe'] }] }),
  ),
  cycloneDx('aggregate incomplete of all', [safe], { compositions: [{ aggregate: 'incomplete' }] }),
  cycloneDx('one reference twice', [
    { ...safe, 'bom-ref': 'x' },
    { ...old, 'bom-ref': 'x' },
  ]),
  cycloneDx('reference of the subject', [safe, { ...old, 'bom-ref': 'root' }]),
  cycloneDx('without references', [
    { ...safe, 'bom-ref': undefined },
    { ...old, 'bom-ref': undefined },
  ]),
  cycloneDx('empty reference', [
    { ...safe, 'bom-ref': '' },
    { ...old, 'bom-ref': '' },
  ]),
  cycloneDx('version of the component alone', [safe, { ...old, purl: 'pkg:npm/lodash' }]),
  cycloneDx('no version', [safe, { ...old, purl: 'pkg:npm/lodash', version: undefined }]),
  cycloneDx('range as version', [safe, { ...old, purl: 'pkg:npm/lodash', version: '^4.0.0' }]),
  cycloneDx('newer version in the package URL', [safe, { ...old, purl: 'pkg:npm/lodash@4.17.21' }]),
  cycloneDx('older version in the package URL', [safe, { ...old, version: '4.17.21' }]),
  cycloneDx('other name in the package URL', [safe, { ...old, name: 'harmless' }]),
  cycloneDx('text among the components', [safe, PURL_OF_OLD], {}, 'refuses'),
  cycloneDx('components that are no list', old, {}, 'refuses'),
  cycloneDx('components of a component that are no list', [{ ...safe, components: old }], {}, 'refuses'),
  cycloneDx('no components', []),
  cycloneDx('components missing', undefined),
  cycloneDx('only in the tools', [safe], { metadata: { tools: { components: [old] } } }, 'ignores'),
  cycloneDx('only in the formulation', [safe], { formulation: [{ components: [old] }] }, 'ignores'),
  cycloneDx('cycle', [old, safe], {
    dependencies: [
      { ref: 'old', dependsOn: ['safe'] },
      { ref: 'safe', dependsOn: ['old'] },
    ],
  }),
  cycloneDx('dependency of itself', [old, safe], { dependencies: [{ ref: 'old', dependsOn: ['old'] }] }),
  cycloneDx('version that does not exist', [safe, old], { specVersion: '2.0' }),
  asText(
    'CycloneDX: components twice, the last has it',
    JSON.stringify(bom([safe])).replace(/\}$/, `,"components":${JSON.stringify([old])}}`),
  ),
  asText('CycloneDX: escapes', JSON.stringify(bom([safe, old])).replaceAll('lodash', 'lod\\u0061sh')),
]

const urls: readonly Spelling[] = [
  purl('pkg:npm/lodash@4.17.4?vcs_url=git%2Bhttps://git.example/lodash'),
  purl('pkg:npm/lodash@4.17.4#dist/lodash.js'),
  purl('pkg:npm/lodash@v4.17.4'),
  purl('pkg:npm/lodash@4.17.4+build'),
  purl('pkg:npm/lod%61sh@4.17.4'),
  purl('pkg:npm/lodash%404.17.4'),
  purl('pkg:npm/lodash@4%2E17%2E4'),
  purl('pkg://npm/lodash@4.17.4'),
  purl('pkg:/npm/lodash@4.17.4'),
  purl('PKG:NPM/lodash@4.17.4'),
  purl('pkg:npm/Lodash@4.17.4'),
  purl(' pkg:npm/lodash@4.17.4 '),
  purl('npm/lodash@4.17.4'),
  purl('pkg:nodejs/lodash@4.17.4'),
  purl('pkg:generic/lodash@4.17.4'),
  purl('pkg:github/lodash/lodash@4.17.4'),
  purl('pkg:deb/debian/node-lodash@4.17.4'),
  purl('pkg:npm/lodash@latest'),
  purl('pkg:npm/lodash@', { version: undefined }),
  purl('pkg:pypi/Django@2.0', { version: '2.0' }),
  purl('pkg:pypi/DJANGO@2.0.0?file_name=Django-2.0.tar.gz', { version: '2.0' }),
  purl('pkg:golang/github.com/dgrijalva/jwt-go@v3.2.0%2Bincompatible', { version: 'v3.2.0' }),
  purl('pkg:golang/github.com/dgrijalva/jwt-go@v3.2.0+incompatible', { version: 'v3.2.0' }),
  purl('pkg:golang/github.com/DGrijalva/JWT-Go@3.2.0', { version: '3.2.0' }),
  purl('pkg:golang/github.com%2Fdgrijalva%2Fjwt-go@v3.2.0', { version: 'v3.2.0' }),
  purl('pkg:golang/github.com/dgrijalva/jwt-go@v3.2.0#request', { version: 'v3.2.0' }),
  purl('pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1?type=jar&classifier=tests', { version: '2.14.1' }),
  purl('pkg:maven/org.apache.logging.log4j%2Flog4j-core@2.14.1', { version: '2.14.1' }),
  purl('pkg:maven/log4j-core@2.14.1', { version: '2.14.1' }),
  purl('pkg:gem/rack@2.0.1?platform=java', { version: '2.0.1' }),
]

const component = (more = '') =>
  `<component type="library" bom-ref="old"><name>lodash</name><version>4.17.4</version>${more || `<purl>${PURL_OF_OLD}</purl>`}</component>`
const SAFE =
  '<component type="library" bom-ref="safe"><name>ms</name><version>2.1.3</version><purl>pkg:npm/ms@2.1.3</purl></component>'
const root = (inner: string, version = '1.6') =>
  `<?xml version="1.0"?>\n<bom xmlns="http://cyclonedx.org/schema/bom/${version}">${inner}</bom>`
const xml = (name: string, text: string, tool: Spelling['tool'] = 'installs') =>
  asText(`XML: ${name}`, text, CYCLONEDX, tool)
const XML = root(`<components>${SAFE}${component()}</components>`)

const xmls: readonly Spelling[] = [
  xml('component', XML),
  xml(
    'prefix',
    `<c:bom xmlns:c="http://cyclonedx.org/schema/bom/1.5">${`<components>${SAFE}${component()}</components>`.replace(/<(\/?)/g, '<$1c:')}</c:bom>`,
  ),
  xml('two lists', root(`<components>${SAFE}</components><components>${component()}</components>`), 'refuses'),
  xml(
    'nested',
    root(
      `<components>${SAFE.replace('</component>', `<components>${component()}</components></component>`)}</components>`,
    ),
  ),
  xml(
    'part of the subject',
    root(
      `<metadata><component type="application"><name>shop</name><components>${component()}</components></component></metadata><components>${SAFE}</components>`,
    ),
  ),
  xml(
    'white space and CDATA',
    root(`<components>${SAFE}${component(`<purl>\n  <![CDATA[${PURL_OF_OLD}]]>\n</purl>`)}</components>`),
  ),
  xml(
    'entities',
    root(`<components>${SAFE}${component('<purl>pkg:npm/lod&#97;sh@4.17.4?a=b&amp;c=d</purl>')}</components>`),
  ),
  xml(
    'comment inside',
    root(`<components>${SAFE}${component('<purl>pkg:npm/lod<!-- x -->ash@4.17.4</purl>')}</components>`),
  ),
  xml('no package URL', root(`<components>${SAFE}${component('<cpe>x</cpe>')}</components>`)),
  xml(
    'ancestor',
    root(
      `<components>${SAFE.replace('</component>', `<pedigree><ancestors>${component()}</ancestors></pedigree></component>`)}</components>`,
    ),
  ),
  xml(
    'in another bill',
    root(
      `<components>${SAFE.replace('</component>', '<externalReferences><reference type="bom"><url>urn:cdx:a/1</url></reference></externalReferences></component>')}</components>`,
    ),
  ),
  xml(
    'incomplete',
    root(
      `<components>${SAFE}</components><compositions><composition><aggregate>incomplete</aggregate></composition></compositions>`,
    ),
  ),
  xml('document type', `<!DOCTYPE bom [<!ENTITY old "${PURL_OF_OLD}">]>${XML}`, 'refuses'),
  xml('another namespace', XML.replace('cyclonedx.org', 'cyclonedx.example'), 'refuses'),
]

/** Bills of materials. No tool installs them: `installs` stands for a bill that lists the release. */
export const sbom: Sabotage = {
  ecosystem: 'sbom',
  hidden,
  target: 'bom.json',
  base: { 'bom.json': JSON.stringify(bom([safe])) },
  spellings: [
    ...json,
    ...urls,
    ...xmls,
    ...spdxSpellings,
    ...damagedTexts('bom.json', {
      files: { 'bom.json': `${JSON.stringify(bom([safe, old]), null, 1)}\n` },
      source: CYCLONEDX,
      cutAt: '"components"',
    }),
  ],
}
