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

  test('processes that stand still for longer than their leases write nothing down twice when they go on', async () => {
    const { faults, takenOver } = await runImportKills({ engine, kills: 4, manifests: 60, standStill: true })
    assert.deepEqual(faults, [])
    // The only process has nobody to lose its jobs to.
    if (engine === 'postgres') assert.ok(takenOver > 0, 'nothing was taken over')
  })
})
