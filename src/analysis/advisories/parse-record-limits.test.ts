import assert from 'node:assert/strict'
import test from 'node:test'
import { BadRecord, parseRecord } from './parse-record.ts'

const minimal = { id: 'GHSA-1', modified: '2024-01-01T00:00:00Z' }
const npm = { ecosystem: 'npm', name: 'left-pad' }

const parse = (record: object) => parseRecord(JSON.stringify(record))
const entryOf = (entry: object) => parse({ ...minimal, affected: [{ package: npm, ...entry }] }).affected[0]!
const eventsOf = (count: number) => Array(count).fill({ introduced: '0' })

const bounds: [what: string, most: number, read: (size: number) => unknown, refusal: RegExp][] = [
  ['characters of an id', 128, (size) => parse({ ...minimal, id: 'G'.repeat(size) }), /^id is longer than 128 /],
  [
    'characters of a time',
    64,
    (size) => parse({ ...minimal, modified: minimal.modified.replace('Z', `.${'0'.repeat(size - 21)}Z`) }),
    /^modified is longer than 64 /,
  ],
  [
    'characters of a name',
    512,
    (size) => entryOf({ package: { ...npm, name: 'a'.repeat(size) } }),
    /^affected\[0\]\.package\.name is longer than 512 /,
  ],
  [
    'characters of a version',
    256,
    (size) => entryOf({ versions: ['1'.repeat(size)] }),
    /^affected\[0\]\.versions\[0\] is longer than 256 /,
  ],
  [
    'characters of a type',
    32,
    (size) => entryOf({ ranges: [{ type: 'x'.repeat(size), events: eventsOf(1) }] }),
    /^affected\[0\]\.ranges\[0\]\.type is longer than 32 /,
  ],
  [
    'entries',
    20_000,
    (size) => parse({ ...minimal, affected: Array(size).fill({}) }),
    /^affected has more than 20000 /,
  ],
  [
    'ranges',
    2_000,
    (size) => entryOf({ ranges: Array(size).fill({ type: 'GIT', events: [] }) }),
    /^affected\[0\]\.ranges has more than 2000 /,
  ],
  [
    'events',
    20_000,
    (size) => entryOf({ ranges: [{ type: 'GIT', events: eventsOf(size) }] }),
    /^affected\[0\]\.ranges\[0\]\.events has more than 20000 /,
  ],
  [
    'versions',
    200_000,
    (size) => entryOf({ versions: Array(size).fill('1') }),
    /^affected\[0\]\.versions has more than 200000 /,
  ],
  [
    'characters of a record',
    16 * 1024 * 1024,
    (size) => parseRecord(JSON.stringify(minimal).padEnd(size)),
    /^larger than 16777216 /,
  ],
]
for (const [what, most, read, refusal] of bounds) {
  test(`a record may have ${most} ${what}; one more is refused`, () => {
    assert.doesNotThrow(() => read(most))
    assert.throws(
      () => read(most + 1),
      (error) => error instanceof BadRecord && refusal.test(error.message),
    )
  })
}

const cuts: [what: string, most: number, read: (size: number) => number | undefined][] = [
  ['aliases', 1_000, (size) => parse({ ...minimal, aliases: Array(size).fill('A-1') }).aliases?.length],
  [
    'references',
    200,
    (size) => parse({ ...minimal, references: Array(size).fill({ url: 'https://a.example/' }) }).references?.length,
  ],
  ['credits', 100, (size) => parse({ ...minimal, credits: Array(size).fill({ name: 'Ada' }) }).credits?.length],
  [
    'characters of a credit',
    200,
    (size) => parse({ ...minimal, credits: [{ name: 'a'.repeat(size) }] }).credits?.[0]?.name.length,
  ],
  [
    'severities',
    20,
    (size) => parse({ ...minimal, severity: Array(size).fill({ type: 'CVSS_V3', score: 'x' }) }).severity?.length,
  ],
  [
    'weaknesses',
    50,
    (size) =>
      parse({ ...minimal, database_specific: { cwe_ids: Array(size).fill('CWE-79') } }).database_specific?.cwe_ids
        ?.length,
  ],
  [
    'functions',
    500,
    (size) =>
      entryOf({ ecosystem_specific: { affected_functions: Array(size).fill('f') } }).ecosystem_specific
        ?.affected_functions?.length,
  ],
  [
    'imports',
    500,
    (size) =>
      entryOf({ ecosystem_specific: { imports: Array(size).fill({ path: 'a', symbols: ['f'] }) } }).ecosystem_specific
        ?.imports?.length,
  ],
  [
    'characters of a reference’s type',
    32,
    (size) =>
      parse({ ...minimal, references: [{ type: 'x'.repeat(size), url: 'http://a.example/' }] }).references?.[0]?.type
        .length,
  ],
]
for (const [what, most, read] of cuts) {
  test(`a record keeps ${most} ${what} and drops the rest`, () =>
    assert.deepEqual([read(most), read(most + 1)], [most, most]))
}

const dropped: [what: string, most: number, read: (size: number) => unknown][] = [
  [
    'a URL',
    2_000,
    (size) => parse({ ...minimal, references: [{ url: 'https://a.example/'.padEnd(size, 'x') }] }).references,
  ],
  [
    'the time of NVD',
    64,
    (size) =>
      parse({
        ...minimal,
        database_specific: { nvd_published_at: minimal.modified.replace('Z', `.${'0'.repeat(size - 21)}Z`) },
      }).database_specific,
  ],
  [
    'the paths of imports',
    500,
    (size) =>
      entryOf({ ecosystem_specific: { imports: Array.from({ length: size }, () => ({ path: 'a' })) } })
        .ecosystem_specific,
  ],
  [
    'the path of an import with symbols',
    500,
    (size) =>
      entryOf({ ecosystem_specific: { imports: [{ path: 'p'.repeat(size), symbols: ['f'] }] } }).ecosystem_specific
        ?.imports,
  ],
  [
    'the path of an import without symbols',
    500,
    (size) => entryOf({ ecosystem_specific: { imports: [{ path: 'p'.repeat(size) }] } }).ecosystem_specific,
  ],
  [
    'a severity’s type',
    32,
    (size) => parse({ ...minimal, severity: [{ type: 'x'.repeat(size), score: 'x' }] }).severity,
  ],
  [
    'a severity’s score',
    512,
    (size) => parse({ ...minimal, severity: [{ type: 'x', score: 'x'.repeat(size) }] }).severity,
  ],
  [
    'a function',
    500,
    (size) => entryOf({ ecosystem_specific: { affected_functions: ['f'.repeat(size)] } }).ecosystem_specific,
  ],
  [
    'the path of an import',
    500,
    (size) =>
      entryOf({ ecosystem_specific: { imports: [{ path: 'p'.repeat(size), symbols: ['f'] }] } }).ecosystem_specific,
  ],
]
for (const [what, most, read] of dropped) {
  test(`${what} may have ${most} characters; a longer one is dropped`, () => {
    assert.notEqual(read(most), undefined)
    assert.equal(read(most + 1), undefined)
  })
}

const shortened: [what: string, most: number, read: (text: string) => string | undefined][] = [
  ['a summary', 1_000, (summary) => parse({ ...minimal, summary }).summary],
  ['details', 128 * 1024, (details) => parse({ ...minimal, details }).details],
  [
    'a severity in words',
    32,
    (severity) => parse({ ...minimal, database_specific: { severity } }).database_specific?.severity,
  ],
  [
    'a known range',
    200,
    (range) =>
      entryOf({ database_specific: { last_known_affected_version_range: range } }).database_specific
        ?.last_known_affected_version_range,
  ],
  ['a repository', 2_000, (repo) => entryOf({ ranges: [{ type: 'GIT', repo, events: [] }] }).ranges?.[0]?.repo],
]
for (const [what, most, read] of shortened) {
  test(`${what} of ${most} characters is kept; a longer one is cut`, () => {
    const whole = 'x'.repeat(most)
    assert.deepEqual([read(whole), read(`${whole}x`)], [whole, `${whole}…`])
  })
}
