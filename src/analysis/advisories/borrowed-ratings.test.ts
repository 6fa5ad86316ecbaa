import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRatedElsewhere, hasVector, type RatedSlot } from './borrowed-ratings.ts'
import type { OsvRecord } from './osv.ts'

const plain = { isWithdrawn: false, isReplaced: false, isRated: false, aliases: [] }
const rated = { ...plain, isRated: true }

test('borrowed ratings: from rated records that share an id or alias, never from withdrawn ones', () => {
  const slots: RatedSlot[] = [
    { ...plain, id: 'PYSEC-1', aliases: ['CVE-1'] },
    { ...plain, id: 'PYSEC-2', aliases: ['GHSA-2'] },
    { ...plain, id: 'PYSEC-3', aliases: ['CVE-3'] },
    { ...plain, id: 'constructor' },
    { ...rated, id: 'GLAD-1', aliases: ['CVE-1'] },
    { ...rated, id: 'GHSA-2', aliases: ['CVE-2'] },
    { ...rated, id: 'GHSA-3', aliases: ['CVE-3'], isWithdrawn: true },
  ]
  assert.deepEqual(findRatedElsewhere(slots), { 'PYSEC-1': ['GLAD-1'], 'PYSEC-2': ['GHSA-2'] })
})

test('borrowed ratings: at most three rated records, in order of their ids', () => {
  const lenders = ['D-1', 'C-1', 'B-1', 'A-1'].map((id) => ({ ...rated, id, aliases: ['CVE-1'] }))
  const borrower = { ...plain, id: 'PYSEC-1', aliases: ['CVE-1'] }
  assert.deepEqual(findRatedElsewhere([...lenders, borrower]), { 'PYSEC-1': ['B-1', 'C-1', 'D-1'] })
  const others = ['F-1', 'E-1'].map((id) => ({ ...rated, id, aliases: ['CVE-2'] }))
  const second = { ...borrower, aliases: ['CVE-1', 'CVE-2'] }
  assert.deepEqual(findRatedElsewhere([...lenders, ...others, second]), { 'PYSEC-1': ['B-1', 'C-1', 'D-1'] })
})

test('hasVector: true for a CVSS vector of the record or an entry, beside other kinds of severity', () => {
  const [vector, word] = [
    { type: 'CVSS_V3', score: 'x' },
    { type: 'Ubuntu', score: 'low' },
  ]
  const entry = { package: { ecosystem: 'npm', name: 'a' } }
  const record = (rest: Partial<OsvRecord>): OsvRecord => ({ id: 'A-1', modified: '', affected: [], ...rest })
  assert.equal(hasVector(record({})), false)
  assert.equal(hasVector(record({ severity: [word] })), false)
  assert.equal(hasVector(record({ severity: [word, vector] })), true)
  assert.equal(hasVector(record({ affected: [entry, { ...entry, severity: [word, vector] }] })), true)
})
