import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseModifiedList } from './modified-list.ts'
import { SyncFailed } from './sync-failed.ts'

test('modified list: parsed into ids and times; the newest of repeated ids counts', () => {
  const list = parseModifiedList(
    '2024-01-02T00:00:00.123456Z,GHSA-1\r\n2024-01-01T00:00:00Z,GO-1\n\n2023-01-01T00:00:00Z,GHSA-1',
    'npm/modified_id.csv',
  )
  assert.deepEqual(
    [...list],
    [
      ['GHSA-1', Date.parse('2024-01-02T00:00:00.123Z')],
      ['GO-1', Date.parse('2024-01-01')],
    ],
  )
})

test('modified list: may be empty', () => assert.equal(parseModifiedList('', 'x').size, 0))

const broken = [
  '<html>',
  'GHSA-1,2024-01-01T00:00:00Z',
  '2024-01-01T00:00:00Z',
  '2024-13-01T00:00:00Z,GHSA-1',
  '2024-01-01T00:00:00Z,GHSA-1\n2024-01-0',
  '2024-01-01T00:00:00Z,two words',
]
for (const text of broken) {
  test(`modified list: refuses ${JSON.stringify(text)} with its line`, () => {
    assert.throws(
      () => parseModifiedList(text, 'npm/modified_id.csv'),
      (error) => error instanceof SyncFailed && /modified_id\.csv: line \d/.test(error.message),
    )
  })
}
