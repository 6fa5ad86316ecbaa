import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRatedElsewhere, type RatedSlot } from './borrowed-ratings.ts'

const plain = { isWithdrawn: false, isReplaced: false, isRated: false, aliases: [] }
const rated = { ...plain, isRated: true }

test('records without a vector: borrow from rated ones that share an id or an alias, never from withdrawn ones', () => {
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
