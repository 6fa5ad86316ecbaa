import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Described, toClientFiles } from '../tools/generate-client.ts'

test('types and paths of the client equal those of openapi.json (npm run generate)', () => {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as Described
  for (const [name, text] of Object.entries(toClientFiles(document))) {
    assert.equal(readFileSync(`src/client/api/${name}`, 'utf8'), text, name)
  }
})
