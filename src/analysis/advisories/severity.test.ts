import assert from 'node:assert/strict'
import test from 'node:test'
import { findCvss } from './cvss.ts'
import type { OsvAffected, OsvRecord, OsvSeverity } from './osv.ts'
import { toScore, toSeverity } from './severity.ts'

/** Scores of the worked examples that FIRST publishes for each version of the standard. */
const published: [vector: string, version: string, score: number, rating: string][] = [
  ['AV:N/AC:L/Au:N/C:N/I:N/A:C', '2.0', 7.8, 'high'],
  ['AV:N/AC:L/Au:N/C:C/I:C/A:C', '2.0', 10, 'high'],
  ['AV:L/AC:H/Au:N/C:C/I:C/A:C', '2.0', 6.2, 'medium'],
  ['AV:N/AC:L/Au:N/C:P/I:N/A:N', '2.0', 5, 'medium'],
  ['(AV:L/AC:H/Au:N/C:N/I:N/A:P)', '2.0', 1.2, 'low'],
  ['CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', '3.0', 6.1, 'medium'],
  ['CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', '3.0', 6.4, 'medium'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', '3.1', 10, 'critical'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', '3.1', 9.8, 'critical'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', '3.1', 7.5, 'high'],
  ['CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', '3.1', 3.1, 'low'],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', '4.0', 10, 'critical'],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', '4.0', 9.3, 'critical'],
  ['CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N', '4.0', 8.3, 'high'],
  ['CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', '4.0', 7.7, 'high'],
  ['CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', '4.0', 7.3, 'high'],
]

for (const [vector, version, score, rating] of published) {
  test(`CVSS vector ${vector}: base score ${score}`, () => {
    const cvss = findCvss(vector)
    assert.deepEqual([cvss?.version, cvss?.baseScore, cvss?.rating], [version, score, rating])
  })
}

const bands: [vector: string, score: number, rating: string | undefined][] = [
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0, undefined],
  ['CVSS:3.1/AV:A/AC:H/PR:H/UI:N/S:U/C:L/I:L/A:L', 3.9, 'low'],
  ['CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:N/I:N/A:L', 4, 'medium'],
  ['CVSS:3.1/AV:A/AC:L/PR:H/UI:N/S:C/C:N/I:L/A:H', 6.9, 'medium'],
  ['CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:H', 7, 'high'],
  ['CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:L/I:H/A:H', 8.9, 'high'],
  ['CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:C/C:L/I:H/A:H', 9, 'critical'],
  ['CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:N/VI:N/VA:N/SC:L/SI:N/SA:N', 1, 'low'],
  ['AV:L/AC:M/Au:N/C:P/I:P/A:N', 3.3, 'low'],
  ['AV:L/AC:H/Au:N/C:N/I:N/A:C', 4, 'medium'],
  ['AV:L/AC:M/Au:N/C:C/I:C/A:C', 6.9, 'medium'],
  ['AV:A/AC:M/Au:M/C:C/I:C/A:C', 7, 'high'],
]
for (const [vector, score, rating] of bands) {
  test(`CVSS vector ${vector}, score ${score}: ${rating ?? 'no rating'}`, () => {
    const cvss = findCvss(vector)
    assert.deepEqual([cvss?.baseScore, cvss?.rating], [score, rating])
  })
}

for (const [word, severity] of [
  ['CRITICAL', 'critical'],
  ['HIGH', 'high'],
  ['important', 'high'],
  ['Moderate', 'medium'],
  ['MEDIUM', 'medium'],
  ['LOW', 'low'],
] as const) {
  test(`severity word ${word} is ${severity}, unless a CVSS 2 vector is worse`, () => {
    const record = (vector?: string): OsvRecord => ({
      id: 'A-1',
      modified: '2024-01-01T00:00:00Z',
      affected: [],
      database_specific: { severity: word },
      ...(vector !== undefined && { severity: [{ type: 'CVSS_V2', score: vector }] }),
    })
    const rate = (vector?: string) => toSeverity([{ record: record(vector), affected: [] }])
    assert.deepEqual([rate().severity, rate().basis], [severity, 'database'])
    const order = ['low', 'medium', 'high', 'critical']
    const medium = rate('AV:L/AC:H/Au:N/C:N/I:N/A:C')
    const isWorse = order.indexOf(severity) > 1
    assert.deepEqual([medium.severity, medium.basis], isWorse ? [severity, 'database'] : ['medium', 'cvss'])
  })
}

test('findCvss: ignores spaces around a vector', () => {
  assert.equal(findCvss(` ${V3}\n`)?.vector, V3)
})

test('temporal and threat metrics change the exploit maturity, not the base score', () => {
  const v3 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N'
  const v4 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'
  const v2 = 'AV:N/AC:L/Au:N/C:P/I:N/A:N'
  const cases: [string, number, string][] = [
    [v3, 6.1, 'no-data'],
    [`${v3}/E:X`, 6.1, 'no-data'],
    [`${v3}/E:U/RL:O/RC:C`, 6.1, 'no-known-exploit'],
    [`${v3}/E:P/RL:O/RC:C`, 6.1, 'proof-of-concept'],
    [`${v3}/E:F`, 6.1, 'mature'],
    [`${v3}/E:H`, 6.1, 'mature'],
    [`${v4}/E:A`, 9.3, 'mature'],
    [`${v4}/E:P`, 9.3, 'proof-of-concept'],
    [`${v4}/E:U`, 9.3, 'no-known-exploit'],
    [`${v2}/E:POC/RL:OF/RC:C`, 5, 'proof-of-concept'],
    [`E:F/RL:OF/RC:C/${v2}`, 5, 'mature'],
  ]
  for (const [vector, score, maturity] of cases) {
    const cvss = findCvss(vector)
    assert.deepEqual([cvss?.baseScore, cvss?.exploitMaturity], [score, maturity], vector)
  }
})

const unreadable = [
  '',
  '7.5',
  'HIGH',
  'CVSS:3.1/AV:N/AC:L',
  'CVSS:3.1/AV:Q/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  'CVSS:3.1/AV:N/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N/',
  'CVSS:3.2/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N',
  'AV:N/AC:L/Au:N/C:P/I:N',
  '__proto__:x/constructor:y',
  `CVSS:3.1/${'A:N/'.repeat(100_000)}`,
]

for (const vector of unreadable) {
  test(`findCvss: finds no score in "${vector.slice(0, 60)}"`, () => assert.equal(findCvss(vector), undefined))
}

const V2 = 'AV:N/AC:L/Au:N/C:C/I:C/A:C'
const V3 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N'
const V4 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'
const NONE = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N'

function scores(...vectors: string[]): OsvSeverity[] {
  return vectors.map((score) => ({ type: 'CVSS_V3', score }))
}

function rated(record: Partial<OsvRecord>, affected: Partial<OsvAffected> = {}) {
  const entry = { package: { ecosystem: 'npm', name: 'a' }, ...affected }
  return { record: { id: 'GHSA-1', modified: '2024-01-01T00:00:00Z', affected: [entry], ...record }, affected: [entry] }
}

const decisions: {
  why: string
  records: ReturnType<typeof rated>[]
  severity: string
  basis: string
  score?: number
}[] = [
  {
    why: 'a CVSS 3 vector has precedence over 4 and 2',
    records: [rated({ severity: scores(V2, V4, V3) })],
    severity: 'high',
    basis: 'cvss',
    score: 7.5,
  },
  {
    why: 'a CVSS 4 vector has precedence over 2',
    records: [rated({ severity: scores(V2, V4) })],
    severity: 'critical',
    basis: 'cvss',
    score: 9.3,
  },
  {
    why: 'a vector has precedence over a word',
    records: [rated({ severity: scores(V3), database_specific: { severity: 'LOW' } })],
    severity: 'high',
    basis: 'cvss',
    score: 7.5,
  },
  {
    why: 'a worse word has precedence over a CVSS 2 vector',
    records: [rated({ severity: scores(V2), database_specific: { severity: 'CRITICAL' } })],
    severity: 'critical',
    basis: 'database',
    score: 10,
  },
  {
    why: 'a milder word has no precedence over a CVSS 2 vector',
    records: [rated({ severity: scores(V2), database_specific: { severity: 'LOW' } })],
    severity: 'high',
    basis: 'cvss',
    score: 10,
  },
  {
    why: "a vector of the package has precedence over the record's",
    records: [rated({ severity: scores(V3) }, { severity: scores(V4) })],
    severity: 'critical',
    basis: 'cvss',
    score: 9.3,
  },
  {
    why: 'a word decides without a vector',
    records: [rated({ database_specific: { severity: 'Moderate' } })],
    severity: 'medium',
    basis: 'database',
  },
  {
    why: 'an unreadable vector is ignored',
    records: [rated({ severity: scores('CVSS:3.1/?'), database_specific: { severity: 'LOW' } })],
    severity: 'low',
    basis: 'database',
  },
  {
    why: 'a word has precedence over a score of 0',
    records: [rated({ severity: scores(NONE), database_specific: { severity: 'MEDIUM' } })],
    severity: 'medium',
    basis: 'database',
  },
  {
    why: 'a score of 0 alone is low',
    records: [rated({ id: 'GO-1' }), rated({ severity: scores(NONE) })],
    severity: 'low',
    basis: 'cvss',
    score: 0,
  },
  {
    why: 'a score of 0 has no precedence over another vector',
    records: [rated({ severity: scores(NONE, V4) })],
    severity: 'critical',
    basis: 'cvss',
    score: 9.3,
  },
  {
    why: 'an unknown word is ignored',
    records: [rated({ database_specific: { severity: 'constructor' } })],
    severity: 'high',
    basis: 'assumed',
  },
  {
    why: 'an alias rates a vulnerability whose first record has no rating',
    records: [rated({ id: 'GO-1' }), rated({ severity: scores(V4) })],
    severity: 'critical',
    basis: 'cvss',
    score: 9.3,
  },
  {
    why: 'the word of another record has no precedence over a CVSS 2 vector beside a word',
    records: [
      rated({ id: 'GO-1', database_specific: { severity: 'CRITICAL' } }),
      rated({ severity: scores(V2), database_specific: { severity: 'LOW' } }),
    ],
    severity: 'high',
    basis: 'cvss',
    score: 10,
  },
  {
    why: 'a worse word of another record has precedence over a CVSS 2 vector without a word',
    records: [rated({ severity: scores(V2) }), rated({ id: 'GO-1', database_specific: { severity: 'CRITICAL' } })],
    severity: 'critical',
    basis: 'database',
    score: 10,
  },
  {
    why: 'the first word counts, also in a later record',
    records: [rated({ id: 'GO-1' }), rated({ database_specific: { severity: 'LOW' } })],
    severity: 'low',
    basis: 'database',
  },
  {
    why: 'malicious code is critical, also according to a later record',
    records: [rated({ id: 'GO-1' }), rated({ id: 'MAL-2024-1' })],
    severity: 'critical',
    basis: 'malicious',
  },
  {
    why: 'malicious code is critical',
    records: [rated({ id: 'MAL-2024-1' })],
    severity: 'critical',
    basis: 'malicious',
  },
  {
    why: 'an unrated vulnerability is assumed to be high',
    records: [rated({ id: 'GO-1' })],
    severity: 'high',
    basis: 'assumed',
  },
]

for (const { why, records, severity, basis, score } of decisions) {
  test(`severity: ${why}`, () => {
    const rating = toSeverity(records)
    assert.deepEqual([rating.severity, rating.basis, rating.cvssScore], [severity, basis, score])
  })
}

test('toSeverity: returns the vectors of the deciding record by version', () => {
  const rating = toSeverity([rated({ severity: scores(V2, V3, V4, V3.replace('3.1', '3.0')) })])
  assert.deepEqual([rating.cvssV2, rating.cvssV3, rating.cvssV4], [V2, V3, V4])
})

test('exploit maturity: the most advanced of all records counts', () => {
  const toRecord = (vector: string) => rated({ severity: scores(vector) })
  const maturityOf = (...vectors: string[]) => toSeverity(vectors.map(toRecord)).exploitMaturity
  assert.equal(maturityOf(V3), 'no-data')
  assert.equal(maturityOf(V3, `${V3}/E:U`), 'no-known-exploit')
  assert.equal(maturityOf(`${V3}/E:U`, `${V4}/E:P`, V3), 'proof-of-concept')
  assert.equal(maturityOf(`${V3}/E:P`, `${V2}/E:F/RL:U/RC:C`), 'mature')
})

test('several vectors of one major version: the newest minor version decides, then the worst score', () => {
  const v30 = 'CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N'
  assert.equal(toSeverity([rated({ severity: scores(v30, V3) })]).cvssScore, 7.5)
  const milder = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N'
  assert.equal(toSeverity([rated({ severity: scores(V3, milder) })]).cvssScore, 7.5)
  assert.equal(toSeverity([rated({ severity: scores(milder, V3) })]).cvssScore, 7.5)
})

for (const [severity, cvssScore] of [
  ['critical', 9],
  ['high', 7],
  ['medium', 4],
  ['low', 0.1],
] as const) {
  test(`a score without a vector is the lower bound of ${severity}`, () => {
    assert.deepEqual(toScore({ severity }), { cvssScore, cvssScoreBasis: 'severity' })
    assert.deepEqual(toScore({ severity, cvssScore: 5.5 }), { cvssScore: 5.5, cvssScoreBasis: 'vector' })
  })
}
