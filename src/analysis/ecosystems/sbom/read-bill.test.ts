import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DependencyGraph } from '#analysis/dependency-graph.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { sbom } from './index.ts'

const read = (text: unknown, maxNodes = 1000) => {
  const target = typeof text === 'string' ? text : JSON.stringify(text)
  const options = { includeDev: false, repositories: [], limits: { maxNodes } }
  return sbom.read({ target, additional: [] }, registriesOf({}), options)
}

/** Edges as `from > to`; the project is empty. */
const edgesOf = ({ nodes }: DependencyGraph) =>
  nodes.flatMap(({ package: { name }, edges }) => edges.map(({ to }) => `${name} > ${nodes[to]!.package.name}`)).sort()

const packagesOf = ({ nodes }: DependencyGraph) =>
  nodes.slice(1).map(({ package: { name, version }, registry }) => `${registry} ${name}@${version}`)

const component = (name: string, more: object = {}) => ({
  type: 'library',
  name,
  version: '1.0.0',
  'bom-ref': name,
  purl: `pkg:npm/${name}@1.0.0`,
  ...more,
})
const cycloneDx = (components: unknown, more: object = {}) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  metadata: { component: { type: 'application', name: 'shop', version: '2', 'bom-ref': 'root' } },
  components,
  ...more,
})

const EDGES = ['a > b', 'shop > a', 'shop > c']
const PACKAGES = ['npm a@1.0.0', 'PyPI b-b@1.0.0', 'Maven g:c@1.0.0']

/** One bill in every format: the project needs a and c, and a needs b. */
const formats: Readonly<Record<string, unknown>> = {
  'CycloneDX 1.5': cycloneDx(
    [component('a'), component('b', { purl: 'pkg:pypi/B_B@1.0.0' }), component('c', { purl: 'pkg:maven/g/c@1.0.0' })],
    { dependencies: [{ ref: 'root', dependsOn: ['a', 'c'] }, { ref: 'a', dependsOn: ['b'] }, { ref: 'b' }] },
  ),
  'CycloneDX 1.7': cycloneDx(
    [
      component('a', { isExternal: true, patentAssertions: [] }),
      component('b', { purl: 'pkg:pypi/B_B@1.0.0' }),
      component('c', { purl: 'pkg:maven/g/c@1.0.0' }),
    ],
    {
      specVersion: '1.7',
      dependencies: [{ ref: 'root', dependsOn: ['a', 'c'] }, { ref: 'a', dependsOn: ['b'] }, { ref: 'b' }],
      citations: [{ pointers: ['/components/0'], attributedTo: 'root', timestamp: '2026-01-01T00:00:00Z' }],
    },
  ),
  'CycloneDX 1.4': `<?xml version="1.0" encoding="UTF-8"?>
<bom xmlns="http://cyclonedx.org/schema/bom/1.4" version="1">
  <metadata><component type="application" bom-ref="root"><name>shop</name><version>2</version></component></metadata>
  <components>
    <component type='library' bom-ref = 'a'><name>a</name><version>1.0.0</version><purl>pkg:npm/a@1.0.0</purl></component>
    <component type="library" bom-ref="b&amp;b"><name>b</name><purl>pkg:pypi/B_B@1.0.0</purl></component>
    <component type="library" bom-ref="c"><group>g</group><name>c</name><purl>pkg:maven/g/c@1.0.0</purl></component>
  </components>
  <dependencies>
    <dependency ref="root"><dependency ref="a"/><dependency ref="c"/></dependency>
    <dependency ref="a"><dependency ref="b&amp;b"/></dependency>
  </dependencies>
</bom>`,
  'SPDX 2.3': {
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    documentDescribes: ['SPDXRef-root'],
    packages: [
      { SPDXID: 'SPDXRef-root', name: 'shop', versionInfo: '2' },
      spdxPackage('a', 'pkg:npm/a@1.0.0'),
      spdxPackage('b', 'pkg:pypi/B_B@1.0.0'),
      spdxPackage('c', 'pkg:maven/g/c@1.0.0'),
    ],
    relationships: [
      { spdxElementId: 'SPDXRef-root', relationshipType: 'DEPENDS_ON', relatedSpdxElement: 'SPDXRef-a' },
      { spdxElementId: 'SPDXRef-c', relationshipType: 'DEV_DEPENDENCY_OF', relatedSpdxElement: 'SPDXRef-root' },
      { spdxElementId: 'SPDXRef-a', relationshipType: 'CONTAINS', relatedSpdxElement: 'SPDXRef-b' },
    ],
  },
  'SPDX 2.2': `SPDXVersion: SPDX-2.2
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentComment: <text>PackageName: is only a text
Relationship: SPDXRef-a DEPENDS_ON SPDXRef-c</text>
PackageName: shop
SPDXID: SPDXRef-root
PackageVersion: 2

PackageName: a
SPDXID: SPDXRef-a
ExternalRef: PACKAGE-MANAGER purl pkg:npm/a@1.0.0
PackageName: b
SPDXID: SPDXRef-b
ExternalRef: PACKAGE_MANAGER purl pkg:pypi/B_B@1.0.0
PackageName: c
SPDXID: SPDXRef-c
ExternalRef: PACKAGE-MANAGER purl pkg:maven/g/c@1.0.0
Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-root
Relationship: SPDXRef-root DEPENDS_ON SPDXRef-a
Relationship: SPDXRef-root DEPENDS_ON SPDXRef-c
Relationship: SPDXRef-b DEPENDENCY_OF SPDXRef-a
`,
  'SPDX 3.0': {
    '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
    '@graph': [
      { type: 'SpdxDocument', spdxId: 'urn:doc', rootElement: ['urn:bom'] },
      { type: 'software_Sbom', spdxId: 'urn:bom', rootElement: ['urn:root'] },
      { type: 'software_Package', spdxId: 'urn:root', name: 'shop', software_packageVersion: '2' },
      { type: 'software_Package', spdxId: 'urn:a', name: 'a', software_packageUrl: 'pkg:npm/a@1.0.0' },
      {
        type: 'software_Package',
        spdxId: 'urn:b',
        name: 'b',
        externalIdentifier: [{ externalIdentifierType: 'packageUrl', identifier: 'pkg:pypi/B_B@1.0.0' }],
      },
      { type: 'software_Package', spdxId: 'urn:c', name: 'c', software_packageUrl: 'pkg:maven/g/c@1.0.0' },
      { type: 'Relationship', from: 'urn:root', to: ['urn:a', 'urn:c'], relationshipType: 'dependsOn' },
      { type: 'Relationship', from: 'urn:a', to: ['urn:b'], relationshipType: 'dependsOn' },
    ],
  },
}

function spdxPackage(name: string, purl: string) {
  const externalRefs = [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }]
  return { SPDXID: `SPDXRef-${name}`, name, externalRefs, licenseDeclared: 'MIT' }
}

describe('bills of materials', () => {
  for (const [format, text] of Object.entries(formats)) {
    test(`${format}: packages of several registries are read with their relations`, async () => {
      const { graph, unresolved, filesRead } = await read(text)
      assert.deepEqual(filesRead, [`bill of materials (${format})`])
      assert.deepEqual(packagesOf(graph), PACKAGES)
      assert.deepEqual(
        edgesOf(graph),
        EDGES.map((edge) => edge.replace('> b', '> b-b').replace('> c', '> g:c')),
      )
      assert.deepEqual(unresolved, [])
      assert.equal(graph.nodes[0]!.package.name, 'shop')
    })
  }

  test("gems: the platform after the version's hyphen is no part of the version and no contradiction", async () => {
    const gem = (name: string, version: string, purlVersion = version) =>
      component(name, { version, purl: `pkg:gem/${name}${purlVersion && `@${purlVersion}`}` })
    const { graph, unresolved } = await read(
      cycloneDx([
        gem('a', '1.12.5-x86_64-linux'),
        gem('b', '1.12.5', '1.12.5-java'),
        gem('c', '1.12.5-x64-mingw-ucrt', '1.12.5?platform=x64-mingw-ucrt'),
        gem('d', '1.12.5-arm64-darwin', ''),
        gem('e', '2.0.0-java', '1.0.0-java'),
      ]),
    )
    const versions = packagesOf(graph).map((label) => label.replace('RubyGems ', ''))
    assert.deepEqual(versions, ['a@1.12.5', 'b@1.12.5', 'c@1.12.5', 'd@1.12.5', 'e@1.0.0'])
    assert.deepEqual(
      unresolved.map(({ name, range, code }) => `${name} ${range} ${code}`),
      ['e 2.0.0-java lockfile-contradiction'],
    )
  })

  test('bill without relations: every component is a direct dependency; cycles are read', async () => {
    assert.deepEqual(edgesOf((await read(cycloneDx([component('a'), component('b')]))).graph), ['shop > a', 'shop > b'])
    const dependencies = [
      { ref: 'a', dependsOn: ['b', 'a'] },
      { ref: 'b', dependsOn: ['a'] },
    ]
    const { graph } = await read(cycloneDx([component('a'), component('b')], { dependencies }))
    assert.deepEqual(edgesOf(graph), ['a > b', 'b > a', 'shop > a'])
  })

  test('bill: references to the build and to tools are neither dependencies nor reported', async () => {
    const aside = {
      metadata: {
        component: { type: 'application', name: 'shop', version: '2', 'bom-ref': 'root' },
        tools: { components: [{ type: 'application', name: 'writer', 'bom-ref': 'tool' }] },
      },
      formulation: [
        { components: [component('compiler')], workflows: [{ 'bom-ref': 'flow', tasks: [{ 'bom-ref': 'task' }] }] },
      ],
      dependencies: [
        { ref: 'root', dependsOn: ['a', 'compiler', 'tool', 'gone'] },
        { ref: 'tool', dependsOn: [] },
        { ref: 'flow', dependsOn: ['task', 'compiler'] },
      ],
    }
    const { graph, unresolved, excluded } = await read(cycloneDx([component('a')], aside))
    assert.deepEqual(edgesOf(graph), ['shop > a'])
    assert.deepEqual(
      unresolved.map(({ name }) => name),
      ['gone'],
    )
    assert.deepEqual(excluded, [{ reason: 'build', packages: 1 }])
    const xml = `<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><metadata><tools><components><component bom-ref="tool" type="application"><name>w</name></component></components></tools></metadata>
<components><component type="library" bom-ref="a"><name>a</name><version>1</version><purl>pkg:npm/a@1.0.0</purl></component></components>
<dependencies><dependency ref="a"><dependency ref="compiler"/><dependency ref="flow"/><dependency ref="tool"/></dependency></dependencies>
<formulation><formula><components><component type="library" bom-ref="compiler"><name>c</name></component></components><workflows><workflow bom-ref="flow"/></workflows></formula></formulation></bom>`
    assert.deepEqual((await read(xml)).unresolved, [])
  })

  test("bill: npm packages are also looked up in the component's spelling", async () => {
    const { graph } = await read(
      cycloneDx([
        component('JSONStream', { purl: 'pkg:npm/jsonstream@1.0.0' }),
        component('Parser', { group: '@Scope', purl: 'pkg:npm/%40scope/parser@1.0.0' }),
        component('Another', { purl: 'pkg:npm/a@1.0.0' }),
        component('Django', { purl: 'pkg:pypi/django@1.0.0' }),
      ]),
    )
    assert.deepEqual(
      graph.nodes.slice(1).map(({ package: { name }, advisoryNames }) => [name, ...(advisoryNames ?? [])]),
      [['jsonstream', 'JSONStream'], ['@scope/parser', '@Scope/Parser'], ['a'], ['django']],
    )
  })

  test('bill: Go packages are looked up under their possible modules, modules under their own name', async () => {
    const purls = [
      'pkg:golang/git.example/a/b/c@v1.0.0?type=package',
      'pkg:golang/git.example/a/b@v1.0.0?type=package#c',
      'pkg:golang/git.example/a/b/c@v1.0.0?type=module',
      'pkg:golang/git.example/a/b/c@v1.0.0',
    ]
    const { graph } = await read(cycloneDx(purls.map((purl, at) => component(`p${at}`, { version: 'v1.0.0', purl }))))
    assert.deepEqual(
      graph.nodes.slice(1).map(({ package: { name }, advisoryNames }) => [name, ...(advisoryNames ?? [])]),
      [
        ['git.example/a/b/c', 'git.example/a/b', 'git.example/a'],
        ['git.example/a/b'],
        ['git.example/a/b/c'],
        ['git.example/a/b/c'],
      ],
    )
  })

  test('bill: a Go path keeps its possible modules unless the bill lists them', async () => {
    const doubts = async (...purls: string[]) => {
      const { graph } = await read(cycloneDx(purls.map((purl, at) => component(`p${at}`, { version: 'v1.0.0', purl }))))
      return graph.nodes.slice(1).map(({ possibleModules = [] }) => possibleModules.join(' '))
    }
    const path = 'pkg:golang/git.example/a/b/c@v1.0.0'
    assert.deepEqual(await doubts(path), ['git.example/a/b git.example/a'])
    assert.deepEqual(await doubts(path, 'pkg:golang/git.example/a/b@v1.2.0'), ['', 'git.example/a'])
    assert.deepEqual(await doubts(`${path}?type=module`, `${path}?type=package`), ['', ''])
  })

  test('bill: nested components are dependencies of their parent', async () => {
    const { graph } = await read(cycloneDx([component('a', { components: [component('b')] })]))
    assert.deepEqual(edgesOf(graph), ['a > b', 'shop > a'])
  })

  test('bill: a license is an expression, a list or a declared license', async () => {
    const licenses = [
      [{ expression: 'MIT OR GPL-3.0-only' }],
      [{ license: { id: 'MIT' } }, { license: { name: 'My own' } }],
    ]
    const { graph } = await read(cycloneDx(licenses.map((license, at) => component(`l${at}`, { licenses: license }))))
    const actual = graph.nodes.slice(1).map(({ license }) => license)
    assert.deepEqual(actual, ['MIT OR GPL-3.0-only', 'MIT AND (My own)'])
    assert.equal((await read(formats['SPDX 2.3'])).graph.nodes[1]!.license, 'MIT')
  })

  test('bill: components with duplicate or missing references are kept', async () => {
    const twice = [
      component('a'),
      component('b', { 'bom-ref': 'a' }),
      component('a'),
      component('c', { 'bom-ref': '' }),
    ]
    const { graph } = await read(cycloneDx(twice))
    assert.deepEqual(packagesOf(graph), ['npm a@1.0.0', 'npm b@1.0.0', 'npm c@1.0.0'])
  })

  const untested: [why: string, component: object, reason: RegExp][] = [
    ['no package URL', component('a', { purl: undefined }), /no package URL/],
    ['a package URL of a type without advisories', component('a', { purl: 'pkg:deb/debian/a@1' }), /type deb/],
    ['an invalid package URL', component('a', { purl: 'a@1' }), /not a package URL/],
    ['no version', component('a', { version: undefined, purl: 'pkg:npm/a' }), /no version/],
    [
      'only a range of versions, which CycloneDX 1.7 allows',
      component('a', { version: undefined, versionRange: 'vers:npm/>=1.0.0', isExternal: true, purl: 'pkg:npm/a' }),
      /no version/,
    ],
    ['a version that its registry cannot have', component('a', { purl: 'pkg:npm/a@latest' }), /version/],
    ['control characters', component('a', { purl: 'pkg:maven/g/a%00@1' }), /control/],
    [
      'the type of an operating system',
      component('a', { type: 'operating-system', purl: undefined }),
      /operating-system/,
    ],
  ]
  for (const [why, one, reason] of untested) {
    test(`bill: a component with ${why} is reported and not matched`, async () => {
      const { graph, unresolved } = await read(cycloneDx([one, component('b')]))
      assert.equal(unresolved.length, 1)
      assert.match(unresolved[0]!.reason, reason)
      assert.deepEqual(
        graph.nodes.slice(1).map(({ registry }) => registry),
        ['none', 'npm'],
      )
    })
  }

  test('bill: the version of the package URL has precedence; a contradiction is reported', async () => {
    const { graph, unresolved } = await read(
      cycloneDx([component('a', { version: '9.0.0' }), component('b', { purl: 'pkg:npm/b', version: '2.0.0' })]),
    )
    assert.deepEqual(packagesOf(graph), ['npm a@1.0.0', 'npm b@2.0.0'])
    assert.deepEqual(
      unresolved.map(({ name, code }) => [name, code]),
      [['a', 'lockfile-contradiction']],
    )
  })

  test('bill: services are reported as untested; files are counted as excluded', async () => {
    const { unresolved, excluded, graph } = await read(
      cycloneDx([component('a'), { type: 'file', name: 'package.json' }], { services: [{ name: 'database' }] }),
    )
    assert.deepEqual(
      unresolved.map(({ name }) => name),
      ['database'],
    )
    assert.deepEqual(excluded, [{ reason: 'not-a-package', packages: 1 }])
    assert.equal(graph.nodes.length, 3)
  })

  test('bill: a relation to an unlisted component is reported', async () => {
    const { unresolved } = await read(cycloneDx([component('a')], { dependencies: [{ ref: 'a', dependsOn: ['x'] }] }))
    assert.deepEqual(
      unresolved.map(({ name, code }) => [name, code]),
      [['x', 'not-in-lockfile']],
    )
  })

  test('bill: one without components or marked as incomplete is reported as incomplete', async () => {
    assert.match((await read(cycloneDx([]))).unresolved[0]!.reason, /no component/)
    const compositions = [{ aggregate: 'incomplete', dependencies: ['root'] }]
    const { unresolved } = await read(cycloneDx([component('a')], { compositions }))
    assert.match(unresolved[0]!.reason, /incomplete/)
    const others = [{ aggregate: 'incomplete', assemblies: ['a'] }, { aggregate: 'complete' }, { aggregate: 'unknown' }]
    const ofParts = await read(cycloneDx([component('a')], { compositions: others }))
    assert.deepEqual(
      ofParts.unresolved.map(({ name }) => name),
      ['a@1.0.0'],
    )
  })

  test('bill of a single package: the package itself is tested', async () => {
    const metadata = { component: component('a') }
    assert.deepEqual(packagesOf((await read(cycloneDx([], { metadata }))).graph), ['npm a@1.0.0'])
  })

  test('bill: components beyond the limit are reported', async () => {
    const many = Array.from({ length: 20 }, (_, n) => component(`p${n}`))
    const { graph, unresolved } = await read(cycloneDx(many), 11)
    assert.deepEqual([graph.nodes.length, unresolved.map(({ code }) => code)], [11, ['bound-met']])
  })

  const nested = (levels: number): object =>
    levels === 0 ? component('a') : component(`n${levels}`, { components: [nested(levels - 1)] })
  /** Writes the document with nested lists instead of the 0 behind a key. */
  const deep = (key: string, document: unknown) =>
    JSON.stringify(document).replace(`${key}0`, `${key}${'['.repeat(20_000)}${']'.repeat(20_000)}`)
  const refused: [why: string, text: unknown, message: RegExp][] = [
    ['a document type', `<!DOCTYPE bom [<!ENTITY a "b">]>${formats['CycloneDX 1.4'] as string}`, /document type/],
    ['another version of CycloneDX', cycloneDx([], { specVersion: '2.0' }), /CycloneDX 2\.0/],
    ['no version of CycloneDX', cycloneDx([], { specVersion: undefined }), /specVersion/],
    ['another namespace', '<bom xmlns="http://example.com/"/>', /namespace/],
    ['another version of SPDX', { spdxVersion: 'SPDX-1.0', SPDXID: 'x' }, /2\.2, 2\.3 and 3\.0/],
    ['JSON-LD other than SPDX', { '@context': 'https://schema.example', '@graph': [] }, /2\.2, 2\.3 and 3\.0/],
    ['components that nest too deeply', cycloneDx([nested(101)]), /depth limit of 100/],
    [
      'a list too deep to be written',
      deep('"licenses":', cycloneDx([component('a', { licenses: 0 })])),
      /"licenses" must list objects, not a list/,
    ],
    [
      'a reference too deep to be written',
      deep('"dependsOn":', cycloneDx([component('a')], { dependencies: [{ ref: 'a', dependsOn: 0 }] })),
      /"dependsOn" must list references, not a list/,
    ],
    ['a context too deep to be written', deep('"@context":', { '@context': 0, '@graph': [] }), /2\.2, 2\.3 and 3\.0/],
    ['a text without an end', 'SPDXVersion: SPDX-2.3\nPackageComment: <text>a', /Unterminated/],
    ['a manifest', { name: 'p', dependencies: {} }, /This is a package\.json/],
  ]
  for (const [why, text, message] of refused) {
    test(`bill is refused: ${why}`, () =>
      assert.rejects(read(text), (error) => {
        assert.ok(error instanceof Unreadable, String(error))
        assert.match(error.message, message)
        return true
      }))
  }

  test('bill: overlong names, attributes and chains are read or refused', async () => {
    const wide = 'x'.repeat(1_000_000)
    const bomOf = (inner: string) =>
      `<bom xmlns="http://cyclonedx.org/schema/bom/1.4"><components>${inner}</components></bom>`
    await read(bomOf(`<component ${wide}><name>a</name></component>`))
    await read(bomOf(`<component ${'a="'.repeat(300_000)}"><name>a</name></component>`)).catch(() => undefined)
    await read(`SPDXVersion: SPDX-2.3\n${wide}\n${'a'.repeat(100)}:${wide}`)
    const chain = Array.from({ length: 5_000 }, (_, n) => component(`p${n}`))
    const dependencies = chain.map((_, n) => ({ ref: `p${n}`, dependsOn: [`p${n + 1}`] }))
    await read(cycloneDx(chain, { dependencies }), 10_000)
  })
})
