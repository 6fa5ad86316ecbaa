import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type IssueCounts, noIssues, type SeverityCounts } from '../severity-counts.ts'
import { compareFindings, measureChange } from './issue-flow.ts'

const counts = (open: Partial<SeverityCounts>, ignored: Partial<SeverityCounts> = {}): IssueCounts => ({
  open: { ...noIssues, ...open },
  ignored: { ...noIssues, ...ignored },
})
const none = { change: 0, opened: 0, fixed: 0, ignored: 0, timed: 0, fix_ms: 0 }
const measured = (...args: Parameters<typeof measureChange>) => Object.fromEntries(measureChange(...args))

describe('trend of issue counts without a test', () => {
  const cases = [
    ['an increase counts as opened', counts({ high: 1 }), counts({ high: 3 }), { change: 2, opened: 2 }],
    ['a decrease counts as withdrawn, not fixed', counts({ high: 3 }), counts({ high: 1 }), { change: -2 }],
    [
      'newly ignored issues count as ignored',
      counts({ high: 3 }),
      counts({ high: 1 }, { high: 2 }),
      { change: -2, ignored: 2 },
    ],
    ['an expired ignore counts as opened', counts({}, { high: 1 }), counts({ high: 1 }), { change: 1, opened: 1 }],
    [
      'an issue ignored on arrival counts as opened and ignored',
      counts({}),
      counts({}, { high: 1 }),
      { opened: 1, ignored: 1 },
    ],
  ] as const
  for (const [title, before, after, expected] of cases) {
    test(`issue trend: ${title}`, () =>
      assert.deepEqual(measured({ before, after }), { high: { ...none, ...expected } }))
  }

  test('issue trend: measures nothing without a change', () => {
    assert.deepEqual(measured({ before: counts({ low: 2 }), after: counts({ low: 2 }) }), {})
  })
})

describe('trend of a test', () => {
  const before = new Map([
    ['stays', { severity: 'high', isIgnored: false, since: 0 }],
    ['leaves', { severity: 'high', isIgnored: false, since: 1_000 }],
    ['leaves unseen', { severity: 'high', isIgnored: false, since: undefined }],
    ['was ignored', { severity: 'high', isIgnored: true, since: 0 }],
    ['is ignored now', { severity: 'high', isIgnored: false, since: 0 }],
  ] as const)
  const issues = ['stays', 'is ignored now', 'is new', 'is new and ignored'].map((issueId) => ({
    issueId,
    severity: 'high' as const,
  }))
  const flow = compareFindings(before, { issues, ignored: new Set(['is ignored now', 'is new and ignored']) }, 5_000)

  test('trend of a test: compares the issues and sums the ages of the fixed ones', () => {
    const change = { before: counts({ high: 4 }, { high: 1 }), after: counts({ high: 2 }, { high: 2 }), flow }
    assert.deepEqual(measured(change), {
      high: { change: -2, opened: 1, fixed: 2, ignored: 1, timed: 1, fix_ms: 4_000 },
    })
  })

  test('trend of a test: counts issues that newer advisories had added as opened', () => {
    const change = { before: counts({ high: 1 }), after: counts({ high: 2 }), flow }
    assert.deepEqual(measured(change)['high'], { change: 1, opened: 4, fixed: 2, ignored: 1, timed: 1, fix_ms: 4_000 })
  })
})
