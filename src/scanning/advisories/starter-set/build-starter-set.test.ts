import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OsvAffected, OsvEvent, OsvRecord } from '#analysis/advisories/osv.ts'
import {
  type FindSource,
  isNearlyEqual,
  parseTitles,
  Refused,
  type TitleRow,
  toStarterRecord,
} from '../../../../tools/build-starter-set.ts'

describe('parseTitles', () => {
  const row = 'npm\tGHSA-1\t=\tA title of ours'

  it('parseTitles: reads rows, comments and the short form for facts', () => {
    assert.deepEqual(parseTitles(`# registry\tid\n\n${row}\nGo\tGHSA-2\tGO-1\tAnother title\n`), [
      { registry: 'npm', id: 'GHSA-1', facts: 'GHSA-1', title: 'A title of ours' },
      { registry: 'Go', id: 'GHSA-2', facts: 'GO-1', title: 'Another title' },
    ])
  })

  const refused: [string, string, RegExp][] = [
    ['an unknown registry', 'Bitnami\tGHSA-1\t=\tA title', /line 1/],
    ['a missing cell', 'npm\tGHSA-1\tA title', /line 1/],
    ['an empty title', 'npm\tGHSA-1\t=\t ', /line 1/],
    ['a long title', `npm\tGHSA-1\t=\t${'x'.repeat(121)}`, /longer than 120/],
    ['an id twice', `${row}\nnpm\tGHSA-1\t=\tAnother`, /id "GHSA-1" is there twice/],
    ['a title twice', `${row}\nnpm\tGHSA-2\t=\tA title of ours`, /title "A title of ours" is there twice/],
  ]
  for (const [what, text, message] of refused) {
    it(`parseTitles: refuses ${what}`, () => assert.throws(() => parseTitles(text), isRefused(message)))
  }
})

describe('toStarterRecord', () => {
  const row: TitleRow = { registry: 'npm', id: 'GHSA-1', facts: 'GHSA-1', title: 'Deep merge reaches prototypes' }
  const entry: OsvAffected = {
    package: { ecosystem: 'npm', name: 'left' },
    ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.2.0' }] }],
  }
  const source: OsvRecord = { id: 'GHSA-1', modified: '2020-01-02T03:04:05Z', affected: [entry] }
  const nothing = { records: [], replaces: {}, ratings: [] }
  const from =
    (...records: OsvRecord[]): FindSource =>
    (_, id) =>
      records.find((record) => record.id === id)

  it('toStarterRecord: keeps facts; drops texts, links, credits and other registries', () => {
    const full = {
      ...source,
      schema_version: '1.7.0',
      published: '2020-01-01T00:00:00Z',
      aliases: ['GLAD-CVE-2020-1', 'CVE-2020-1'],
      summary: 'Something else',
      details: 'A long description.',
      references: [{ type: 'WEB', url: 'https://example.test' }],
      credits: [{ name: 'Somebody' }],
      severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N', source: 'x' }],
      database_specific: { severity: 'HIGH', cwe_ids: ['CWE-1321'], github_reviewed: true },
      affected: [
        { ...entry, package: { ...entry.package, purl: 'pkg:npm/left' }, database_specific: { source: 'x' } },
        { package: { ecosystem: 'Bitnami', name: 'left' }, versions: ['1.0.0'] },
      ],
    } as unknown as OsvRecord
    assert.deepEqual(toStarterRecord(row, nothing, from(full)), {
      id: 'GHSA-1',
      published: '2020-01-01T00:00:00Z',
      modified: '2020-01-02T03:04:05Z',
      aliases: ['CVE-2020-1'],
      summary: row.title,
      severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N' }],
      affected: [entry],
      database_specific: { severity: 'HIGH', cwe_ids: ['CWE-1321'] },
    })
  })

  it('toStarterRecord: keeps affected functions, Go packages and the date of the National Vulnerability Database', () => {
    const imports = [
      { path: 'example.com/left/pad', symbols: ['Pad'], goos: ['linux'] },
      { path: 'example.com/left/whole' },
    ]
    const full = {
      ...source,
      database_specific: { nvd_published_at: '2020-01-01T00:00:00Z', github_reviewed: true },
      affected: [{ ...entry, ecosystem_specific: { imports, affected_functions: ['left.pad'], url: 'x' } }],
    } as unknown as OsvRecord
    const record = toStarterRecord(row, nothing, from(full))
    assert.deepEqual(record.database_specific, { nvd_published_at: '2020-01-01T00:00:00Z' })
    assert.deepEqual(record.affected[0]!.ecosystem_specific, {
      imports: [{ path: 'example.com/left/pad', symbols: ['Pad'] }, { path: 'example.com/left/whole' }],
      affected_functions: ['left.pad'],
    })
  })

  it('toStarterRecord: lists only versions outside the ranges', () => {
    const events: OsvEvent[] = [
      { fixed: '1.2.0' },
      { introduced: '1.0.0' },
      { introduced: '2.0.0' },
      { last_affected: '2.1.0' },
    ]
    const versions = ['0.9.0', '1.0.0', '1.1.9', '1.2.0', '2.0.0', '2.1.0', '2.1.1', 'unreadable']
    const listed = {
      ...entry,
      ranges: [
        { type: 'SEMVER', events },
        { type: 'GIT', events: [{ introduced: '0' }] },
      ],
      versions,
    }
    const [affected] = toStarterRecord(row, nothing, from({ ...source, affected: [listed] })).affected
    assert.deepEqual(affected!.ranges, [{ type: 'SEMVER', events }])
    assert.deepEqual(affected!.versions, ['0.9.0', '1.2.0', '2.1.1', 'unreadable'])
  })

  it("toStarterRecord: takes facts from a record with the id as alias, and the rating from the id's record", () => {
    const other = { ...source, id: 'PYSEC-1', aliases: ['GHSA-1', 'CVE-2020-1'] }
    const same = { ...source, affected: [], database_specific: { severity: 'LOW', cwe_ids: ['CWE-20'] } }
    const record = toStarterRecord({ ...row, facts: 'PYSEC-1' }, nothing, from(other, same))
    assert.deepEqual(record.aliases, ['CVE-2020-1', 'PYSEC-1'])
    assert.deepEqual(record.affected, [entry])
    assert.deepEqual(record.database_specific, { severity: 'LOW', cwe_ids: ['CWE-20'] })
  })

  it('toStarterRecord: fills a missing rating by hand, never overriding the source', () => {
    const severity = [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:L' }]
    const ratings = [{ id: 'GHSA-1', severity, database_specific: { severity: 'CRITICAL', cwe_ids: ['CWE-1'] } }]
    const record = toStarterRecord(
      row,
      { ...nothing, ratings },
      from({ ...source, database_specific: { severity: 'LOW' } }),
    )
    assert.deepEqual(record.severity, severity)
    assert.deepEqual(record.database_specific, { severity: 'LOW', cwe_ids: ['CWE-1'] })
  })

  it('toStarterRecord: drops the placeholder weakness of one source only', () => {
    const withOrigin = (origin: string) => ({
      ...source,
      affected: [{ ...entry, database_specific: { source: origin } }] as unknown as OsvAffected[],
      database_specific: { cwe_ids: ['CWE-22', 'CWE-78'] },
    })
    const weaknesses = (origin: string) =>
      toStarterRecord(row, nothing, from(withOrigin(origin))).database_specific?.cwe_ids
    assert.deepEqual(weaknesses('https://gitlab.example/x'), ['CWE-22'])
    assert.deepEqual(weaknesses('https://github.example/x'), ['CWE-22', 'CWE-78'])
  })

  const byHandRow = { ...row, facts: 'by-hand' }
  it('toStarterRecord: takes a record by hand; replacing a source record requires a reason', () => {
    const byHand = { ...nothing, records: [source], replaces: { 'GHSA-1': 'wrong package' } }
    assert.deepEqual(toStarterRecord(byHandRow, byHand, from(source)).affected, [entry])
    assert.throws(
      () => toStarterRecord(byHandRow, { ...byHand, replaces: {} }, from(source)),
      isRefused(/nothing says why/),
    )
    assert.throws(() => toStarterRecord(byHandRow, byHand, from()), isRefused(/does not have/))
  })

  const other = { ...source, id: 'PYSEC-1' }
  const rating = { id: 'GHSA-1', database_specific: { severity: 'LOW' } }
  const refused: [string, () => unknown, RegExp][] = [
    ['an unknown id', () => toStarterRecord(row, nothing, from()), /no GHSA-1/],
    ['an unknown record by hand', () => toStarterRecord(byHandRow, nothing, from()), /not in by-hand/],
    ['a withdrawn record', () => toStarterRecord(row, nothing, from({ ...source, withdrawn: 'x' })), /withdrawn/],
    [
      'a record of other registries',
      () => toStarterRecord({ ...row, registry: 'Go' }, nothing, from(source)),
      /affects nothing in Go/,
    ],
    [
      'facts that do not name the id',
      () => toStarterRecord({ ...row, facts: 'PYSEC-1' }, nothing, from(other)),
      /does not name/,
    ],
    [
      'facts that name two ids',
      () => toStarterRecord({ ...row, facts: 'PYSEC-1' }, nothing, from({ ...other, aliases: ['GHSA-1', 'GHSA-2'] })),
      /GHSA-1, GHSA-2/,
    ],
    [
      'a rating that is known',
      () =>
        toStarterRecord(
          row,
          { ...nothing, ratings: [rating] },
          from({ ...source, database_specific: { severity: 'HIGH' } }),
        ),
      /adds nothing/,
    ],
    [
      'the title of the source',
      () => toStarterRecord(row, nothing, from({ ...source, summary: 'Prototypes reached by deep merge' })),
      /nearly the summary/,
    ],
    [
      'words of the description',
      () => toStarterRecord(row, nothing, from({ ...source, details: 'It is so: deep merge reaches prototypes.' })),
      /part of the description/,
    ],
  ]
  for (const [what, run, message] of refused) it(`toStarterRecord: refuses ${what}`, () => assert.throws(run, isRefused(message)))
})

describe('isNearlyEqual', () => {
  const cases: [string, string, boolean][] = [
    ['Prototype Pollution in lodash', 'prototype pollution, lodash', true],
    ['Path traversal in tar', 'tar: path traversal on Windows', true],
    ['The', 'of', true],
    ['Prototype pollution through deep merge', 'Prototype Pollution in lodash', false],
    ['Log4Shell: logged text runs foreign code', 'Remote code injection in Log4j', false],
  ]
  for (const [a, b, expected] of cases) it(`isNearlyEqual: ${expected} for "${a}" and "${b}"`, () => assert.equal(isNearlyEqual(a, b), expected))
})

function isRefused(message: RegExp) {
  return (error: unknown) => error instanceof Refused && message.test(error.message)
}
