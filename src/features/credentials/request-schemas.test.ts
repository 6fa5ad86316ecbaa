import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ExposureReport, NewExposureReport } from './exposed-resource.ts'
import { limitAttributes, limitsOfFirst } from './limits.ts'
import { SecretsAttributes } from './secrets-request.ts'

const attributesOf = (attributes: object) => ({ data: { type: 'exposure_report', attributes } })
const networks = (count: number) => Array.from({ length: count }, () => '::/0')
const WEEK_SECONDS = 604_800

type Case = readonly [why: string, value: unknown, isValid: boolean]

const limits: readonly Case[] = [
  ['none', {}, true],
  ['a time', { expires_at: '2030-01-01T00:00:00Z' }, true],
  ['a day', { expires_at: '2030-01-01' }, false],
  ['no network', { allowed_networks: [] }, false],
  ['one network', { allowed_networks: networks(1) }, true],
  ['50 networks', { allowed_networks: networks(50) }, true],
  ['51 networks', { allowed_networks: networks(51) }, false],
  ['a network of 43 characters', { allowed_networks: ['x'.repeat(43)] }, true],
  ['a network of 44 characters', { allowed_networks: ['x'.repeat(44)] }, false],
]

const schemas: readonly [name: string, schema: TSchema, cases: readonly Case[]][] = [
  ['limits of a credential', Type.Object(limitAttributes), limits],
  ['limits of a first credential', Type.Object(limitsOfFirst), limits],
  [
    'change of secrets',
    SecretsAttributes,
    [
      ['no mode', {}, false],
      ...['replace', 'create', 'delete'].map((mode) => [mode, { mode }, true] as const),
      ['another mode', { mode: 'rotate' }, false],
      ['another member', { mode: 'create', name: 'x' }, false],
      ['a secret of 1024 characters', { mode: 'delete', secret: 'x'.repeat(1024) }, true],
      ['a secret of 1025 characters', { mode: 'delete', secret: 'x'.repeat(1025) }, false],
      ['no grace', { mode: 'replace', grace_seconds: 0 }, true],
      ['negative grace', { mode: 'replace', grace_seconds: -1 }, false],
      ['a week of grace', { mode: 'replace', grace_seconds: WEEK_SECONDS }, true],
      ['more than a week of grace', { mode: 'replace', grace_seconds: WEEK_SECONDS + 1 }, false],
      ['a fraction', { mode: 'replace', grace_seconds: 0.5 }, false],
      ['limits', { mode: 'create', expires_at: '2030-01-01T00:00:00Z', allowed_networks: ['::/0'] }, true],
    ],
  ],
  [
    'report of an exposure',
    NewExposureReport,
    [
      ['one value', attributesOf({ credentials: ['x'] }), true],
      ['another type', { data: { type: 'report', attributes: { credentials: ['x'] } } }, false],
      ['no value', attributesOf({ credentials: [] }), false],
      ['an empty value', attributesOf({ credentials: [''] }), false],
      ['100 values', attributesOf({ credentials: networks(100) }), true],
      ['101 values', attributesOf({ credentials: networks(101) }), false],
      ['a value of 8192 characters', attributesOf({ credentials: ['x'.repeat(8192)] }), true],
      ['a value of 8193 characters', attributesOf({ credentials: ['x'.repeat(8193)] }), false],
      ['a reporter of 200 characters', attributesOf({ credentials: ['x'], reporter: 'x'.repeat(200) }), true],
      ['a reporter of 201 characters', attributesOf({ credentials: ['x'], reporter: 'x'.repeat(201) }), false],
      ['a place of 2000 characters', attributesOf({ credentials: ['x'], found_at: 'x'.repeat(2000) }), true],
      ['a place of 2001 characters', attributesOf({ credentials: ['x'], found_at: 'x'.repeat(2001) }), false],
      ['another member', attributesOf({ credentials: ['x'], secret: 'x' }), false],
    ],
  ],
  [
    'answer to a report of an exposure',
    ExposureReport,
    ['exposure_report', 'report', ''].map((type) => [
      `type ${type}`,
      { id: randomUUID(), type, attributes: { received: 1 } },
      type === 'exposure_report',
    ]),
  ],
]

for (const [name, schema, cases] of schemas) {
  describe(`requests about credentials: ${name}`, () => {
    for (const [why, value, isValid] of cases) {
      test(`${why} ${isValid ? 'is valid' : 'is refused'}`, () => assert.equal(Value.Check(schema, value), isValid))
    }
  })
}
