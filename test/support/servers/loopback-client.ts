import assert from 'node:assert/strict'
import { createOutgoing, type Outgoing } from '#foundation/outgoing/outgoing.ts'
import { type FailureCode, OutgoingFailed } from '#foundation/outgoing/outgoing-errors.ts'
import type { OutgoingLimits, OutgoingSettings } from '#foundation/outgoing/settings.ts'

/** The real client, allowed to reach loopback; by default without retries and delays. */
export function loopbackClient(
  limits: Partial<OutgoingLimits> = {},
  settings: Partial<OutgoingSettings> = {},
): Outgoing & AsyncDisposable {
  const outgoing = createOutgoing({
    allow: ['127.0.0.1'],
    ...settings,
    limits: { backOffMs: 1, attempts: 1, ...limits },
  })
  return { ...outgoing, [Symbol.asyncDispose]: () => outgoing.close() }
}

/** For `assert.rejects`. */
export function failsWith(code: FailureCode) {
  return (error: unknown) => {
    assert.ok(error instanceof OutgoingFailed, `not an OutgoingFailed: ${error}`)
    assert.equal(error.code, code, String(error.cause))
    return true
  }
}
