import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sealedPlaces } from '#composition/sealed-places.ts'

/** Binary columns that are not encrypted. */
const plain = new Set([
  'advisory_snapshot_parts.bytes',
  'archive_pieces.content',
  'project_states.graph',
  'project_states.advice',
  'project_states.source',
  'registry_cache.body',
  'second_factors.public_key',
  'secret_keys.wrapped',
])

test('secret key rotation: covers every binary column that is not listed as plain', () => {
  const tables = readFileSync(new URL('../../foundation/db/tables.generated.ts', import.meta.url), 'utf8')
  const columns = [...tables.matchAll(/^ {2}(\w+): \{\n(.*?)^ {2}\}/gms)].flatMap(([, table, body]) =>
    [...body!.matchAll(/^ {4}(\w+): Uint8Array/gm)].map(([, column]) => `${table}.${column}`),
  )
  const sealed = sealedPlaces.map(({ table, column }) => `${table}.${column}`)
  assert.deepEqual(
    columns.filter((column) => !plain.has(column)).sort(),
    sealed.filter((name) => name !== 'webhooks.url').sort(),
  )
  assert.ok(sealed.includes('webhooks.url'), 'text')
})
