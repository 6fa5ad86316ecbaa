import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { volume } from '#test/volume.ts'
import { BadRecord, parseRecord } from './parse-record.ts'

const minimal = { id: 'GHSA-1', modified: '2024-01-01T00:00:00Z' }
const npm = { ecosystem: 'npm', name: 'left-pad' }

function parse(record: object) {
  return parseRecord(JSON.stringify(record))
}

test('parseRecord: keeps the members in use and drops the rest', () => {
  const record = parse({
    schema_version: '1.6.0',
    ...minimal,
    modified: '2026-07-08T06:27:00.690079200Z',
    published: '2023-05-01T00:00:00Z',
    aliases: ['CVE-2023-1', 'not an id', 7],
    related: ['CVE-2020-1'],
    summary: 'Pads too far',
    details: 'Long story.',
    severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N' }, { type: 'CVSS_V3' }],
    references: [
      { type: 'WEB', url: 'https://advisories.example/1' },
      { type: 'WEB', url: 'javascript:alert(1)' },
    ],
    credits: [{ name: 'Ada', contact: ['mailto:ada@people.example'], type: 'FINDER' }, { name: '' }],
    database_specific: {
      severity: 'HIGH',
      cwe_ids: ['CWE-79', 'CWE-nothing'],
      github_reviewed: true,
      nvd_published_at: '2023-04-30T21:15:00Z',
    },
    affected: [
      {
        package: { ...npm, purl: 'pkg:npm/left-pad' },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.2.0' }], database_specific: {} }],
        versions: ['1.0.0'],
        ecosystem_specific: {
          affected_functions: ['pad', 7],
          imports: [{ path: 'left/pad', symbols: ['Pad', ''], goos: ['linux'] }, { path: 'left' }],
        },
        database_specific: { source: 'x', last_known_affected_version_range: '<= 1.1.9' },
      },
    ],
  })
  assert.deepEqual(record, {
    id: 'GHSA-1',
    modified: '2026-07-08T06:27:00.690079200Z',
    published: '2023-05-01T00:00:00Z',
    aliases: ['CVE-2023-1'],
    summary: 'Pads too far',
    details: 'Long story.',
    severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N' }],
    affected: [
      {
        package: npm,
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.2.0' }] }],
        versions: ['1.0.0'],
        database_specific: { last_known_affected_version_range: '<= 1.1.9' },
        ecosystem_specific: {
          imports: [{ path: 'left/pad', symbols: ['Pad'] }],
          affected_functions: ['pad'],
          packages: ['left/pad', 'left'],
        },
      },
    ],
    references: [{ type: 'WEB', url: 'https://advisories.example/1' }],
    credits: [{ name: 'Ada' }],
    database_specific: { severity: 'HIGH', cwe_ids: ['CWE-79'], nvd_published_at: '2023-04-30T21:15:00Z' },
  })
})

test('parseRecord: accepts ecosystems with a suffix and drops unknown ecosystems', () => {
  const affected = ['Maven:https://repository.example/releases', 'Debian:12', 'Bitnami', 'Go', 'npm', 'NPM'].map(
    (ecosystem) => ({ package: { ecosystem, name: 'a:b' } }),
  )
  assert.deepEqual(
    parse({ ...minimal, affected }).affected.map((entry) => entry.package.ecosystem),
    ['Maven', 'Go', 'npm'],
  )
})

test('parseRecord: drops entries with commits only; a record may have no entries', () => {
  const gitOnly = { ranges: [{ type: 'GIT', repo: 'https://code.example/a', events: [{ introduced: '0' }] }] }
  assert.deepEqual(parse({ ...minimal, affected: [gitOnly] }).affected, [])
  assert.deepEqual(parse(minimal).affected, [])
})

test('parseRecord: splits an event with several members', () => {
  const range = { type: 'SEMVER', events: [{ introduced: '1.0.0', fixed: '1.2.0' }] }
  const [entry] = parse({ ...minimal, affected: [{ package: npm, ranges: [range] }] }).affected
  assert.deepEqual(entry?.ranges?.[0]?.events, [{ introduced: '1.0.0' }, { fixed: '1.2.0' }])
})

const withEntry = (entry: unknown) => ({ ...minimal, affected: [entry] })
const withEvents = (events: unknown) => withEntry({ package: npm, ranges: [{ type: 'SEMVER', events }] })

const refusals: { why: string; text: string; message: RegExp }[] = [
  { why: 'text that is not JSON', text: '<html>', message: /^not JSON/ },
  { why: 'truncated JSON', text: '{"id":"GHSA-1","modified":', message: /^not JSON/ },
  { why: 'an array', text: '[]', message: /the record is not an object/ },
  { why: 'null', text: 'null', message: /the record is not an object/ },
  { why: 'a hundred thousand brackets', text: '['.repeat(100_000), message: /^not JSON/ },
  ...(
    [
      ['no id', { modified: minimal.modified }, /^id is not a text/],
      ['an id that is a path', { ...minimal, id: '../../etc/passwd' }, /^id is not an identifier/],
      ['an id with a line break', { ...minimal, id: 'GHSA-1\nx' }, /^id is not an identifier/],
      ['an inherited id', { __proto__: minimal }, /^id is not a text/],
      ['a long id', { ...minimal, id: 'G'.repeat(129) }, /^id is longer than 128/],
      ['no modified', { id: 'GHSA-1' }, /^modified is not a text/],
      ['a modified that is not a time', { ...minimal, modified: 'yesterday' }, /^modified is not a time/],
      ['a published that is not a time', { ...minimal, published: '2024-99-99T00:00:00Z' }, /^published is not a time/],
      ['affected as an object', { ...minimal, affected: {} }, /^affected is not an array/],
      ['too many entries', { ...minimal, affected: Array(20_001).fill({}) }, /^affected has more than 20000/],
      ['an entry that is a text', withEntry('npm'), /^affected\[0\] is not an object/],
      ['a package without a name', withEntry({ package: { ecosystem: 'npm' } }), /package\.name is not a text/],
      ['a package without an ecosystem', withEntry({ package: { name: 'a' } }), /package\.ecosystem is not a text/],
      ['a long name', withEntry({ package: { ...npm, name: 'a'.repeat(513) } }), /package\.name is longer than/],
      ['ranges as a text', withEntry({ package: npm, ranges: '<1' }), /ranges is not an array/],
      ['a range without events', withEntry({ package: npm, ranges: [{ type: 'SEMVER' }] }), /events is not an array/],
      ['an event without a known member', withEvents([{}]), /events\[0\] has none of/],
      ['an event with a number', withEvents([{ introduced: 0 }]), /introduced is not a text/],
      ['a long version', withEvents([{ fixed: '1'.repeat(257) }]), /fixed is longer than 256/],
      ['too many events', withEvents(Array(20_001).fill({ introduced: '0' })), /events has more than 20000/],
      ['versions with a number', withEntry({ package: npm, versions: [1] }), /versions\[0\] is not a text/],
    ] as [string, object, RegExp][]
  ).map(([why, record, message]) => ({ why, text: JSON.stringify(record), message })),
]

for (const { why, text, message } of refusals) {
  test(`parseRecord: refuses ${why}`, () =>
    assert.throws(
      () => parseRecord(text),
      (error) => error instanceof BadRecord && message.test(error.message),
    ))
}

test('parseRecord: members named like inherited ones have no effect', () => {
  const text =
    '{"id":"GHSA-1","modified":"2024-01-01T00:00:00Z","__proto__":{"withdrawn":"2024-01-01T00:00:00Z"},"constructor":{"x":1},"affected":[{"package":{"ecosystem":"npm","name":"__proto__"},"versions":["1.0.0"]}]}'
  const record = parseRecord(text)
  assert.equal(record.withdrawn, undefined)
  assert.equal(record.affected[0]?.package.name, '__proto__')
  assert.equal(({} as Record<string, unknown>)['withdrawn'], undefined)
})

test('parseRecord: cuts long prose between characters', () => {
  const record = parse({ ...minimal, summary: `${'a'.repeat(999)}😀b`, details: 'd'.repeat(1_000_000) })
  assert.equal(record.summary, `${'a'.repeat(999)}…`)
  assert.equal(record.details?.length, 128 * 1024 + 1)
})

const entryOf = (entry: object) => parse(withEntry({ package: npm, ...entry })).affected[0]!

test('parseRecord: drops empty members', () => {
  const empty = { aliases: [], severity: [], references: [], credits: [], summary: '', details: '' }
  const record = { ...minimal, ...empty, database_specific: { cwe_ids: [], severity: '' } }
  const entry = {
    package: npm,
    ranges: null,
    versions: null,
    severity: [],
    database_specific: {},
    ecosystem_specific: [],
  }
  assert.deepEqual(parse({ ...record, affected: [entry] }), { ...minimal, affected: [{ package: npm }] })
  assert.deepEqual(parse({ ...minimal, database_specific: null, affected: null }), { ...minimal, affected: [] })
})

test("parseRecord: reads functions from either database's member, also without imports", () => {
  const functions = { affected_functions: ['pad'] }
  for (const member of ['ecosystem_specific', 'database_specific']) {
    assert.deepEqual(entryOf({ [member]: functions }).ecosystem_specific, functions)
  }
  const imports = [{ path: 'left', symbols: ['Pad'] }]
  assert.deepEqual(entryOf({ ecosystem_specific: { imports } }).ecosystem_specific, { imports, packages: ['left'] })
})

test('parseRecord: keeps import paths only if all are non-empty strings', () => {
  const pathsOf = (...imports: unknown[]) => entryOf({ ecosystem_specific: { imports } }).ecosystem_specific?.packages
  assert.deepEqual(pathsOf({ path: 'a' }, { path: 'b' }), ['a', 'b'])
  for (const other of [{ path: '' }, { path: 7 }, {}, 'c', null]) assert.equal(pathsOf({ path: 'a' }, other), undefined)
  assert.equal(pathsOf(), undefined)
})

test('parseRecord: keeps severities of an entry and ignores members that are not objects', () => {
  const severity = [{ type: 'CVSS_V3', score: 'x' }]
  assert.deepEqual(entryOf({ severity }).severity, severity)
  for (const other of [7, 'text', true, null, [{ affected_functions: ['f'] }]]) {
    const members = { ecosystem_specific: other, database_specific: other }
    assert.deepEqual(entryOf(members), { package: npm })
    assert.deepEqual(parse({ ...minimal, database_specific: other }), { ...minimal, affected: [] })
  }
})

test('parseRecord: drops entries without a package', () => {
  assert.deepEqual(parse({ ...minimal, affected: [{}, { package: null }] }).affected, [])
})

test('parseRecord: drops list items that are not objects', () => {
  const credits = [null, 'Ada', 7, ['Ada'], { name: 'Ada' }]
  assert.deepEqual(parse({ ...minimal, credits }).credits, [{ name: 'Ada' }])
})

test('parseRecord: keeps a publication time of NVD if it is a time', () => {
  const timeOf = (nvd_published_at: unknown) => parse({ ...minimal, database_specific: { nvd_published_at } })
  assert.equal(timeOf('2023-04-30T21:15:00Z').database_specific?.nvd_published_at, '2023-04-30T21:15:00Z')
  for (const other of ['soon', '', 7, null]) assert.equal(timeOf(other).database_specific, undefined)
})

test('parseRecord: a refusal quotes at most 120 characters of the JSON error', () => {
  const quoted = (error: unknown) => error instanceof BadRecord && /^not JSON: .{20,120}$/s.test(error.message)
  assert.throws(() => parseRecord('{"a": x}'), quoted)
  assert.throws(() => parseRecord(`{"${'a'.repeat(400)}": x}`), quoted)
})

test('parseRecord: keeps references with an http or https URL; their default type is WEB', () => {
  const references = [
    { url: 'HTTPS://a.example/' },
    { type: 'FIX', url: 7 },
    { type: 'FIX', url: 'ftp://a.example/' },
    'x',
  ]
  assert.deepEqual(parse({ ...minimal, references }).references, [{ type: 'WEB', url: 'HTTPS://a.example/' }])
})

test('parseRecord: drops severities without a type or score', () => {
  const severity = [{ type: 'CVSS_V3', score: 7 }, { type: 3, score: 'x' }, null, { type: 'CVSS_V4', score: 'y' }]
  assert.deepEqual(parse({ ...minimal, severity }).severity, [{ type: 'CVSS_V4', score: 'y' }])
})

test('parseRecord: keeps events of every kind', () => {
  const events = [{ introduced: '1' }, { fixed: '2' }, { last_affected: '3' }, { limit: '4' }]
  assert.deepEqual(entryOf({ ranges: [{ type: 'ECOSYSTEM', events }] }).ranges?.[0]?.events, events)
})

test('parseRecord: accepts a byte order mark', () => {
  assert.equal(parseRecord(`\uFEFF${JSON.stringify(minimal)}`).id, 'GHSA-1')
})

test('parseRecord: a refusal names the member', () => {
  const refused: [record: object, message: RegExp][] = [
    [{ ...minimal, withdrawn: 'soon' }, /^withdrawn is not a time$/],
    [{ ...minimal, published: 5 }, /^published is not a text$/],
    [withEntry({ package: 'npm' }), /^affected\[0\]\.package is not an object$/],
    [withEntry({ package: npm, ranges: [{ events: [] }] }), /^affected\[0\]\.ranges\[0\]\.type is not a text$/],
    [withEntry({ package: npm, ranges: ['x'] }), /^affected\[0\]\.ranges\[0\] is not an object$/],
    [withEvents(['x']), /^affected\[0\]\.ranges\[0\]\.events\[0\] is not an object$/],
    [withEntry({ package: npm, versions: '1' }), /^affected\[0\]\.versions is not an array$/],
  ]
  for (const [record, message] of refused) assert.throws(() => parse(record), { message })
})

test('parseRecord: refuses a text above the size limit', () => {
  assert.throws(() => parseRecord(' '.repeat(16 * 1024 * 1024 + 1)), /^BadRecord|larger than/)
})

test('parseRecord: random JSON gives a record that parses again, or a short refusal', () => {
  const junk = fc.jsonValue({ maxDepth: 3 })
  const shaped = fc.record(
    {
      id: fc.oneof(junk, fc.constant('GHSA-1')),
      modified: fc.oneof(junk, fc.constant(minimal.modified)),
      aliases: junk,
      severity: junk,
      references: junk,
      credits: junk,
      database_specific: junk,
      affected: fc.oneof(
        junk,
        fc.array(fc.record({ package: fc.oneof(junk, fc.constant(npm)), ranges: junk, versions: junk })),
      ),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(junk, shaped), (value) => {
      try {
        const record = parseRecord(JSON.stringify(value))
        assert.deepEqual(parseRecord(JSON.stringify(record)), record)
      } catch (error) {
        if (!(error instanceof BadRecord)) throw error
        assert.ok(error.message.length < 300)
      }
    }),
    { numRuns: volume(2000), seed: 3 },
  )
})
