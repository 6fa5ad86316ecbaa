import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { routesOf } from '#features/documentation/openapi.ts'
import { type Described, toClientFiles, toConsoleFiles } from '../tools/generate-client.ts'
import { onServer } from '../tools/generate-openapi.ts'
import { documentsWithSettings } from '../tools/generate-readme.ts'
import { tablesAsTypeScript } from '../tools/generate-tables.ts'

test('row types equal those of the migrations (npm run generate)', async () => {
  assert.equal(readFileSync('src/foundation/db/tables.generated.ts', 'utf8'), await tablesAsTypeScript())
})

test('client types equal those of the operations (npm run generate)', async () => {
  const published = toClientFiles(JSON.parse(readFileSync('openapi.json', 'utf8')) as Described)
  const ofConsole = toConsoleFiles(await onServer(async (server) => routesOf(server)))
  for (const [folder, files] of [['src/client/api', published] as const, ['web/api', ofConsole] as const]) {
    for (const [name, text] of Object.entries(files))
      assert.equal(readFileSync(`${folder}/${name}`, 'utf8'), text, name)
  }
})

for (const [path, text] of Object.entries(documentsWithSettings())) {
  test(`settings in ${path} equal those of the program (npm run generate)`, () => {
    assert.equal(readFileSync(path, 'utf8'), text)
  })
}
