import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFailureReports } from './failure-reports.ts'

test('failure reports: at most one per host and minute', () => {
  const clock = { at: 1 }
  const reported: string[] = []
  const report = createFailureReports(
    () => clock.at,
    ({ host, reason }) => reported.push(`${host} ${reason}`),
  )
  report({ host: 'a.example', reason: 'first' })
  report({ host: 'a.example', reason: 'second' })
  report({ host: 'b.example', reason: 'first' })
  clock.at += 59_999
  report({ host: 'a.example', reason: 'third' })
  clock.at += 1
  report({ host: 'a.example', reason: 'fourth' })
  assert.deepEqual(reported, ['a.example first', 'b.example first', 'a.example fourth'])
})

test('failure reports: the number of remembered hosts is limited', () => {
  let reports = 0
  const report = createFailureReports(
    () => 1,
    () => void reports++,
  )
  for (let at = 0; at < 1_001; at++) report({ host: `${at}.example`, reason: '' })
  report({ host: '0.example', reason: '' })
  assert.equal(reports, 1_002, 'the first was forgotten to make room')
})
