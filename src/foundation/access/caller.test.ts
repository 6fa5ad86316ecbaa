import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operator, systemActor } from './caller.ts'

test('actors without a credential: named in audit logs as clients filter them', () => {
  assert.deepEqual(operator, { kind: 'operator', name: 'operator' })
  assert.deepEqual(systemActor, { kind: 'server', name: 'server' })
})
