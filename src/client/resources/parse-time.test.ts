import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDuration, parseExpiry } from './parse-time.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

test('duration: accepts seconds, minutes, hours, days and weeks', () => {
  const read = { '0s': 0, '90m': 5400, '24h': 86_400, '7d': 604_800, '2w': 1_209_600 }
  for (const [text, seconds] of Object.entries(read)) assert.equal(parseDuration(text, '--overlap'), seconds)
  for (const text of ['', '7', '-1d', '1.5h', '1y', '1d2h']) {
    assert.throws(() => parseDuration(text, '--overlap'), /--overlap .*such as 90m, 24h or 7d/)
  }
})

test('expiry: accepts a day, a time or a duration in the future', () => {
  assert.equal(parseExpiry('2030-12-31', '--expires', now), '2030-12-31T00:00:00.000Z')
  assert.equal(parseExpiry('2030-12-31T10:00:00+02:00', '--expires', now), '2030-12-31T08:00:00.000Z')
  assert.equal(parseExpiry('30d', '--expires', now), '2026-01-31T00:00:00.000Z')
  for (const text of ['tomorrow', '31.12.2030', '2030-02-30', '2030-13-01', '2030', '99999999999d', '999999999w']) {
    assert.throws(() => parseExpiry(text, '--expires', now), /--expires .*pass a day/, text)
  }
  for (const text of ['2025-12-31', '0d']) assert.throws(() => parseExpiry(text, '--expires', now), /in the past/)
})
