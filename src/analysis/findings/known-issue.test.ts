import assert from 'node:assert/strict'
import { test } from 'node:test'
import { severities, toSeverity, toSeverityNumber } from './known-issue.ts'

test('severities are stored as numbers from 1 (low) to 4 (critical)', () => {
  assert.deepEqual(severities.map(toSeverityNumber), [1, 2, 3, 4])
  assert.deepEqual([1, 2, 3, 4].map(toSeverity), ['low', 'medium', 'high', 'critical'])
})
