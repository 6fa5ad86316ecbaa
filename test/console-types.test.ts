import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Described, toConsoleTypes } from '../tools/generate-console-types.ts'

test('the console’s types are those of openapi.json (npm run generate)', () => {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Described
  assert.equal(readFileSync('web/api/operations.generated.ts', 'utf8'), toConsoleTypes(document))
})
