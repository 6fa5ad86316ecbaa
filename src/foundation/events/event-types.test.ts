import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { validatorOf } from '#test/documents/event-schemas.ts'
import { eventTypeNames, eventTypes } from './event-types.ts'

describe('types of events', () => {
  for (const type of eventTypeNames) {
    test(`the example of ${type} is one, and nothing else can be among it`, () => {
      const isData = validatorOf(type)
      const { example, when } = eventTypes[type]
      assert.ok(isData(example), JSON.stringify(isData.errors))
      assert.ok(!isData({ ...example, client_secret: 'x' }))
      assert.match(type, /^[a-z]+\.[a-z]+$/)
      assert.match(when, /^[a-z].*[^.]$/)
    })
  }
})
