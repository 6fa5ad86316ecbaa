import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { documentsWithSettings } from '../tools/generate-readme.ts'
import { tablesAsTypeScript } from '../tools/generate-tables.ts'

test('row types equal those of the migrations (npm run generate)', async () => {
  assert.equal(readFileSync('src/foundation/db/tables.generated.ts', 'utf8'), await tablesAsTypeScript())
})

for (const [path, text] of Object.entries(documentsWithSettings())) {
  test(`settings in ${path} equal those of the program (npm run generate)`, () => {
    assert.equal(readFileSync(path, 'utf8'), text)
  })
}
