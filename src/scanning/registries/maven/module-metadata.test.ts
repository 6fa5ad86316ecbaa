import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { parseModuleMetadata } from './module-metadata.ts'

const parse = (document: unknown) => parseModuleMetadata(Buffer.from(JSON.stringify(document)))

describe('Gradle module metadata in registries', () => {
  test('module metadata is parsed without files and documentation, attributes as text', () => {
    const parsed = parse({
      formatVersion: '1.1',
      component: { group: 'g', module: 'a', version: '1' },
      createdBy: { gradle: { version: '8.5' } },
      variants: [
        {
          name: 'runtimeElements',
          attributes: { 'org.gradle.jvm.version': 8, 'org.gradle.usage': 'java-runtime', 'x.debug': false },
          capabilities: [{ group: 'g', name: 'a', version: '1' }],
          dependencies: [
            {
              group: 'g',
              module: 'b',
              version: { requires: '1', strictly: '[1,2)', prefers: '1.5', rejects: ['1.3'] },
              excludes: [{ group: '*', module: 'c' }, {}],
              attributes: { 'org.gradle.category': 'platform' },
              requestedCapabilities: [{ group: 'g', name: 'b-extra' }],
              endorseStrictVersions: true,
              reason: 'none',
            },
          ],
          dependencyConstraints: [{ group: 'g', module: 'd', version: {} }],
          files: [{ name: 'a.jar', url: 'a.jar', size: 1 }],
        },
        { name: 'jvm', 'available-at': { url: '../a.module', group: 'g', module: 'a-jvm', version: '1' } },
        { name: 'sources', attributes: { 'org.gradle.category': 'documentation' }, files: [] },
      ],
    })
    const plain = { exclusions: [], attributes: {}, capabilities: [], endorsesStrict: false }
    assert.deepEqual(parsed, {
      variants: [
        {
          name: 'runtimeElements',
          attributes: { 'org.gradle.jvm.version': '8', 'org.gradle.usage': 'java-runtime', 'x.debug': 'false' },
          capabilities: ['g:a'],
          dependencies: [
            {
              group: 'g',
              artifact: 'b',
              version: { requires: '1', strictly: '[1,2)', prefers: '1.5', rejects: ['1.3'] },
              exclusions: [
                { group: '*', artifact: 'c' },
                { group: '*', artifact: '*' },
              ],
              attributes: { 'org.gradle.category': 'platform' },
              capabilities: ['g:b-extra'],
              endorsesStrict: true,
            },
          ],
          constraints: [{ group: 'g', artifact: 'd', version: { rejects: [] }, ...plain }],
        },
        {
          name: 'jvm',
          attributes: {},
          capabilities: [],
          availableAt: { group: 'g', artifact: 'a-jvm', version: '1' },
          dependencies: [],
          constraints: [],
        },
      ],
    })
  })

  const many = Array.from({ length: 50_001 }, () => ({ group: 'g', module: 'b' }))
  const refused: [why: string, text: string][] = [
    ['an empty text', ''],
    ['a truncated text', '{"formatVersion": "1.1", "variants": ['],
    ['a list', '[]'],
    ['no format version', '{"variants": []}'],
    ['a future format version', '{"formatVersion": "2.0", "variants": []}'],
    ['too many dependencies', JSON.stringify({ formatVersion: '1.1', variants: [{ dependencies: many }] })],
    ['a too long text', `{"formatVersion": "1.1", "x": "${'x'.repeat(8 * 1024 * 1024)}"}`],
    ['too deep nesting', `${'['.repeat(3_000_000)}`],
  ]
  for (const [why, text] of refused) {
    test(`module metadata is refused: ${why}`, () => {
      assert.throws(() => parseModuleMetadata(Buffer.from(text)), RegistryUnreachable)
    })
  }

  const entry = { group: 'g', module: 'b', version: { requires: '1' } }
  const wrong: [member: string, document: object][] = [
    ['variants', { variants: { a: {} } }],
    ['a variant', { variants: [5] }],
    ['null instead of a list', { variants: null }],
    ['dependencies', { variants: [{ dependencies: entry }] }],
    ['a dependency', { variants: [{ dependencies: ['g:b:1'] }] }],
    ['constraints', { variants: [{ dependencyConstraints: 'g:b:1' }] }],
    ['a version', { variants: [{ dependencies: [{ ...entry, version: '1' }] }] }],
    ['what is required', { variants: [{ dependencies: [{ ...entry, version: { requires: 1 } }] }] }],
    ['what is rejected', { variants: [{ dependencies: [{ ...entry, version: { rejects: '1' } }] }] }],
    ['a name', { variants: [{ dependencies: [{ ...entry, module: 7 }] }] }],
    ['an overlong name', { variants: [{ dependencies: [{ ...entry, module: 'b'.repeat(1_001) }] }] }],
    ['exclusions', { variants: [{ dependencies: [{ ...entry, excludes: { group: 'g' } }] }] }],
    ['a group that is excluded', { variants: [{ dependencies: [{ ...entry, excludes: [{ group: 7 }] }] }] }],
    ['the place of publication', { variants: [{ 'available-at': 'g:a-jvm:1' }] }],
    ['attributes', { variants: [{ attributes: ['java-runtime'] }] }],
    ['an attribute', { variants: [{ attributes: { 'org.gradle.usage': ['java-runtime'] } }] }],
    ['capabilities', { variants: [{ capabilities: 'g:a' }] }],
  ]
  for (const [member, document] of wrong) {
    test(`module metadata is refused for a wrong type: ${member}`, () => {
      assert.throws(() => parse({ formatVersion: '1.1', ...document }), RegistryUnreachable)
    })
  }

  test('module metadata: incomplete dependencies are kept, and __proto__ is an ordinary name', () => {
    const text = '{"formatVersion": "1.0", "variants": [{"attributes": {"__proto__": "x"}, "dependencies": [{}]}]}'
    const [variant] = parseModuleMetadata(Buffer.from(text)).variants
    assert.deepEqual(
      variant?.dependencies.map(({ group, artifact }) => [group, artifact]),
      [['', '']],
    )
    assert.deepEqual(Object.entries(variant.attributes), [['__proto__', 'x']])
  })
})
