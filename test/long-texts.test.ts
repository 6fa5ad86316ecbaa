import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationsOf } from '#features/documentation/openapi-document.ts'
import { createAjv } from '#foundation/http/bodies/body-validator.ts'
import { describedInterface } from '../tools/generate-openapi.ts'

interface TextSchema {
  readonly format?: string
  readonly pattern?: string
}

const LENGTH = 20_000
/** Together they match every format and every pattern without a length limit. */
const longTexts = [
  'a'.repeat(LENGTH),
  '1'.repeat(LENGTH),
  `2026-01-02T03:04:05.${'1'.repeat(LENGTH)}Z`,
  `https://example.com/${'a'.repeat(LENGTH)}`,
  `${'a'.repeat(LENGTH)}@example.com`,
  `a:${'a'.repeat(LENGTH)}`,
]

const checked = new Map<string, TextSchema>()

/** Collects the formats and patterns of texts in a part of the interface's description. */
function collect(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  const { type, format, pattern } = part as { type?: unknown } & TextSchema
  if (type === 'string' && (format ?? pattern) !== undefined) {
    const schema = { ...(format !== undefined && { format }), ...(pattern !== undefined && { pattern }) }
    checked.set(JSON.stringify(schema), schema)
  }
  for (const inside of Object.values(part)) collect(inside)
}

async function collectAll(): Promise<void> {
  const document = await describedInterface()
  for (const { operation } of operationsOf(document)) collect([operation.parameters, operation.requestBody])
  collect(document.components?.schemas)
}

test('formats and patterns of the interface accept no text of 20,000 characters', async () => {
  await collectAll()
  const ajv = createAjv({ allErrors: true })
  assert.ok([...checked.values()].some(({ format }) => format === 'date-time'))
  assert.ok([...checked.values()].some(({ pattern }) => pattern !== undefined))
  for (const [name, schema] of checked) {
    const validate = ajv.compile({ type: 'string', ...schema })
    const taken = longTexts.filter((text) => validate(text)).map((text) => `${text.slice(0, 30)}…`)
    assert.deepEqual(taken, [], `${name} takes`)
  }
})

test('format date-time: accepts and refuses the same times as before', () => {
  const validate = createAjv({}).compile({ type: 'string', format: 'date-time' })
  const taken = ['2026-01-02T03:04:05Z', '2026-01-02t03:04:05.123456789+01:30', '2016-12-31T23:59:60Z']
  const refused = ['2026-01-02', '2026-13-02T03:04:05Z', '2026-01-02T03:04Z', '2026-01-02T03:04:05', ' '.repeat(100)]
  for (const text of taken) assert.ok(validate(text), text)
  for (const text of refused) assert.ok(!validate(text), text)
})
