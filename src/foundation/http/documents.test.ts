import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { FastifyRequest } from 'fastify'
import { anyText } from '#test/documents/any-text.ts'
import { single } from './documents.ts'

test('self links: parameters are encoded like forms', () => {
  fc.assert(
    fc.property(anyText(), (version) => {
      const request = { url: '/rest/things/1?version=x', query: { version } } as FastifyRequest
      assert.equal(single(request, {}).links.self, `/things/1?${new URLSearchParams({ version })}`)
    }),
  )
})

test('self links: absent parameters are left out', () => {
  const request = { url: '/rest/things/1', query: {} } as FastifyRequest
  assert.equal(single(request, {}).links.self, '/things/1')
})
