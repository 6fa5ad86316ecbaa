import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAuthorization } from './authorization-header.ts'

const headers: [header: string, credential: string | undefined][] = [
  ['token a-key', 'a-key'],
  ['Token a-key', 'a-key'],
  ['Bearer a.b.c', 'a.b.c'],
  ['bearer   a.b.c  ', 'a.b.c'],
  ['a-key', 'a-key'],
  ['token', 'token'],
  ['Basic dTpw', undefined],
  ['token a b', undefined],
  ['token a,b', undefined],
  ['', undefined],
  [`token ${'a'.repeat(8192)}`, 'a'.repeat(8192)],
  [`token ${'a'.repeat(8193)}`, undefined],
]
for (const [header, credential] of headers) {
  test(`Authorization: ${header.slice(0, 20)} (${header.length} characters): ${credential?.slice(0, 20)}`, () => {
    assert.equal(parseAuthorization(header), credential)
  })
}
