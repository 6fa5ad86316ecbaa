import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readVex } from './read-vex.ts'
import { UnreadableVex } from './vex-document.ts'

const openVex = (...statements: object[]) => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://vex.example/1',
  statements,
})
const cycloneDx = (analysis: object, more: object = {}) => ({
  bomFormat: 'CycloneDX',
  serialNumber: 'urn:uuid:1',
  vulnerabilities: [{ id: 'CVE-1', references: [{ id: 'GHSA-1' }], analysis, affects: [{ ref: 'a' }], ...more }],
  components: [{ 'bom-ref': 'b', components: [{ 'bom-ref': 'a', purl: 'pkg:npm/a@1.0.0' }] }],
})
const csaf = (vulnerability: object, tree: object = {}) => ({
  document: { category: 'csaf_vex', tracking: { id: 'X-1' } },
  product_tree: {
    branches: [
      {
        branches: [{ product: { product_id: 'A', product_identification_helper: { purl: 'pkg:npm/a@1.0.0' } } }],
      },
    ],
    full_product_names: [{ product_id: 'W', product_identification_helper: { purl: 'pkg:npm/w' } }],
    ...tree,
  },
  vulnerabilities: [vulnerability],
})
const purl = 'pkg:npm/a@1.0.0'

describe('VEX documents', () => {
  test('OpenVEX: statements with identifiers, status, reason and products', () => {
    const vulnerability = { name: 'CVE-1', aliases: ['GHSA-1'] }
    const products = [
      { '@id': purl },
      { '@id': 'x', identifiers: { purl: 'pkg:npm/w' }, subcomponents: [{ '@id': purl }] },
    ]
    const details = { justification: 'component_not_present', impact_statement: 'unused' }
    const { kind, id, statements } = readVex(openVex({ vulnerability, products, status: 'not_affected', ...details }))
    assert.deepEqual([kind, id], ['openvex', 'https://vex.example/1'])
    assert.deepEqual(statements, [
      {
        pointer: '/statements/0',
        ids: ['CVE-1', 'GHSA-1'],
        status: 'not_affected',
        reason: 'component_not_present: unused',
        products: [{ id: purl }, { id: 'pkg:npm/w', components: [purl] }],
      },
    ])
  })

  test('OpenVEX 0.0: vulnerability and products as texts', () => {
    const [statement] = readVex(openVex({ vulnerability: 'CVE-1', products: [purl], status: 'fixed' })).statements
    assert.deepEqual([statement!.ids, statement!.products, statement!.reason], [['CVE-1'], [{ id: purl }], ''])
  })

  test('CycloneDX: an analysis of a nested component, by reference and by BOM-Link', () => {
    const analysis = { state: 'false_positive', justification: 'code_not_present', detail: 'unused' }
    for (const ref of ['a', 'urn:cdx:1/1#a', `urn:cdx:1/1#${encodeURIComponent(purl)}`]) {
      const [statement] = readVex(cycloneDx(analysis, { affects: [{ ref }] })).statements
      assert.deepEqual(statement, {
        pointer: '/vulnerabilities/0',
        ids: ['CVE-1', 'GHSA-1'],
        status: 'not_affected',
        reason: 'code_not_present: unused',
        products: [{ id: purl }],
      })
    }
  })

  test('CycloneDX: a vulnerability without an analysis states nothing', () => {
    assert.deepEqual(readVex(cycloneDx({})).statements, [])
  })

  test('CSAF: products of each status, with the flag and the impact of each', () => {
    const vulnerability = {
      cve: 'CVE-1',
      ids: [{ system_name: 'x', text: 'GHSA-1' }],
      product_status: { known_not_affected: ['A', 'W'], known_affected: ['W'] },
      flags: [{ label: 'component_not_present', product_ids: ['A'] }],
      threats: [{ category: 'impact', details: 'unused', product_ids: ['A'] }],
    }
    const { id, statements } = readVex(csaf(vulnerability))
    assert.equal(id, 'X-1')
    assert.deepEqual(
      statements.map(({ status, reason, products }) => [status, reason, products]),
      [
        ['not_affected', 'component_not_present: unused', [{ id: purl }]],
        ['not_affected', '', [{ id: 'pkg:npm/w' }]],
        ['affected', '', [{ id: 'pkg:npm/w' }]],
      ],
    )
    assert.deepEqual(statements[0]!.ids, ['CVE-1', 'GHSA-1'])
  })

  test('CSAF: a relationship is a component within a product', () => {
    const relationship = {
      product_reference: 'A',
      relates_to_product_reference: 'W',
      full_product_name: { product_id: 'A in W' },
    }
    const vulnerability = { cve: 'CVE-1', product_status: { fixed: ['A in W'] } }
    const [statement] = readVex(csaf(vulnerability, { relationships: [relationship] })).statements
    assert.deepEqual(statement!.products, [{ id: 'pkg:npm/w', components: [purl] }])
  })

  const status = { status: 'fixed', products: [] }
  for (const [why, content, pointer] of [
    ['a list', [], ''],
    ['another document', { spdxVersion: 'SPDX-2.3' }, ''],
    ['OpenVEX without an id', { '@context': 'https://openvex.dev/ns/v0.2.0', statements: [] }, '/@id'],
    ['OpenVEX statements that are no list', { ...openVex(), statements: {} }, '/statements'],
    ['an OpenVEX statement that is a text', { ...openVex(), statements: ['x'] }, '/statements/0'],
    ['an unknown status of OpenVEX', openVex({ vulnerability: 'A', status: 'safe' }), '/statements/0/status'],
    ['an OpenVEX statement without a vulnerability', openVex(status), '/statements/0/vulnerability'],
    ['CycloneDX without a serial number', { ...cycloneDx({}), serialNumber: undefined }, '/serialNumber'],
    ['an unknown state of CycloneDX', cycloneDx({ state: 'safe' }), '/vulnerabilities/0/analysis/state'],
    ['a state of CycloneDX named __proto__', cycloneDx({ state: '__proto__' }), '/vulnerabilities/0/analysis/state'],
    ['CSAF without tracking', { document: {} }, '/document/tracking'],
    ['a CSAF vulnerability without an id', csaf({ product_status: {} }), '/vulnerabilities/0/cve'],
  ] as const) {
    test(`VEX document: refuses ${why}, naming ${pointer || 'the document'}`, () => {
      assert.throws(
        () => readVex(content),
        (error) => error instanceof UnreadableVex && error.pointer === pointer,
      )
    })
  }
})
