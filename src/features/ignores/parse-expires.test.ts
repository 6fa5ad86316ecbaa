import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseExpires } from './parse-expires.ts'

describe('the end of an ignore', () => {
  const read: readonly [text: string, time: string][] = [
    ['2022-08-29', '2022-08-29T00:00:00.000Z'],
    ['2027-08-29T12:30:15Z', '2027-08-29T12:30:15.000Z'],
    ['2027-08-29T12:30:15.1Z', '2027-08-29T12:30:15.100Z'],
    ['2027-08-29T12:30:15.123456+00:00', '2027-08-29T12:30:15.123Z'],
    ['2027-08-29T00:30:00+02:00', '2027-08-28T22:30:00.000Z'],
    ['2027-08-28T22:30:00-0530', '2027-08-29T04:00:00.000Z'],
    ['2027-08-28T22:30:00+01', '2027-08-28T21:30:00.000Z'],
    // Without an offset it means the same wherever the server is.
    ['2027-08-29T12:30:15', '2027-08-29T12:30:15.000Z'],
    ['2027-08-29 12:30', '2027-08-29T12:30:00.000Z'],
    ['2027-08-29 12:30:15 +00:00', '2027-08-29T12:30:15.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    [' 2027-08-29\n', '2027-08-29T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ]
  for (const [text, time] of read) {
    test(`${JSON.stringify(text)} is ${time}`, () => assert.equal(parseExpires(text), Date.parse(time)))
  }

  for (const text of ['', '  ']) {
    test(`${JSON.stringify(text)} is none`, () => assert.equal(parseExpires(text), null))
  }

  const refused = [
    'tomorrow',
    '1661731200000',
    '2027-8-29',
    '29.08.2027',
    '2027-02-29',
    '2027-02-30T00:00:00Z',
    '2027-13-01',
    '2027-00-10',
    '2027-08-29T24:00:00Z',
    '2027-08-29T12:60:00Z',
    '2027-08-29T12:30:60Z',
    '2027-08-29T12',
    '2027-08-29T12:30:15+99:00',
    '2027-08-29T12:30:15 UTC',
    '0000-01-01',
    '1969-12-31T23:59:59Z',
    '+010000-01-01T00:00:00Z',
    '2027-08-29; drop',
  ]
  for (const text of refused) {
    test(`${JSON.stringify(text)} is no time`, () => assert.equal(parseExpires(text), undefined))
  }
})
