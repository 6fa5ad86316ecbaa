import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitText } from './answer-login.ts'

const waits: [seconds: number, words: string][] = [
  [1, 'Wait a second,'],
  [2, 'Wait 2 seconds,'],
  [59, 'Wait 59 seconds,'],
  [60, 'Wait a minute,'],
  [61, 'Wait 2 minutes,'],
  [900, 'Wait 15 minutes,'],
]
for (const [seconds, words] of waits) {
  test(`sign-in wait: ${seconds} seconds are shown as “${words}”`, () => assert.ok(waitText(seconds).includes(words)))
}
