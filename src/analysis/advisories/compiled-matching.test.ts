import assert from 'node:assert/strict'
import test from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import type { Registry } from '#analysis/registries/registry.ts'
import { isAffected } from '#test/manifests/naive-osv.ts'
import { volume } from '#test/volume.ts'
import { COMMIT_VERSION, commitName } from './commits.ts'
import { startCompilation } from './compile.ts'
import { unpackIndex } from './index-layout.ts'
import { findRecord, idOf, openSnapshot } from './open-snapshot.ts'
import type { OsvEvent, OsvRecord } from './osv.ts'
import { schemes } from './schemes.ts'

function compile(records: readonly OsvRecord[]) {
  const compilation = startCompilation({ schemes, deflate: deflateRawSync, checksum: crc32, writeDetails: () => {} })
  for (const record of records) compilation.add(record)
  const compiled = compilation.finish()
  const header = {
    format: 2,
    digest: '',
    builtAt: 0,
    source: 'test',
    isStarterSet: false,
    registries: compiled.registries,
  }
  const index = unpackIndex(compiled.index.buffer)
  const snapshot = openSnapshot(header, compiled.index.buffer, schemes)
  /** Ids, the representative one first in each group. */
  const affecting = (registry: Registry, name: string, version: string) =>
    snapshot
      .affecting(registry, name, version)
      .map(({ record, others }) => [record, ...others].map((number) => idOf(index, number)))
  return { compiled, index, affecting, snapshot }
}

function record(id: string, rest: Partial<OsvRecord> = {}): OsvRecord {
  return { id, modified: '2024-01-01T00:00:00Z', affected: [], ...rest }
}

function affecting(registry: Registry, name: string, events: readonly OsvEvent[], versions: string[] = []) {
  const type = registry === 'npm' || registry === 'Go' ? 'SEMVER' : 'ECOSYSTEM'
  return { package: { ecosystem: registry, name }, ranges: [{ type, events }], versions }
}

const golden: {
  why: string
  registry?: Registry
  events: OsvEvent[]
  versions?: string[]
  yes: string[]
  no: string[]
}[] = [
  {
    why: 'introduced 0 without an end affects every version',
    events: [{ introduced: '0' }],
    yes: ['0.0.0-a', '0.0.0', '9.9.9'],
    no: [],
  },
  {
    why: 'a range includes introduced and excludes fixed',
    events: [{ introduced: '1.0.0' }, { fixed: '1.2.0' }],
    yes: ['1.0.0', '1.1.9', '1.2.0-rc.1'],
    no: ['0.9.9', '1.0.0-rc.1', '1.2.0', '2.0.0'],
  },
  {
    why: 'a range includes last_affected',
    events: [{ introduced: '0' }, { last_affected: '1.2.0' }],
    yes: ['0.0.1', '1.2.0'],
    no: ['1.2.1-0', '1.2.1'],
  },
  {
    why: 'introduced and last_affected may be the same version',
    events: [{ introduced: '1.2.0' }, { last_affected: '1.2.0' }],
    yes: ['1.2.0'],
    no: ['1.2.0-rc.1', '1.2.1', '1.1.9'],
  },
  {
    why: 'introduced and last_affected may be the same version, in either order',
    events: [{ last_affected: '1.2.0' }, { introduced: '1.2.0' }],
    yes: ['1.2.0'],
    no: ['1.1.9', '1.2.1'],
  },
  {
    why: 'fixed in the introducing version affects nothing',
    events: [{ introduced: '1.0.0' }, { fixed: '1.0.0' }],
    yes: [],
    no: ['0.9.9', '1.0.0', '1.0.1'],
  },
  {
    why: 'a range may be introduced again after a fix',
    events: [{ introduced: '1.0.0' }, { fixed: '1.2.0' }, { introduced: '2.0.0' }, { fixed: '2.1.0' }],
    yes: ['1.0.0', '1.1.0', '2.0.0', '2.0.9'],
    no: ['0.1.0', '1.2.0', '1.9.0', '2.1.0'],
  },
  {
    why: 'events may have any order',
    events: [{ fixed: '2.1.0' }, { introduced: '2.0.0' }, { fixed: '1.2.0' }, { introduced: '1.0.0' }],
    yes: ['1.0.0', '2.0.0'],
    no: ['1.2.0', '2.1.0'],
  },
  {
    why: 'introduced again in the fixing version continues the range',
    events: [{ introduced: '2.0.0' }, { fixed: '3.0.0' }, { introduced: '1.0.0' }, { fixed: '2.0.0' }],
    yes: ['1.0.0', '2.0.0', '2.9.0'],
    no: ['0.9.0', '3.0.0'],
  },
  {
    why: 'a fix without an introduction affects nothing',
    events: [{ fixed: '1.0.0' }],
    yes: [],
    no: ['0.1.0', '1.0.0'],
  },
  {
    why: 'a limit ends the range before itself',
    events: [{ introduced: '1.0.0' }, { limit: '1.5.0' }],
    yes: ['1.0.0', '1.4.9'],
    no: ['1.5.0', '2.0.0', '0.9.0'],
  },
  {
    why: 'a version below any of several limits is affected',
    events: [{ introduced: '0' }, { limit: '1.5.0' }, { limit: '1.0.0' }],
    yes: ['0.1.0', '1.4.9'],
    no: ['1.5.0'],
  },
  {
    why: 'the limit * is no limit',
    events: [{ introduced: '0' }, { limit: '*' }, { limit: '1.0.0' }],
    yes: ['9.0.0'],
    no: [],
  },
  {
    why: 'an invalid limit is ignored',
    events: [{ introduced: '0' }, { limit: 'soon' }, { limit: '1.0.0' }],
    yes: ['9.0.0'],
    no: [],
  },
  {
    why: 'a limit applies beside an invalid end',
    events: [{ introduced: '0' }, { fixed: 'soon' }, { limit: '1.0.0' }],
    yes: ['0.9.0'],
    no: ['1.0.0', '2.0.0'],
  },
  {
    why: 'listed versions are affected in addition to ranges',
    events: [{ introduced: '1.0.0' }, { fixed: '1.2.0' }],
    versions: ['0.3.0', '2.0.0'],
    yes: ['0.3.0', '1.1.0', '2.0.0'],
    no: ['0.3.1', '0.2.9', '1.2.0', '2.0.1'],
  },
  {
    why: 'an invalid end leaves the range open',
    events: [{ introduced: '1.0.0' }, { fixed: 'soon' }],
    yes: ['1.0.0', '99.0.0'],
    no: ['0.9.0'],
  },
  {
    why: 'an invalid start counts as 0',
    events: [{ introduced: 'forever' }, { fixed: '1.0.0' }],
    yes: ['0.0.1'],
    no: ['1.0.0'],
  },
  {
    why: 'PyPI: spellings, epochs, post- and dev-releases follow PEP 440',
    registry: 'PyPI',
    events: [{ introduced: '1.0' }, { fixed: '1.4' }],
    versions: ['2.0rc1'],
    yes: ['1.0.0', '1.3.post1', '1.4.dev1', '2.0.rc1', 'v1.1'],
    no: ['1.0.dev1', '1.4.0', '2.0', '1!1.2'],
  },
  {
    why: 'PyPI: a version with a local label is affected like the version that it builds',
    registry: 'PyPI',
    events: [{ introduced: '1.0' }, { last_affected: '1.4' }],
    versions: ['1.13.0', '2.0+fork'],
    yes: ['1.13.0+cu117', '1.13+cpu', '1.4+cu117', '1.0+a', '2.0+fork'],
    no: ['1.5+cu117', '1.13.1+cu117', '0.9+a', '2.0', '2.0+other'],
  },
  {
    why: 'Maven: qualifiers are ordered',
    registry: 'Maven',
    events: [{ introduced: '2.0-beta9' }, { fixed: '2.15.0' }],
    yes: ['2.0-rc1', '2.14.1', '2.15.0-SNAPSHOT'],
    no: ['2.0-alpha1', '2.15.0', '2.15.0.Final', '1.9'],
  },
  {
    why: 'RubyGems: versions with letters are pre-releases',
    registry: 'RubyGems',
    events: [{ introduced: '2.4.a' }, { fixed: '2.4.5' }],
    yes: ['2.4.0.rc1', '2.4.4'],
    no: ['2.3.9', '2.4.5'],
  },
  {
    why: 'Go: advisories omit the v, and pseudo-versions are pre-releases',
    registry: 'Go',
    events: [{ introduced: '0' }, { fixed: '0.0.0-20220314234659-1baeb1ce4c0b' }],
    yes: ['v0.0.0-20211215153901-e495a2d5b3d3'],
    no: ['v0.0.0-20220314234659-1baeb1ce4c0b', 'v0.1.0', 'v2.0.0+incompatible'],
  },
  {
    why: 'Pub gives builds an order',
    registry: 'Pub',
    events: [{ introduced: '0' }, { fixed: '1.0.0+2' }],
    yes: ['1.0.0-dev', '1.0.0', '1.0.0+1'],
    no: ['1.0.0+2', '1.0.0+10', '1.0.1-dev'],
  },
  {
    why: 'Hex ignores builds',
    registry: 'Hex',
    events: [{ introduced: '1.2.0' }, { fixed: '1.3.0' }],
    yes: ['1.2.0+otp', '1.3.0-rc.1'],
    no: ['1.2.0-rc.1', '1.3.0+otp', '1.3'],
  },
]

for (const { why, registry = 'npm', events, versions = [], yes, no } of golden) {
  test(`matching: ${why}`, () => {
    const only = record('GHSA-1', { affected: [affecting(registry, 'a', events, versions)] })
    const compiled = compile([only])
    const answers = (list: string[]) => list.filter((version) => compiled.affecting(registry, 'a', version).length > 0)
    assert.deepEqual({ yes: answers(yes), no: answers(no) }, { yes, no: [] })
    const naive = (version: string) => isAffected(only, { registry, name: 'a', version, scheme: schemes[registry] })
    assert.deepEqual({ yes: yes.filter(naive), no: no.filter(naive) }, { yes, no: [] })
  })
}

test('matching: GIT ranges, withdrawn records and other packages match nothing', () => {
  const git = { package: { ecosystem: 'npm', name: 'a' }, ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] }
  const { affecting: ask } = compile([
    record('GHSA-1', { affected: [git] }),
    record('GHSA-2', { affected: [affecting('npm', 'a', [{ introduced: '0' }])], withdrawn: '2024-02-01T00:00:00Z' }),
    record('GHSA-3', { affected: [affecting('npm', 'b', [{ introduced: '0' }])] }),
    record('GHSA-4', { affected: [affecting('PyPI', 'a', [{ introduced: '0' }])] }),
  ])
  assert.deepEqual(ask('npm', 'a', '1.0.0'), [])
  assert.deepEqual(ask('npm', 'b', '1.0.0'), [['GHSA-3']])
  assert.deepEqual(ask('npm', 'unheard-of', '1.0.0'), [])
  assert.deepEqual(ask('npm', '__proto__', '1.0.0'), [])
})

test('matching: commits named by GIT ranges match in Go only, and no other versions of those ranges', () => {
  const [first, last, fixed] = ['a', 'b', 'c'].map((digit) => digit.repeat(40))
  const events = [{ introduced: '0' }, { fixed: fixed! }, { introduced: first! }, { last_affected: last! }]
  const gitRange = { type: 'GIT', repo: 'https://code.example/a', events }
  const entry = (ecosystem: string) => ({ package: { ecosystem, name: 'code.example/a' }, ranges: [gitRange] })
  const both = affecting('Go', 'code.example/a', [{ introduced: '1.0.0' }, { fixed: '1.2.0' }])
  const { affecting: ask, compiled } = compile([
    record('GO-1', { affected: [entry('Go'), both] }),
    record('GHSA-1', { affected: [entry('npm')] }),
  ])
  const matchCommit = (hash: string) => ask('Go', commitName('code.example/a', hash), COMMIT_VERSION)
  assert.deepEqual([first!, last!, fixed!, '0'].map(matchCommit), [[['GO-1']], [['GO-1']], [], []])
  assert.deepEqual(ask('npm', commitName('code.example/a', first!), COMMIT_VERSION), [])
  assert.deepEqual(ask('Go', 'code.example/a', 'v1.1.0'), [['GO-1']])
  assert.deepEqual(ask('Go', 'code.example/a', 'v0.0.0'), [])
  assert.equal(compiled.registries.Go?.packages, 1)
})

test('against: returns all vulnerabilities that affect any version of a package', () => {
  const { snapshot } = compile([
    record('GHSA-1', { affected: [affecting('npm', 'a', [{ introduced: '1.0.0' }, { fixed: '1.2.0' }])] }),
    record('GHSA-2', { affected: [affecting('npm', 'a', [{ introduced: '3.0.0' }])] }),
    record('GHSA-3', { affected: [affecting('npm', 'a', [{ fixed: '3.0.0' }])] }),
    record('GHSA-4', { affected: [affecting('npm', 'b', [{ introduced: '0' }])] }),
    record('GHSA-5', { affected: [affecting('npm', 'a', [], ['0.1.0'])] }),
  ])
  assert.equal(snapshot.against('npm', 'a').length, 3)
  assert.deepEqual(snapshot.against('npm', 'c'), [])
})

test('matching: PyPI names are normalized on both sides, npm names are exact', () => {
  const { affecting: ask } = compile([
    record('PYSEC-1', { affected: [affecting('PyPI', 'Zope.Interface', [{ introduced: '0' }])] }),
    record('GHSA-1', { affected: [affecting('npm', 'JSONStream', [{ introduced: '0' }])] }),
  ])
  assert.deepEqual(ask('PyPI', 'zope_interface', '1'), [['PYSEC-1']])
  assert.deepEqual(ask('npm', 'JSONStream', '1.0.0'), [['GHSA-1']])
  assert.deepEqual(ask('npm', 'jsonstream', '1.0.0'), [])
})

test('matching: several entries of one record for one package give one match', () => {
  const { affecting: ask } = compile([
    record('GHSA-1', {
      affected: [
        affecting('npm', 'a', [{ introduced: '1.0.0' }, { fixed: '1.2.0' }]),
        affecting('npm', 'a', [{ introduced: '1.1.0' }, { fixed: '3.0.0' }], ['1.1.5']),
      ],
    }),
  ])
  assert.deepEqual(ask('npm', 'a', '1.1.5'), [['GHSA-1']])
  assert.deepEqual(ask('npm', 'a', '2.0.0'), [['GHSA-1']])
})

test('matching: aliased records are one vulnerability, led by the first record that matches', () => {
  const all = [{ introduced: '0' }]
  const { affecting: ask } = compile([
    record('PYSEC-9', { aliases: ['CVE-1'], affected: [affecting('PyPI', 'a', all)] }),
    record('ZZZ-1', { aliases: ['CVE-1', 'CVE-2'], affected: [affecting('PyPI', 'a', all)] }),
    record('GHSA-5', { aliases: ['CVE-2'], affected: [affecting('PyPI', 'a', [{ introduced: '2.0' }])] }),
    record('GHSA-7', { affected: [affecting('PyPI', 'a', all)] }),
    record('AAA-1', { aliases: ['CVE-1'], affected: [affecting('PyPI', 'b', all)] }),
  ])
  assert.deepEqual(ask('PyPI', 'a', '2.1'), [['GHSA-5', 'PYSEC-9', 'ZZZ-1'], ['GHSA-7']])
  assert.deepEqual(ask('PyPI', 'a', '1.0'), [['GHSA-7'], ['PYSEC-9', 'GHSA-5', 'ZZZ-1']])
  assert.deepEqual(ask('PyPI', 'b', '1.0'), [['AAA-1']])
})

test('matching: aliased records appear once, also with other or several ranges', () => {
  const ranges = [{ introduced: '0' }, { fixed: '1.0' }, { introduced: '2.0' }]
  const { affecting: ask } = compile([
    record('GHSA-1', { aliases: ['CVE-1'], affected: [affecting('PyPI', 'a', [{ introduced: '0' }])] }),
    record('PYSEC-1', { aliases: ['CVE-1'], affected: [affecting('PyPI', 'a', [{ fixed: '1.0' }])] }),
    record('PYSEC-2', { aliases: ['CVE-1'], affected: [affecting('PyPI', 'a', ranges)] }),
  ])
  assert.deepEqual(ask('PyPI', 'a', '1.5'), [['GHSA-1', 'PYSEC-1', 'PYSEC-2']])
})

test('matching: a name matches only as a whole', () => {
  const { affecting: ask } = compile([
    record('GHSA-1', { affected: [affecting('npm', 'left', [{ introduced: '0' }])] }),
  ])
  const others = ['', 'l', 'le', 'lef', 'left-', 'left-pad']
  for (const letter of 'abcdefgh') others.push(`${letter}eft`, `lef${letter}`)
  for (const name of others) assert.deepEqual(ask('npm', name, '1.0.0'), [], name)
})

test('compile: among records with one id, the newest counts', () => {
  const old = record('GHSA-1', { affected: [affecting('npm', 'a', [{ introduced: '0' }])] })
  const young = { ...old, modified: '2024-06-01T00:00:00Z', affected: [affecting('npm', 'b', [{ introduced: '0' }])] }
  for (const order of [
    [old, young],
    [young, old],
  ]) {
    const { affecting: ask, compiled } = compile(order)
    assert.deepEqual(ask('npm', 'a', '1.0.0'), [])
    assert.deepEqual(ask('npm', 'b', '1.0.0'), [['GHSA-1']])
    assert.deepEqual(compiled.registries, {
      npm: { records: 1, packages: 1, newestModified: '2024-06-01T00:00:00.000Z' },
    })
  }
})

test('compile: the order of records changes only the places of their details', () => {
  const records = ['GHSA-3', 'GHSA-1', 'GHSA-2'].map((id, index) =>
    record(id, { aliases: ['CVE-1'], affected: [affecting('npm', 'a', [{ introduced: `${index}.0.0` }])] }),
  )
  const places = new Set(['detailStart'])
  const comparable = (records: OsvRecord[]) =>
    Object.entries(compile(records).index).filter(([section]) => !places.has(section))
  assert.deepEqual(comparable(records), comparable(records.toReversed()))
})

test('findRecord: finds records by id', () => {
  const { index } = compile(['GHSA-2', 'CVE-1', 'GO-1'].map((id) => record(id)))
  assert.deepEqual(
    ['CVE-1', 'GHSA-2', 'GO-1', 'GHSA-1', 'AAA', 'ZZZ', ''].map((id) => findRecord(index, id)),
    [0, 1, 2, undefined, undefined, undefined, undefined],
  )
})

test('matching: a Go path also matches in lower case on hosts that ignore case', () => {
  const { affecting: ask, compiled } = compile(
    ['github.com/Azure/sdk', 'k8s.io/Acme'].map((name, at) =>
      record(`GO-${at}`, { affected: [affecting('Go', name, [{ introduced: '0' }])] }),
    ),
  )
  const countMatches = (name: string) => ask('Go', name, 'v1.0.0').length
  assert.deepEqual(
    ['github.com/Azure/sdk', 'github.com/azure/sdk', 'k8s.io/Acme', 'k8s.io/acme'].map(countMatches),
    [1, 1, 1, 0],
  )
  assert.equal(compiled.registries.Go?.packages, 2)
})

test('compile: bounds that are not versions are counted and listed', () => {
  const { compiled } = compile([
    record('GHSA-1', { affected: [affecting('npm', 'a', [{ introduced: '0' }, { fixed: 'soon' }, { limit: '*' }])] }),
  ])
  assert.deepEqual(compiled.unreadableBounds, { count: 1, examples: ['GHSA-1: npm a fixed soon'] })
})

test('matching: the packages of every registry are found beside those of all others', () => {
  const all = Object.keys(schemes) as Registry[]
  const events = [{ introduced: '0' }]
  const { affecting: find } = compile(
    all.map((registry) => record(`GHSA-${registry}`, { affected: [affecting(registry, 'git.example/a/b', events)] })),
  )
  for (const registry of all) assert.deepEqual(find(registry, 'git.example/a/b', '1.0.0'), [[`GHSA-${registry}`]])
})

test('SwiftURL: an advisory finds its repository by any form of the address', () => {
  const events = [{ introduced: '0' }, { fixed: '1.2.0' }]
  const { affecting: find } = compile([
    record('GHSA-1', { affected: [affecting('SwiftURL', 'git.example/Owner/Kit', events)] }),
  ])
  for (const name of ['git.example/owner/kit', 'https://git.example/Owner/Kit.git', 'git@git.example:owner/Kit.git'])
    assert.deepEqual([find('SwiftURL', name, '1.1.0'), find('SwiftURL', name, '1.2.0')], [[['GHSA-1']], []], name)
})

test('an empty snapshot matches nothing and finds no record', () => {
  const { affecting: ask, index } = compile([])
  assert.deepEqual(ask('npm', 'a', '1.0.0'), [])
  assert.deepEqual([findRecord(index, 'GHSA-1'), findRecord(index, '')], [undefined, undefined])
})

const pools: Partial<Record<Registry, string[]>> = {
  npm: [
    '0.0.0',
    '0.1.0-a.1',
    '0.1.0',
    '1.0.0-rc.1',
    '1.0.0-rc.2',
    '1.0.0',
    'v1.0.0',
    '1.0.0+b1',
    '1.2.3',
    '1.2.4-0',
    '1.10.0',
    '2.0.0',
    '10.0.0',
    'x',
    'latest',
    '01.2.3',
  ],
  PyPI: [
    '0',
    '0.1',
    '1.0',
    '1.0.0',
    '1.0a1',
    '1.0rc1',
    '1.0.post1',
    '1.0.dev0',
    '1.0+local',
    '1!0.1',
    '1.10',
    '2',
    '2.0rc1',
    '2019.1.1',
    'bad version',
    'v1.0',
  ],
  RubyGems: [
    '0',
    '0.1',
    '1.0',
    '1.0.0',
    '1.0.a',
    '1.0.rc1',
    '1.0.0.1',
    '1.10',
    '1.9.9',
    '2.0.0.pre',
    '2',
    '2.a',
    '10',
    '1-1',
    '',
  ],
  Maven: [
    '0',
    '1',
    '1.0',
    '1.0.0',
    '1.0-alpha',
    '1.0-SNAPSHOT',
    '1.0-rc1',
    '1.0.Final',
    '1.0-sp1',
    '1.10',
    '1.9',
    '2.0.0.RELEASE',
    '2-jre8',
    'foo',
    '2.0-beta9',
  ],
  Go: [
    '0.0.0-20190101000000-abcdefabcdef',
    '0.0.0-20200101000000-abcdefabcdef',
    'v0.1.0',
    '0.1.0',
    '1.0.0-rc.1',
    '1.0.0',
    'v1.0.0+incompatible',
    '1.2.3',
    '1.10.0',
    'v2.0.0',
    '2',
    'v1.2',
    'master',
    '',
  ],
}

for (const registry of Object.keys(pools) as Registry[]) {
  test(`${registry}: matching equals direct evaluation on random records`, () => {
    const version = fc.constantFrom(...pools[registry]!.filter((text) => text !== ''))
    const event: fc.Arbitrary<OsvEvent> = fc.oneof(
      fc.oneof(version, fc.constant('0')).map((introduced) => ({ introduced })),
      version.map((fixed) => ({ fixed })),
      version.map((last_affected) => ({ last_affected })),
      fc
        .oneof({ weight: 4, arbitrary: version }, { weight: 1, arbitrary: fc.constant('*') })
        .map((limit) => ({ limit })),
    )
    const weighted = fc.array(
      fc.oneof({ weight: 1, arbitrary: event }, { weight: 3, arbitrary: event.filter((e) => e.limit === undefined) }),
      { maxLength: 6 },
    )
    const entry = fc.record({
      package: fc.constantFrom('a', 'b').map((name) => ({ ecosystem: registry, name })),
      ranges: fc.array(fc.record({ type: fc.constantFrom('SEMVER', 'ECOSYSTEM', 'GIT'), events: weighted }), {
        maxLength: 2,
      }),
      versions: fc.array(version, { maxLength: 2 }),
    })
    const affected = fc.array(entry, { maxLength: 3 })
    fc.assert(
      fc.property(fc.array(affected, { minLength: 1, maxLength: 5 }), (entries) => {
        const records = entries.map((entry, index) => record(`GHSA-${index}`, { affected: entry }))
        const { affecting: ask } = compile(records)
        for (const name of ['a', 'b']) {
          for (const version of pools[registry]!) {
            const query = { registry, name, version: version, scheme: schemes[registry] }
            const expected = records.filter((osvRecord) => isAffected(osvRecord, query)).map(({ id }) => [id])
            assert.deepEqual(ask(registry, name, version), expected, `${name} ${version}`)
          }
        }
      }),
      { numRuns: volume(200), seed: 20_240_601 },
    )
  })
}
