import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryEngine } from '#test/engines.ts'
import { runImportKills } from '#test/import-kill-run.ts'

// tools/import-kills.ts does the same many more times.
onEveryEngine('kill -9 of servers that import', (engine) => {
  test('imports finish all the same, with nothing double and nothing lost', async () => {
    const { faults, killsDuringImports } = await runImportKills({ engine, kills: 4, manifests: 40 })
    assert.deepEqual(faults, [])
    assert.ok(killsDuringImports > 0, 'no kill met an import')
  })
})
