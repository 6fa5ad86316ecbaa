import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { validatorOf } from '#test/documents/event-schemas.ts'
import { eventTypeNames, eventTypes } from './event-types.ts'

describe('event types', () => {
  for (const type of eventTypeNames) {
    test(`${type}: its example fits the schema, and additional members are refused`, () => {
      const isData = validatorOf(type)
      const { example, when } = eventTypes[type]
      assert.ok(isData(example), JSON.stringify(isData.errors))
      assert.ok(!isData({ ...example, client_secret: 'x' }))
      assert.match(type, /^[a-z]+\.[a-z]+$/)
      assert.match(when, /^[a-z].*[^.]$/)
    })
  }
})
